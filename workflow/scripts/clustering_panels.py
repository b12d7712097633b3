from hardmax.audit.job import job
from hardmax.clustering.configurations import panels

with job(snakemake) as j:
    j.save("table", panels(j.stream(), **j.params))
