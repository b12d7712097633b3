from hardmax.audit.job import job
from hardmax.clustering.followed_geometry import followed_sets_picture

with job(snakemake) as j:
    j.save("table", followed_sets_picture())
