from hardmax.audit.job import job
from hardmax.clustering.summary import summary

with job(snakemake) as j:
    j.save("table", summary(j.read("ensembles"), j.read("reviews"), **j.params))
