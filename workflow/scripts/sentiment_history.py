import pandas as pd

from hardmax.audit.job import job
from hardmax.data import load_tokens
from hardmax.sentiment.statistics import accuracy, variants

with job(snakemake) as j:
    split, histories = load_tokens(j.input.tokens).train, j.read("histories")
    history = pd.concat(histories, ignore_index=True)
    j.save("table", history)
    j.save("accuracy", accuracy(history, int(split.sum()), int((~split).sum()), j.params["batch"]))
    j.save("variants", variants(dict(zip(j.params["runs"], [*histories, *j.read("others")], strict=True))))
