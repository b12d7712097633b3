"""Energies of tokens beside the bound of FW-3."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.rates import energies

with job(snakemake) as j:
    j.save("table", energies(j.stream(), **j.params))
