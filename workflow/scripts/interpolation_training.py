from hardmax.audit.job import job
from hardmax.interpolation.tikhonov import train

with job(snakemake) as j:
    j.save("table", train(epochs=int(j.wildcards["epochs"]), **j.params))
