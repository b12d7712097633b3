"""The claims MS-1 to MS-5 of the paper's section on finite inverse temperature: hypotheses, families, conclusions and amendments."""

from hardmax.metastability.statements.approximation import MS5
from hardmax.metastability.statements.clustering import MS2
from hardmax.metastability.statements.collapse import MS1
from hardmax.metastability.statements.exits import MS3, MS4

STATEMENTS = {statement.claim: statement for statement in (MS1, MS2, MS3, MS4, MS5)}
