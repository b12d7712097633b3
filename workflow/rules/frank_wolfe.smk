rule frank_wolfe_shapes:
    input:
        code=modules("hardmax.frank_wolfe.polytopes"),
    output:
        table="results/tables/frank_wolfe_shapes.csv",
        card="results/tables/frank_wolfe_shapes.card.json",
    log:
        "results/logs/frank_wolfe_shapes.log",
    benchmark:
        "results/benchmarks/frank_wolfe_shapes.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        **config["frank_wolfe"]["shapes"],
        seed=config["seed"],
    message:
        "Polytopes in the plane and their cells"
    script:
        "../scripts/frank_wolfe_shapes.py"


rule frank_wolfe_paths:
    input:
        code=modules("hardmax.frank_wolfe.paths"),
    output:
        table="results/tables/frank_wolfe_paths.csv",
        card="results/tables/frank_wolfe_paths.card.json",
    log:
        "results/logs/frank_wolfe_paths.log",
    benchmark:
        "results/benchmarks/frank_wolfe_paths.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        **config["frank_wolfe"]["paths"],
        seed=config["seed"],
    message:
        "Trajectories inside fixed cells"
    script:
        "../scripts/frank_wolfe_paths.py"


rule frank_wolfe_moving:
    input:
        code=modules("hardmax.frank_wolfe.paths"),
    output:
        table="results/tables/frank_wolfe_moving.csv",
        card="results/tables/frank_wolfe_moving.card.json",
    log:
        "results/logs/frank_wolfe_moving.log",
    benchmark:
        "results/benchmarks/frank_wolfe_moving.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        **config["frank_wolfe"]["moving"],
        seed=config["seed"],
    message:
        "A cloud and its cells, step by step"
    script:
        "../scripts/frank_wolfe_moving.py"


rule frank_wolfe_distances:
    input:
        code=modules("hardmax.frank_wolfe.rates"),
    output:
        table="results/tables/frank_wolfe_distances.csv",
        card="results/tables/frank_wolfe_distances.card.json",
    log:
        "results/logs/frank_wolfe_distances.log",
    benchmark:
        "results/benchmarks/frank_wolfe_distances.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        steps=config["frank_wolfe"]["rates"]["distance_steps"],
    message:
        "Distance to the vertex under four schedules"
    script:
        "../scripts/frank_wolfe_distances.py"


rule frank_wolfe_energies:
    input:
        code=modules("hardmax.frank_wolfe.rates"),
    output:
        table="results/tables/frank_wolfe_energies.csv",
        card="results/tables/frank_wolfe_energies.card.json",
    log:
        "results/logs/frank_wolfe_energies.log",
    benchmark:
        "results/benchmarks/frank_wolfe_energies.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        seed=config["seed"],
        steps=config["frank_wolfe"]["rates"]["energy_steps"],
    message:
        "Energies beside the bound of FW-3"
    script:
        "../scripts/frank_wolfe_energies.py"


rule frank_wolfe_ownership:
    input:
        code=modules("hardmax.frank_wolfe.probabilities"),
    output:
        table="results/tables/frank_wolfe_ownership.csv",
        card="results/tables/frank_wolfe_ownership.card.json",
    log:
        "results/logs/frank_wolfe_ownership.log",
    benchmark:
        "results/benchmarks/frank_wolfe_ownership.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(20),
    params:
        **config["frank_wolfe"]["ownership"],
        seed=config["seed"],
    message:
        "Probability that vertices own their cells"
    script:
        "../scripts/frank_wolfe_ownership.py"


rule frank_wolfe_checks:
    input:
        code=modules("hardmax.frank_wolfe.checks"),
    output:
        table="results/tables/frank_wolfe_checks.csv",
        card="results/tables/frank_wolfe_checks.card.json",
    log:
        "results/logs/frank_wolfe_checks.log",
    benchmark:
        "results/benchmarks/frank_wolfe_checks.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        **config["frank_wolfe"]["checks"],
        seed=config["seed"],
    message:
        "Linear programs, diagonal V and the flow"
    script:
        "../scripts/frank_wolfe_checks.py"


for name in [
    "cells_equal",
    "cells_hull_raw",
    "cells_hull_normalised",
    "cells_free_raw",
    "cells_free_normalised",
    "ellipse",
    "dominance",
]:
    FIGURES[f"frank_wolfe_{name}"] = Figure(
        topic="Frank-Wolfe",
        tables={"shapes": "results/tables/frank_wolfe_shapes.csv"},
    )
FIGURES["frank_wolfe_paths"] = Figure(
    topic="Frank-Wolfe",
    tables={"paths": "results/tables/frank_wolfe_paths.csv"},
)
FIGURES["frank_wolfe_distances"] = Figure(
    topic="Frank-Wolfe",
    tables={"distances": "results/tables/frank_wolfe_distances.csv"},
)
FIGURES["frank_wolfe_energies"] = Figure(
    topic="Frank-Wolfe",
    tables={"energies": "results/tables/frank_wolfe_energies.csv"},
)
FIGURES["frank_wolfe_ownership"] = Figure(
    topic="Frank-Wolfe",
    tables={"ownership": "results/tables/frank_wolfe_ownership.csv"},
)
FIGURES["frank_wolfe_moving_cells"] = Figure(
    topic="Frank-Wolfe",
    tables={"moving": "results/tables/frank_wolfe_moving.csv"},
    animation=True,
)

CLAIMS["FW-1"] = Claim(
    topic="frank_wolfe",
    tables={"frank_wolfe_checks": "results/tables/frank_wolfe_checks.csv"},
    figure="frank_wolfe_energies",
)
CLAIMS["FW-2"] = Claim(
    topic="frank_wolfe",
    tables={"frank_wolfe_checks": "results/tables/frank_wolfe_checks.csv"},
    figure="frank_wolfe_moving_cells",
)
CLAIMS["FW-3"] = Claim(topic="frank_wolfe", tables={}, figure="frank_wolfe_energies")
CLAIMS["FW-4"] = Claim(
    topic="frank_wolfe", tables={}, figure="frank_wolfe_moving_cells"
)
CLAIMS["FW-5"] = Claim(
    topic="frank_wolfe", tables={}, figure="frank_wolfe_cells_hull_raw"
)
CLAIMS["FW-6"] = Claim(topic="frank_wolfe", tables={}, figure="frank_wolfe_ellipse")
CLAIMS["FW-7"] = Claim(topic="frank_wolfe", tables={}, figure="frank_wolfe_paths")
CLAIMS["FW-8"] = Claim(
    topic="frank_wolfe",
    tables={"frank_wolfe_distances": "results/tables/frank_wolfe_distances.csv"},
    figure="frank_wolfe_distances",
)
CLAIMS["FW-9"] = Claim(
    topic="frank_wolfe",
    tables={"frank_wolfe_ownership": "results/tables/frank_wolfe_ownership.csv"},
    figure="frank_wolfe_ownership",
)
CLAIMS["FW-10"] = Claim(
    topic="frank_wolfe", tables={}, figure="frank_wolfe_cells_hull_raw"
)
CLAIMS["FW-11"] = Claim(
    topic="frank_wolfe", tables={}, figure="frank_wolfe_cells_hull_raw"
)
CLAIMS["FW-12"] = Claim(
    topic="frank_wolfe",
    tables={"frank_wolfe_checks": "results/tables/frank_wolfe_checks.csv"},
    figure="frank_wolfe_paths",
)
CLAIMS["FW-13"] = Claim(topic="frank_wolfe", tables={}, figure="frank_wolfe_energies")
