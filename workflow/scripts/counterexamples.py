from hardmax.audit.counterexamples import write_counterexamples
from hardmax.audit.job import job

with job(snakemake) as j:
    write_counterexamples(j.read("tables"), j.path("folder"))
