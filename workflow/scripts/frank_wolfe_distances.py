"""Distance to the vertex for several schedules of step sizes."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.rates import distances

with job(snakemake) as j:
    j.save("table", distances(**j.params))
