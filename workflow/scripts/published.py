from hardmax.audit.formats import read
from hardmax.audit.job import job
from hardmax.audit.published import compare, load_published

with job(snakemake) as j:
    j.save("table", compare(load_published(j.input["values"]), read, j.params["values"]))
