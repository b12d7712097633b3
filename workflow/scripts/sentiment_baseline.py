from hardmax.audit.job import job
from hardmax.data import load_tokens, load_vocabulary
from hardmax.sentiment.baseline import baseline
from hardmax.sentiment.reviews import Reviews

with job(snakemake) as j:
    tokens = load_tokens(j.input.tokens)
    split = [Reviews.of(tokens, part) for part in (True, False)]
    j.save("table", baseline(*split, len(load_vocabulary(j.input.vocabulary))))
