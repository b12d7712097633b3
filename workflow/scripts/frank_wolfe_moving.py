"""A cloud and the cells of its hull, step by step."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.paths import moving_cells

with job(snakemake) as j:
    j.save("table", moving_cells(j.stream(), **j.params))
