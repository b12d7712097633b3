from hardmax.audit.job import job
from hardmax.sentiment.published import published_curves, published_words

with job(snakemake) as j:
    j.save("table", published_curves())
    j.save("words", published_words())
