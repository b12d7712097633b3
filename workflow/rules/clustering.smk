rule clustering_panels:
    input:
        code=modules("hardmax.clustering.configurations"),
    output:
        table="results/tables/clustering_panels.csv",
        card="results/tables/clustering_panels.card.json",
    log:
        "results/logs/clustering_panels.log",
    benchmark:
        "results/benchmarks/clustering_panels.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        **config["clustering"]["panels"],
        seed=config["seed"],
    message:
        "The four published configurations, layer by layer"
    script:
        "../scripts/clustering_panels.py"


rule clustering_followed_sets:
    input:
        code=modules("hardmax.clustering.followed_geometry"),
    output:
        table="results/tables/clustering_followed_sets.csv",
        card="results/tables/clustering_followed_sets.card.json",
    log:
        "results/logs/clustering_followed_sets.log",
    benchmark:
        "results/benchmarks/clustering_followed_sets.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    message:
        "Geometry of the followed set"
    script:
        "../scripts/clustering_followed_sets.py"


rule clustering_ensembles:
    input:
        code=modules("hardmax.clustering.ensembles"),
    output:
        table="results/tables/clustering_ensembles.csv",
        card="results/tables/clustering_ensembles.card.json",
    log:
        "results/logs/clustering_ensembles.log",
    benchmark:
        "results/benchmarks/clustering_ensembles.tsv"
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(60),
    params:
        seed=config["seed"],
        generic=config["clustering"]["generic"],
        mirrored=config["clustering"]["mirrored"],
    message:
        "Random ensembles of leader averaging"
    script:
        "../scripts/clustering_ensembles.py"


rule clustering_reviews:
    input:
        tokens="results/tables/data_tokens.parquet",
        code=modules("hardmax.clustering.reviews"),
    output:
        table="results/tables/clustering_reviews.csv",
        card="results/tables/clustering_reviews.card.json",
    log:
        "results/logs/clustering_reviews.log",
    benchmark:
        "results/benchmarks/clustering_reviews.tsv"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(60),
    params:
        **config["clustering"]["reviews"],
        seed=config["seed"],
    message:
        "Clusters of real reviews with random embeddings"
    script:
        "../scripts/clustering_reviews.py"


rule clustering_summary:
    input:
        ensembles="results/tables/clustering_ensembles.csv",
        reviews="results/tables/clustering_reviews.csv",
        code=modules("hardmax.clustering.summary"),
    output:
        table="results/tables/clustering_summary.csv",
        card="results/tables/clustering_summary.card.json",
    log:
        "results/logs/clustering_summary.log",
    benchmark:
        "results/benchmarks/clustering_summary.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        alpha=config["clustering"]["reviews"]["alpha"],
    message:
        "Ensembles and reviews summed up, with intervals"
    script:
        "../scripts/clustering_summary.py"


FIGURES["clustering_panels"] = Figure(
    topic="Clustering", tables={"panels": "results/tables/clustering_panels.csv"}
)
FIGURES["clustering_followed_sets"] = Figure(
    topic="Clustering",
    tables={"picture": "results/tables/clustering_followed_sets.csv"},
)
FIGURES["clustering_ensembles"] = Figure(
    topic="Clustering", tables={"summary": "results/tables/clustering_summary.csv"}
)

_ENSEMBLES = {"clustering_ensembles": "results/tables/clustering_ensembles.csv"}
CLAIMS["CL-1"] = Claim(topic="clustering", tables={}, figure="clustering_panels")
CLAIMS["CL-2"] = Claim(topic="clustering", tables={}, figure="clustering_followed_sets")
CLAIMS["CL-3"] = Claim(topic="clustering", tables={}, figure="clustering_panels")
CLAIMS["CL-4"] = Claim(
    topic="clustering", tables=_ENSEMBLES, figure="clustering_ensembles"
)
CLAIMS["CL-5"] = Claim(
    topic="clustering", tables=_ENSEMBLES, figure="clustering_ensembles"
)
CLAIMS["CL-6"] = Claim(topic="clustering", tables={}, figure="clustering_followed_sets")
