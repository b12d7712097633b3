"""Polytopes, cells and level lines."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.polytopes import shapes

with job(snakemake) as j:
    j.save("table", shapes(j.stream(), **j.params))
