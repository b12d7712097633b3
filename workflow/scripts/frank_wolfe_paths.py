"""Trajectories inside fixed cells."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.paths import straight_paths

with job(snakemake) as j:
    j.save("table", straight_paths(j.stream(), **j.params))
