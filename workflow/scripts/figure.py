from importlib import import_module

from hardmax.audit.formats import read
from hardmax.audit.job import job

with job(snakemake) as j:
    tables = {name: read(path) for name, path in j.input.items() if name != "code"}
    figure = import_module(f"hardmax.figures.{j.wildcards['figure']}").draw(**tables)
    j.save("pdf", figure)
    j.save("png", figure)
