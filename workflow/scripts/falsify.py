"""Search for counterexamples to one claim and to its amendments."""

from hardmax.audit.job import job
from hardmax.claims.statements import statement
from hardmax.falsify import falsify

with job(snakemake) as j:
    j.save("table", falsify(statement(j.wildcards["claim"]), j.stream(), **j.params))
