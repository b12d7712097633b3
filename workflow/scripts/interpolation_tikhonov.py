from hardmax.audit.job import job
from hardmax.interpolation.regularisation import least_losses

with job(snakemake) as j:
    j.save("table", least_losses(j.read("runs")))
