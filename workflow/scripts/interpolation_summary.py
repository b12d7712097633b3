from hardmax.audit.job import job
from hardmax.interpolation.summary import summarise

with job(snakemake) as j:
    j.save("table", summarise(j.read("networks")))
