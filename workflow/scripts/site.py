from pathlib import Path

from hardmax.audit.job import job
from hardmax.audit.site import Site

with job(snakemake) as j:
    site = Site(Path.cwd(), schemas=Path(snakemake.scriptdir).parent / "schemas" / "tables", notes=Path(j.input.notes), **j.params)
    written = site.pages()
    for name in ("pages", "figures", "claims"):
        j.save(name, written[name])
    for name, text in written["alone"].items():
        j.save(name, text)
