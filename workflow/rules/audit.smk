rule counterexamples:
    input:
        tables=expand(
            "results/tables/falsification/{claim}.csv", claim=falsified(CLAIMS)
        ),
        code=modules("hardmax.audit.counterexamples"),
    output:
        folder=directory("results/audit/counterexamples"),
    log:
        "results/logs/counterexamples.log",
    benchmark:
        "results/benchmarks/counterexamples.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Counterexamples, a file each"
    script:
        "../scripts/counterexamples.py"


rule ledger:
    input:
        verdicts=expand("results/audit/verdicts/{topic}.csv", topic=topics()),
        code=modules("hardmax.audit.ledger"),
    output:
        claims="results/audit/claims.csv",
        amendments="results/audit/amendments.csv",
        card=[
            "results/audit/claims.card.json",
            "results/audit/amendments.card.json",
        ],
    log:
        "results/logs/ledger.log",
    benchmark:
        "results/benchmarks/ledger.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "The ledger of claims"
    script:
        "../scripts/ledger.py"


rule ledger_page:
    input:
        claims="results/audit/claims.csv",
        amendments="results/audit/amendments.csv",
        counterexamples="results/audit/counterexamples",
        code=modules("hardmax.audit.ledger"),
    output:
        html=report(
            "results/audit/ledger.html",
            caption="../report/ledger.rst",
            category="Ledger",
        ),
    log:
        "results/logs/ledger_page.log",
    benchmark:
        "results/benchmarks/ledger_page.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "The ledger for people"
    script:
        "../scripts/ledger_page.py"


rule figures:
    input:
        [file for name in FIGURES for file in figure_files(name)],


rule audit:
    input:
        "results/audit/ledger.html",
        "results/audit/counterexamples",
