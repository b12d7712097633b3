"""The claims FW-1 to FW-13 as statements: hypotheses, families of trials, conclusions and amendments."""

from hardmax.frank_wolfe.statements.cells import FW5, FW6, FW9, FW10, FW11
from hardmax.frank_wolfe.statements.descent import FW3, FW13
from hardmax.frank_wolfe.statements.lines import FW7, FW8, FW12
from hardmax.frank_wolfe.statements.steps import FW1, FW2, FW4

STATEMENTS = {each.claim: each for each in (FW1, FW2, FW3, FW4, FW5, FW6, FW7, FW8, FW9, FW10, FW11, FW12, FW13)}
