from hardmax.audit.job import job
from hardmax.audit.ledger import page

with job(snakemake) as j:
    j.save("html", page(j.read("claims"), j.read("amendments")))
