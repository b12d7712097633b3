from hardmax.audit.job import job
from hardmax.metastability.clustering import clustering_success, clustering_trials

with job(snakemake) as j:
    trials = clustering_trials(j.stream(), **j.params)
    j.save("trials", trials)
    j.save("table", clustering_success(trials))
