from hardmax.audit.job import job
from hardmax.interpolation.published import published_losses

with job(snakemake) as j:
    j.save("table", published_losses())
