from hardmax.metastability.sweep import sweep_points

METASTABILITY_POINTS = sweep_points(config["metastability"]["sweep"]["grids"])


rule metastability_point:
    input:
        code=modules("hardmax.metastability.sweep"),
    output:
        table="results/tables/metastability_points/{point}.csv",
        card="results/tables/metastability_points/{point}.card.json",
    log:
        "results/logs/metastability_points/{point}.log",
    benchmark:
        "results/benchmarks/metastability_points/{point}.tsv"
    wildcard_constraints:
        point="[a-z0-9.+-]+",
    group:
        "metastability_points"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        **config["metastability"]["replicas"],
        seed=config["seed"],
        point=lambda wildcards: METASTABILITY_POINTS[wildcards.point],
        spread=config["metastability"]["sweep"]["spread"],
        max_time=config["metastability"]["sweep"]["max_time"],
    message:
        "Exit times at {wildcards.point}"
    script:
        "../scripts/metastability_point.py"


rule metastability_exits:
    input:
        points=expand(
            "results/tables/metastability_points/{point}.csv",
            point=METASTABILITY_POINTS,
        ),
        code=modules("hardmax.metastability.sweep"),
    output:
        table="results/tables/metastability_exits.parquet",
        medians="results/tables/metastability_medians.csv",
        survival="results/tables/metastability_survival.csv",
        rates="results/tables/metastability_rates.csv",
        card="results/tables/metastability_exits.card.json",
    log:
        "results/logs/metastability_exits.log",
    benchmark:
        "results/benchmarks/metastability_exits.tsv"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        **config["metastability"]["summary"],
        seed=config["seed"],
        spread=config["metastability"]["sweep"]["spread"],
    message:
        "Exit times of the sweep: medians, survival curves and growth rates"
    script:
        "../scripts/metastability_exits.py"


rule metastability_comparison:
    input:
        code=modules("hardmax.metastability.comparison"),
    output:
        table="results/tables/metastability_comparison.csv",
        curves="results/tables/metastability_comparison_curves.csv",
        card="results/tables/metastability_comparison.card.json",
    log:
        "results/logs/metastability_comparison.log",
    benchmark:
        "results/benchmarks/metastability_comparison.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(30),
    params:
        **config["metastability"]["comparison"],
        seed=config["seed"],
    message:
        "Exit times from event to event against step by step"
    script:
        "../scripts/metastability_comparison.py"


rule metastability_clustering:
    input:
        code=modules("hardmax.metastability.clustering"),
    output:
        table="results/tables/metastability_clustering.csv",
        trials="results/tables/metastability_clustering_trials.csv",
        card="results/tables/metastability_clustering.card.json",
    log:
        "results/logs/metastability_clustering.log",
    benchmark:
        "results/benchmarks/metastability_clustering.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        **config["metastability"]["clustering"],
        seed=config["seed"],
    message:
        "The clustering phase up to T1"
    script:
        "../scripts/metastability_clustering.py"


rule metastability_lifetimes:
    input:
        code=modules("hardmax.metastability.lifetimes"),
    output:
        table="results/tables/metastability_lifetimes.csv",
        card="results/tables/metastability_lifetimes.card.json",
    log:
        "results/logs/metastability_lifetimes.log",
    benchmark:
        "results/benchmarks/metastability_lifetimes.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        **config["metastability"]["lifetimes"],
        seed=config["seed"],
    message:
        "Times until everything is at one place, and until hardmax no longer describes the tokens"
    script:
        "../scripts/metastability_lifetimes.py"


rule metastability_occupation:
    input:
        code=modules("hardmax.metastability.occupation"),
    output:
        table="results/tables/metastability_occupation.csv",
        card="results/tables/metastability_occupation.card.json",
    log:
        "results/logs/metastability_occupation.log",
    benchmark:
        "results/benchmarks/metastability_occupation.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        **config["metastability"]["occupation"],
        seed=config["seed"],
    message:
        "One replica from clusters to one place"
    script:
        "../scripts/metastability_occupation.py"


FIGURES["metastability_survival"] = Figure(
    topic="Metastability",
    tables={
        "survival": "results/tables/metastability_survival.csv",
        "curves": "results/tables/metastability_comparison_curves.csv",
        "comparison": "results/tables/metastability_comparison.csv",
    },
)
FIGURES["metastability_medians"] = Figure(
    topic="Metastability",
    tables={"medians": "results/tables/metastability_medians.csv"},
)
FIGURES["metastability_rates"] = Figure(
    topic="Metastability",
    tables={"rates": "results/tables/metastability_rates.csv"},
)
FIGURES["metastability_clustering"] = Figure(
    topic="Metastability",
    tables={
        "success": "results/tables/metastability_clustering.csv",
        "trials": "results/tables/metastability_clustering_trials.csv",
    },
)
FIGURES["metastability_lifetimes"] = Figure(
    topic="Metastability",
    tables={"lifetimes": "results/tables/metastability_lifetimes.csv"},
)
FIGURES["metastability_occupation"] = Figure(
    topic="Metastability",
    tables={"occupation": "results/tables/metastability_occupation.csv"},
)
FIGURES["metastability_film"] = Figure(
    topic="Metastability",
    tables={"occupation": "results/tables/metastability_occupation.csv"},
    animation=True,
)

CLAIMS["MS-1"] = Claim(
    topic="metastability", tables={}, figure="metastability_lifetimes"
)
CLAIMS["MS-2"] = Claim(
    topic="metastability",
    tables={"clustering_trials": "results/tables/metastability_clustering_trials.csv"},
    figure="metastability_clustering",
)
CLAIMS["MS-3"] = Claim(
    topic="metastability",
    tables={
        "rates": "results/tables/metastability_rates.csv",
        "survival": "results/tables/metastability_survival.csv",
        "comparison": "results/tables/metastability_comparison.csv",
    },
    figure="metastability_survival",
)
CLAIMS["MS-4"] = Claim(topic="metastability", tables={}, figure="metastability_rates")
CLAIMS["MS-5"] = Claim(
    topic="metastability", tables={}, figure="metastability_lifetimes"
)
