from hardmax.audit.job import job
from hardmax.metastability.lifetimes import lifetimes

with job(snakemake) as j:
    j.save("table", lifetimes(j.stream(), **j.params))
