from hardmax.audit.job import job
from hardmax.data import load_tokens, load_vocabulary
from hardmax.sentiment.reviews import Reviews
from hardmax.sentiment.training import load_classifiers
from hardmax.sentiment.trajectories import decoder_table, trajectories

with job(snakemake) as j:
    test, words = Reviews.of(load_tokens(j.input.tokens), train=False), load_vocabulary(j.input.vocabulary)
    model = load_classifiers(j.input.model)[0]["last"]
    j.save("table", trajectories(model, test, words))
    j.save("decoder", decoder_table(model))
