"""MS-5: how long hardmax stands for finite inverse temperature."""

import math

import numpy as np

from hardmax.falsify import Instances, Rate, Statement
from hardmax.metastability.approximation import chain_deviation, mean_deviation
from hardmax.metastability.bounds import paper_rate
from hardmax.metastability.collapse import collapse
from hardmax.metastability.exit_times import LAST_TIME
from hardmax.metastability.families import both_processes
from hardmax.metastability.setup import CLUSTERING
from hardmax.metastability.statements.trials import PAPER, chain_of, fails_none, setup_of, trials


def _stay_together(instances: Instances) -> Rate:
    events, bounds = [], []
    for t in trials(instances):
        setup, chain = setup_of(t), chain_of(t)
        if t["process"]:
            log_time = mean_deviation(collapse(chain), setup.vertices, t["gamma"], t["epsilon"])
        else:
            rng = np.random.default_rng(int(t["seed"]))
            log_time = math.log(chain_deviation(chain, setup.vertices, t["epsilon"], LAST_TIME, rng))
        events.append(log_time >= t["beta"] * paper_rate(setup.c0, t["epsilon"] / t["gamma"]))
        bounds.append(1 - t["beta"] ** (-1 / 8))
    return Rate(np.array(events), ">=", np.array(bounds))


MS5 = Statement(
    claim="MS-5",
    paper=PAPER,
    text="Hardmax dynamics approximate the finite-beta process over times exponential in beta: within epsilon up to "
    "exp(beta (c0/2) r/(1 + r)) with probability at least 1 - beta^(-1/8).",
    families={"(SA_P)": both_processes(0.0), "(SA_beta)": both_processes(1.0)},
    hypotheses={"equal norms, acute cones, c0 > 0, other tokens deep in the admissible region": fails_none(CLUSTERING)},
    conclusion=_stay_together,
    chunk=25,
)
