from hardmax.audit import notes
from hardmax.audit.published import load_published, needed, tables_of
from hardmax.audit.site import PAGES

PUBLISHED = load_published()
NOTES = notes.load_notes()


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
        mem_mb=growing(1000),
        runtime=growing(5),
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
        mem_mb=growing(1000),
        runtime=growing(5),
    message:
        "The ledger of claims"
    script:
        "../scripts/ledger.py"


rule published:
    input:
        tables=tables_of(PUBLISHED),
        values=package_file("published.yaml"),
        code=modules("hardmax.audit.published"),
    output:
        table="results/audit/published.csv",
        card="results/audit/published.card.json",
    log:
        "results/logs/published.log",
    benchmark:
        "results/benchmarks/published.tsv"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        values=needed(PUBLISHED, config),
    message:
        "Published values beside ours"
    script:
        "../scripts/published.py"


rule site:
    input:
        claims="results/audit/claims.csv",
        amendments="results/audit/amendments.csv",
        published="results/audit/published.csv",
        counterexamples="results/audit/counterexamples",
        falsification=expand(
            "results/tables/falsification/{claim}.csv", claim=falsified(CLAIMS)
        ),
        data="results/tables/data_card.json",
        figures=[file for name in FIGURES for file in figure_files(name)],
        tables=sorted(
            {table for figure in FIGURES.values() for table in figure.tables.values()}
        ),
        notes_tables=notes.tables_of(NOTES),
        notes=package_file("audit/notes.yaml"),
        templates=package_files("audit/templates"),
        code=modules(
            "hardmax.audit.site",
            *sorted(
                {
                    f"hardmax.{CLAIMS[claim].topic}.statements"
                    for claim in falsified(CLAIMS)
                }
            ),
        ),
    output:
        ledger=report(
            "results/audit/ledger.html",
            caption="../report/ledger.rst",
            category="Ledger",
        ),
        configuration="results/audit/configuration.yaml",
        pages=expand("results/audit/{page}.html", page=PAGES),
        figures=directory("results/audit/figures"),
        claims=directory("results/audit/claims"),
    log:
        "results/logs/site.log",
    benchmark:
        "results/benchmarks/site.tsv"
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(10),
    params:
        figures={
            name: figure._asdict() | {"caption": caption(name)}
            for name, figure in FIGURES.items()
        },
        claims={name: claim._asdict() for name, claim in CLAIMS.items()},
        config=configuration_file(),
        values=config,
    message:
        "The site of the audit: {output.pages[0]}"
    script:
        "../scripts/site.py"


rule tables:
    input:
        published_tables(),


rule figures:
    input:
        [file for name in FIGURES for file in figure_files(name)],


rule audit:
    input:
        rules.site.output,
        rules.published.output,
        "results/audit/counterexamples",
