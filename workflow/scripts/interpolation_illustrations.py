from hardmax.audit.job import job
from hardmax.interpolation.illustrations import attention, block_maps, stages

with job(snakemake) as j:
    j.save("stages", stages(j.stream("stages")))
    j.save("attention", attention(j.stream("attention"), j.params["temperatures"]))
    j.save("blocks", block_maps(j.stream("stages"), j.params["samples"]))
