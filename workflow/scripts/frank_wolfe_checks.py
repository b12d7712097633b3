"""Linear programs, diagonal V and three ways to follow the flow."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.checks import checks

with job(snakemake) as j:
    j.save("table", checks(j.stream(), **j.params))
