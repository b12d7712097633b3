from importlib import import_module

from hardmax.audit.formats import read
from hardmax.audit.job import job
from hardmax.figures.animation import gif

with job(snakemake) as j:
    tables = {name: read(path) for name, path in j.input.items() if name != "code"}
    module = import_module(f"hardmax.figures.{j.wildcards['figure']}")
    j.save("gif", gif(module.frames(**tables), getattr(module, "SECONDS_A_FRAME", 0.2)))
