from hardmax.audit.job import job
from hardmax.metastability.comparison import both_methods, comparison, comparison_curves

with job(snakemake) as j:
    p = j.params
    level, points = p.pop("level"), p.pop("points")
    exits = both_methods({method: j.seed(method) for method in ("events", "steps")}, **p)
    j.save("table", comparison(exits, level))
    j.save("curves", comparison_curves(exits, points))
