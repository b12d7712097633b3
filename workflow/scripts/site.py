from pathlib import Path

from hardmax.audit.job import job
from hardmax.audit.site import Site

with job(snakemake) as j:
    site = Site(Path.cwd(), schemas=Path(snakemake.scriptdir).parent / "schemas" / "tables", notes=Path(j.input.notes), **j.params)
    written = site.pages()
    j.save("pages", written["pages"])
    for name, text in written["alone"].items():
        j.save(name, text)
    for kind in ("figures", "claims"):
        folder = j.path(kind)
        folder.mkdir()
        for name, text in written[kind].items():
            (folder / f"{name}.html").write_text(text, encoding="utf-8")
