"""The claims FW-1 to FW-13 as statements: hypotheses, families of trials, conclusions and amendments."""

from hardmax.frank_wolfe.statements.cells import FW5, FW6
from hardmax.frank_wolfe.statements.descent import FW3
from hardmax.frank_wolfe.statements.flow import FW12
from hardmax.frank_wolfe.statements.gap import FW13
from hardmax.frank_wolfe.statements.limits import FW8
from hardmax.frank_wolfe.statements.lines import FW7
from hardmax.frank_wolfe.statements.owners import FW9, FW10, FW11
from hardmax.frank_wolfe.statements.steps import FW1, FW2, FW4

STATEMENTS = {each.claim: each for each in (FW1, FW2, FW3, FW4, FW5, FW6, FW7, FW8, FW9, FW10, FW11, FW12, FW13)}
