from pathlib import Path

from hardmax.audit.job import job
from hardmax.audit.site import Site

with job(snakemake) as j:
    site = Site(Path.cwd(), schemas=Path(snakemake.scriptdir).parent / "schemas" / "tables", **j.params)
    for name, pages in site.pages().items():
        j.save(name, pages if name != "ledger" else pages["ledger"])
