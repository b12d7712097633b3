rule falsify:
    input:
        code=lambda wildcards: modules(
            "hardmax.falsify", f"hardmax.{CLAIMS[wildcards.claim].topic}.statements"
        ),
    output:
        table="results/tables/falsification/{claim}.csv",
        card="results/tables/falsification/{claim}.card.json",
    log:
        "results/logs/falsify/{claim}.log",
    benchmark:
        "results/benchmarks/falsify/{claim}.tsv"
    wildcard_constraints:
        claim=any_of(falsified(CLAIMS)),
    group:
        "falsify"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        seed=config["seed"],
        trials=lambda wildcards: config["falsification"]["claims"].get(
            wildcards.claim, config["falsification"]["trials"]
        ),
    message:
        "Search for counterexamples to {wildcards.claim}"
    script:
        "../scripts/falsify.py"


rule verdicts:
    input:
        falsification=lambda wildcards: expand(
            "results/tables/falsification/{claim}.csv",
            claim=falsified(claims_of(wildcards.topic)),
        ),
        tables=lambda wildcards: sorted(
            {
                table
                for claim in claims_of(wildcards.topic)
                for table in CLAIMS[claim].tables.values()
            }
        ),
        code=lambda wildcards: modules(f"hardmax.claims.{wildcards.topic}"),
    output:
        table="results/audit/verdicts/{topic}.csv",
        card="results/audit/verdicts/{topic}.card.json",
    log:
        "results/logs/verdicts/{topic}.log",
    benchmark:
        "results/benchmarks/verdicts/{topic}.tsv"
    wildcard_constraints:
        topic=any_of(topics()),
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        tables=lambda wildcards: {
            key: table
            for claim in claims_of(wildcards.topic)
            for key, table in CLAIMS[claim].tables.items()
        },
        figures=lambda wildcards: {
            claim: figure_files(CLAIMS[claim].figure)[0]
            for claim in claims_of(wildcards.topic)
        },
    message:
        "Verdicts of {wildcards.topic}"
    script:
        "../scripts/verdicts.py"
