rule data_reviews:
    input:
        raw=raw_reviews,
        code=modules("hardmax.data"),
    output:
        tokens="results/tables/data_tokens.parquet",
        vocabulary="results/tables/data_vocabulary.csv",
        data_card="results/tables/data_card.json",
        card=[
            "results/tables/data_tokens.card.json",
            "results/tables/data_vocabulary.card.json",
            "results/tables/data_card.card.json",
        ],
    log:
        "results/logs/data_reviews.log",
    benchmark:
        "results/benchmarks/data_reviews.tsv"
    # the long jobs wait for it
    priority: 20
    threads: 2
    resources:
        mem_mb=growing(2000),
        runtime=growing(15),
    params:
        **config["data"],
        seed=config["seed"],
    message:
        "Prepare the movie reviews: words, vocabulary, split"
    script:
        "../scripts/data_reviews.py"
