from hardmax.audit.job import job
from hardmax.metastability.sweep import exits_at

with job(snakemake) as j:
    j.save("table", exits_at(j.seed(), **j.params))
