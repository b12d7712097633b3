from hardmax.audit.job import job
from hardmax.audit.ledger import ledger

with job(snakemake) as j:
    claims, amendments = ledger(j.read("verdicts"))
    j.save("claims", claims)
    j.save("amendments", amendments)
