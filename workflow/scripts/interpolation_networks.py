from hardmax.audit.job import job
from hardmax.interpolation.experiments import networks

with job(snakemake) as j:
    j.save("table", networks(j.stream(), **j.params))
