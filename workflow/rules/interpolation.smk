rule interpolation_illustrations:
    input:
        code=modules("hardmax.interpolation.illustrations"),
    output:
        stages="results/tables/interpolation_stages.csv",
        attention="results/tables/interpolation_attention.csv",
        blocks="results/tables/interpolation_blocks.csv",
        card=[
            "results/tables/interpolation_stages.card.json",
            "results/tables/interpolation_attention.card.json",
            "results/tables/interpolation_blocks.card.json",
        ],
    log:
        "results/logs/interpolation_illustrations.log",
    benchmark:
        "results/benchmarks/interpolation_illustrations.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        **config["interpolation"]["illustrations"],
        seed=config["seed"],
    message:
        "Stages of both constructions, attention on small clouds, maps of one block"
    script:
        "../scripts/interpolation_illustrations.py"


rule interpolation_networks:
    input:
        code=modules("hardmax.interpolation.experiments"),
    output:
        table="results/tables/interpolation_networks.csv",
        card="results/tables/interpolation_networks.card.json",
    log:
        "results/logs/interpolation_networks.log",
    benchmark:
        "results/benchmarks/interpolation_networks.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        **config["interpolation"]["networks"],
        seed=config["seed"],
    message:
        "Networks for random data sets: size, exactness, margins, floating-point error"
    script:
        "../scripts/interpolation_networks.py"


rule interpolation_summary:
    input:
        networks="results/tables/interpolation_networks.csv",
        code=modules("hardmax.interpolation.summary"),
    output:
        table="results/tables/interpolation_summary.csv",
        card="results/tables/interpolation_summary.card.json",
    log:
        "results/logs/interpolation_summary.log",
    benchmark:
        "results/benchmarks/interpolation_summary.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    message:
        "Networks of random data sets, summed up"
    script:
        "../scripts/interpolation_summary.py"


rule interpolation_reviews:
    input:
        tokens="results/tables/data_tokens.parquet",
        code=modules("hardmax.interpolation.experiments", "hardmax.data"),
    output:
        table="results/tables/interpolation_reviews.csv",
        card="results/tables/interpolation_reviews.card.json",
    log:
        "results/logs/interpolation_reviews.log",
    benchmark:
        "results/benchmarks/interpolation_reviews.tsv"
    threads: 1
    resources:
        mem_mb=growing(3000),
        runtime=growing(60),
    params:
        **config["interpolation"]["reviews"],
        seed=config["seed"],
    message:
        "Movie reviews classified exactly, certified on all of them"
    script:
        "../scripts/interpolation_reviews.py"


rule interpolation_training:
    input:
        code=modules("hardmax.interpolation.tikhonov"),
    output:
        table="results/tables/interpolation_training/{epochs}.csv",
        card="results/tables/interpolation_training/{epochs}.card.json",
    log:
        "results/logs/interpolation_training/{epochs}.log",
    benchmark:
        "results/benchmarks/interpolation_training/{epochs}.tsv"
    wildcard_constraints:
        epochs="[0-9]+",
    priority: 5
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(240),
    params:
        **{
            key: value
            for key, value in config["interpolation"]["tikhonov"].items()
            if key != "epochs"
        },
        root=config["seed"],
    message:
        "Training with weight decay for {wildcards.epochs} epochs"
    script:
        "../scripts/interpolation_training.py"


rule interpolation_tikhonov:
    input:
        runs=expand(
            "results/tables/interpolation_training/{epochs}.csv",
            epochs=config["interpolation"]["tikhonov"]["epochs"],
        ),
        code=modules("hardmax.interpolation.regularisation"),
    output:
        table="results/tables/interpolation_tikhonov.csv",
        card="results/tables/interpolation_tikhonov.card.json",
    log:
        "results/logs/interpolation_tikhonov.log",
    benchmark:
        "results/benchmarks/interpolation_tikhonov.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    message:
        "Least losses against the weight decay, with thresholds and intervals"
    script:
        "../scripts/interpolation_tikhonov.py"


rule interpolation_published:
    input:
        data=lambda wildcards: package_file("published.yaml"),
        code=modules("hardmax.interpolation.published"),
    output:
        table="results/tables/interpolation_published.csv",
        card="results/tables/interpolation_published.card.json",
    log:
        "results/logs/interpolation_published.log",
    benchmark:
        "results/benchmarks/interpolation_published.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    message:
        "Published losses of the Tikhonov experiment as a table"
    script:
        "../scripts/interpolation_published.py"


LONGEST_TRAINING = max(config["interpolation"]["tikhonov"]["epochs"])

FIGURES["interpolation_stages"] = Figure(
    topic="Interpolation",
    tables={"stages": "results/tables/interpolation_stages.csv"},
)
FIGURES["interpolation_attention"] = Figure(
    topic="Interpolation",
    tables={"attention": "results/tables/interpolation_attention.csv"},
)
FIGURES["interpolation_blocks"] = Figure(
    topic="Interpolation",
    tables={"blocks": "results/tables/interpolation_blocks.csv"},
)
FIGURES["interpolation_complexity"] = Figure(
    topic="Interpolation",
    tables={
        "summary": "results/tables/interpolation_summary.csv",
        "reviews": "results/tables/interpolation_reviews.csv",
    },
)
FIGURES["interpolation_precision"] = Figure(
    topic="Interpolation",
    tables={"summary": "results/tables/interpolation_summary.csv"},
)
FIGURES["interpolation_tikhonov"] = Figure(
    topic="Interpolation",
    tables={
        "training": f"results/tables/interpolation_training/{LONGEST_TRAINING}.csv",
        "tikhonov": "results/tables/interpolation_tikhonov.csv",
        "published": "results/tables/interpolation_published.csv",
    },
)

BUILT = {
    "networks": "results/tables/interpolation_networks.csv",
    "reviews": "results/tables/interpolation_reviews.csv",
}

CLAIMS["IN-1"] = Claim(
    topic="interpolation", tables=BUILT, figure="interpolation_complexity"
)
CLAIMS["IN-2"] = Claim(
    topic="interpolation", tables=BUILT, figure="interpolation_complexity"
)
CLAIMS["IN-3"] = Claim(
    topic="interpolation", tables=BUILT, figure="interpolation_stages"
)
CLAIMS["IN-4"] = Claim(
    topic="interpolation", tables=BUILT, figure="interpolation_attention"
)
CLAIMS["IN-5"] = Claim(
    topic="interpolation", tables={}, figure="interpolation_tikhonov"
)
CLAIMS["IN-6"] = Claim(
    topic="interpolation", tables={}, figure="interpolation_tikhonov"
)
CLAIMS["IN-7"] = Claim(
    topic="interpolation", tables=BUILT, figure="interpolation_complexity"
)
