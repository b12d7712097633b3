from hardmax.audit.job import job
from hardmax.data import load_tokens
from hardmax.interpolation.experiments import classify_reviews

with job(snakemake) as j:
    reviews = load_tokens(j.input.tokens)
    j.save("table", classify_reviews(j.stream(), reviews.ids, reviews.labels, **j.params))
