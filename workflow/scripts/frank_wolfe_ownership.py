"""How often Gaussian vertices own their cells."""

from hardmax.audit.job import job
from hardmax.frank_wolfe.probabilities import owning

with job(snakemake) as j:
    j.save("table", owning(j.stream(), **j.params))
