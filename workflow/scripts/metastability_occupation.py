from hardmax.audit.job import job
from hardmax.metastability.occupation import occupation

with job(snakemake) as j:
    j.save("table", occupation(j.stream(), **j.params))
