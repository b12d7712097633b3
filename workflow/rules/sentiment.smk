from hardmax.published import published

SENTIMENT = config["sentiment"]
SENTIMENT_VARIANTS = {
    "paper": {"nonnegative": True, "padding": True},
    "unconstrained": {"nonnegative": False, "padding": True},
    "unpadded": {"nonnegative": True, "padding": False},
}
SENTIMENT_RUNS = expand(
    "paper_d{dim}_s{seed}",
    dim=SENTIMENT["dims"],
    seed=range(SENTIMENT["seeds"]),
)
SENTIMENT_OTHERS = expand(
    "{variant}_d{dim}_s0",
    variant=[name for name in SENTIMENT_VARIANTS if name != "paper"],
    dim=SENTIMENT["variant_dims"],
)
# What a cluster has to give a training job besides memory and time.
SENTIMENT_GPU = {"gpu": 1} if SENTIMENT["training"]["device"] == "cuda" else {}
SENTIMENT_DATA = {
    "tokens": "results/tables/data_tokens.parquet",
    "vocabulary": "results/tables/data_vocabulary.csv",
}


rule sentiment_train:
    input:
        **SENTIMENT_DATA,
        code=modules("hardmax.sentiment.training"),
    output:
        table="results/tables/sentiment_histories/{variant}_d{dim}_s{seed}.csv",
        model="results/models/sentiment/{variant}_d{dim}_s{seed}.safetensors",
        card=[
            "results/tables/sentiment_histories/{variant}_d{dim}_s{seed}.card.json",
            "results/models/sentiment/{variant}_d{dim}_s{seed}.card.json",
        ],
    log:
        "results/logs/sentiment_train/{variant}_d{dim}_s{seed}.log",
    benchmark:
        "results/benchmarks/sentiment_train/{variant}_d{dim}_s{seed}.tsv"
    wildcard_constraints:
        variant=any_of(SENTIMENT_VARIANTS),
        dim=r"\d+",
        seed=r"\d+",
    # the longest jobs of the workflow: they start first
    priority: 10
    threads: 1
    resources:
        **SENTIMENT_GPU,
        mem_mb=growing(3000),
        runtime=growing(600),
    params:
        root=config["seed"],
        settings=SENTIMENT["training"],
        variant=lambda wildcards: SENTIMENT_VARIANTS[wildcards.variant],
        checkpoint="results/models/checkpoints/{variant}_d{dim}_s{seed}.safetensors",
    message:
        "Train the classifier, d = {wildcards.dim}, seed {wildcards.seed}, {wildcards.variant}"
    script:
        "../scripts/sentiment_train.py"


rule sentiment_history:
    input:
        tokens=SENTIMENT_DATA["tokens"],
        histories=expand(
            "results/tables/sentiment_histories/{run}.csv", run=SENTIMENT_RUNS
        ),
        others=expand(
            "results/tables/sentiment_histories/{run}.csv", run=SENTIMENT_OTHERS
        ),
        code=modules("hardmax.sentiment.statistics"),
    output:
        table="results/tables/sentiment_history.csv",
        accuracy="results/tables/sentiment_accuracy.csv",
        variants="results/tables/sentiment_variants.csv",
        card=[
            "results/tables/sentiment_history.card.json",
            "results/tables/sentiment_accuracy.card.json",
            "results/tables/sentiment_variants.card.json",
        ],
    log:
        "results/logs/sentiment_history.log",
    benchmark:
        "results/benchmarks/sentiment_history.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        runs=SENTIMENT_RUNS + SENTIMENT_OTHERS,
        batch=SENTIMENT["training"]["batch"],
    message:
        "Training histories of all dimensions and seeds"
    script:
        "../scripts/sentiment_history.py"


rule sentiment_reviews:
    input:
        **SENTIMENT_DATA,
        models=expand("results/models/sentiment/{run}.safetensors", run=SENTIMENT_RUNS),
        code=modules(
            "hardmax.sentiment.leaders",
            "hardmax.sentiment.statistics",
            "hardmax.sentiment.training",
            "hardmax.sentiment.words",
        ),
    output:
        table="results/tables/sentiment_reviews.parquet",
        agreement="results/tables/sentiment_agreement.csv",
        leaders="results/tables/sentiment_leaders.csv",
        clusters="results/tables/sentiment_clusters.csv",
        lexicon="results/tables/sentiment_lexicon.csv",
        words="results/tables/sentiment_words.csv",
        card=[
            f"results/tables/sentiment_{name}.card.json"
            for name in [
                "reviews",
                "agreement",
                "leaders",
                "clusters",
                "lexicon",
                "words",
            ]
        ],
    log:
        "results/logs/sentiment_reviews.log",
    benchmark:
        "results/benchmarks/sentiment_reviews.tsv"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(120),
    params:
        **SENTIMENT["reviews"],
        named=list(published("sentiment")["words"]),
        seed=config["seed"],
    message:
        "Leaders, clusters and predictions of every test review"
    script:
        "../scripts/sentiment_reviews.py"


