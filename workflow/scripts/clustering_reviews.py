from hardmax.audit.job import job
from hardmax.clustering.reviews import review_clusters

with job(snakemake) as j:
    j.save("table", review_clusters(j.input.tokens, j.stream(), **j.params))
