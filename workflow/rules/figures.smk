STILL = [name for name, figure in FIGURES.items() if not figure.animation]
MOVING = [name for name, figure in FIGURES.items() if figure.animation]


rule figure:
    input:
        unpack(lambda wildcards: FIGURES[wildcards.figure].tables),
        code=lambda wildcards: modules(f"hardmax.figures.{wildcards.figure}"),
    output:
        pdf="results/figures/{figure}.pdf",
        png=report(
            "results/figures/{figure}.png",
            caption="../report/figure.rst",
            category=lambda wildcards: FIGURES[wildcards.figure].topic,
            labels={"figure": "{figure}"},
        ),
        card="results/figures/{figure}.card.json",
    log:
        "results/logs/figure/{figure}.log",
    benchmark:
        "results/benchmarks/figure/{figure}.tsv"
    wildcard_constraints:
        figure=any_of(STILL),
    group:
        "figures"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        caption=lambda wildcards: caption(wildcards.figure),
    message:
        "Figure {wildcards.figure}"
    script:
        "../scripts/figure.py"


rule animation:
    input:
        unpack(lambda wildcards: FIGURES[wildcards.figure].tables),
        code=lambda wildcards: modules(f"hardmax.figures.{wildcards.figure}"),
    output:
        gif=report(
            "results/figures/{figure}.gif",
            caption="../report/figure.rst",
            category=lambda wildcards: FIGURES[wildcards.figure].topic,
            labels={"figure": "{figure}"},
        ),
        card="results/figures/{figure}.card.json",
    log:
        "results/logs/figure/{figure}.log",
    benchmark:
        "results/benchmarks/figure/{figure}.tsv"
    wildcard_constraints:
        figure=any_of(MOVING),
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(15),
    params:
        caption=lambda wildcards: caption(wildcards.figure),
    message:
        "Animation {wildcards.figure}"
    script:
        "../scripts/animation.py"
