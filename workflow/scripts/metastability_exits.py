import pandas as pd

from hardmax.audit.job import job
from hardmax.metastability.sweep import medians, rates, survival_curves

with job(snakemake) as j:
    p = j.params
    exits = pd.concat(j.read("points"), ignore_index=True)
    j.save("table", exits)
    j.save("medians", medians(exits, p["spread"]))
    j.save("survival", survival_curves(exits, p["spread"], p["points"]))
    j.save("rates", rates(exits, j.stream(), fit_from=p["fit_from"], resamples=p["resamples"]))