rule sentiment_tokens:
    input:
        **SENTIMENT_DATA,
        model="results/models/sentiment/paper_d2_s0.safetensors",
        code=modules("hardmax.sentiment.training", "hardmax.sentiment.trajectories"),
    output:
        table="results/tables/sentiment_tokens.csv",
        decoder="results/tables/sentiment_decoder.csv",
        card=[
            "results/tables/sentiment_tokens.card.json",
            "results/tables/sentiment_decoder.card.json",
        ],
    log:
        "results/logs/sentiment_tokens.log",
    benchmark:
        "results/benchmarks/sentiment_tokens.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    message:
        "One positive and one negative review in the plane"
    script:
        "../scripts/sentiment_tokens.py"


rule sentiment_baseline:
    input:
        **SENTIMENT_DATA,
        code=modules("hardmax.sentiment.baseline"),
    output:
        table="results/tables/sentiment_baseline.csv",
        card="results/tables/sentiment_baseline.card.json",
    log:
        "results/logs/sentiment_baseline.log",
    benchmark:
        "results/benchmarks/sentiment_baseline.tsv"
    threads: 1
    resources:
        mem_mb=growing(3000),
        runtime=growing(30),
    message:
        "A linear model on bags of words"
    script:
        "../scripts/sentiment_baseline.py"


rule sentiment_published:
    input:
        data=lambda wildcards: package_file("published.yaml"),
        code=modules("hardmax.sentiment.published"),
    output:
        table="results/tables/sentiment_published.csv",
        words="results/tables/sentiment_published_words.csv",
        card=[
            "results/tables/sentiment_published.card.json",
            "results/tables/sentiment_published_words.card.json",
        ],
    log:
        "results/logs/sentiment_published.log",
    benchmark:
        "results/benchmarks/sentiment_published.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    message:
        "Published training curves and words as tables"
    script:
        "../scripts/sentiment_published.py"


FIGURES["sentiment_tokens"] = Figure(
    topic="Sentiment",
    tables={
        "tokens": "results/tables/sentiment_tokens.csv",
        "decoder": "results/tables/sentiment_decoder.csv",
    },
)
FIGURES["sentiment_film"] = Figure(
    topic="Sentiment", tables=FIGURES["sentiment_tokens"].tables, animation=True
)
FIGURES["sentiment_loss"] = Figure(
    topic="Sentiment",
    tables={
        "history": "results/tables/sentiment_history.csv",
        "accuracy": "results/tables/sentiment_accuracy.csv",
        "published": "results/tables/sentiment_published.csv",
    },
)
FIGURES["sentiment_accuracy"] = Figure(
    topic="Sentiment",
    tables={
        "history": "results/tables/sentiment_history.csv",
        "accuracy": "results/tables/sentiment_accuracy.csv",
        "baseline": "results/tables/sentiment_baseline.csv",
        "published": "results/tables/sentiment_published.csv",
    },
)
FIGURES["sentiment_leaders"] = Figure(
    topic="Sentiment",
    tables={
        "words": "results/tables/sentiment_words.csv",
        "accuracy": "results/tables/sentiment_accuracy.csv",
        "published": "results/tables/sentiment_published_words.csv",
    },
)
FIGURES["sentiment_counts"] = Figure(
    topic="Sentiment",
    tables={
        "leaders": "results/tables/sentiment_leaders.csv",
        "clusters": "results/tables/sentiment_clusters.csv",
    },
)

CLAIMS["SE-1"] = Claim(
    topic="sentiment",
    tables={
        "sentiment_history": "results/tables/sentiment_history.csv",
        "sentiment_accuracy": "results/tables/sentiment_accuracy.csv",
        "sentiment_published": "results/tables/sentiment_published.csv",
    },
    figure="sentiment_accuracy",
    falsify=False,
)
CLAIMS["SE-2"] = Claim(
    topic="sentiment",
    tables={"sentiment_agreement": "results/tables/sentiment_agreement.csv"},
    figure="sentiment_loss",
    falsify=False,
)
CLAIMS["SE-3"] = Claim(
    topic="sentiment",
    tables={"sentiment_lexicon": "results/tables/sentiment_lexicon.csv"},
    figure="sentiment_leaders",
    falsify=False,
)
CLAIMS["SE-4"] = Claim(
    topic="sentiment",
    tables={"sentiment_leaders": "results/tables/sentiment_leaders.csv"},
    figure="sentiment_counts",
    falsify=False,
)
CLAIMS["SE-5"] = Claim(
    topic="sentiment",
    tables={"sentiment_clusters": "results/tables/sentiment_clusters.csv"},
    figure="sentiment_counts",
    falsify=False,
)
