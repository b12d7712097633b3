import pandas as pd

from hardmax.audit.job import job
from hardmax.data import load_tokens, load_vocabulary
from hardmax.sentiment.leaders import leader_tokens, review_table
from hardmax.sentiment.reviews import Reviews
from hardmax.sentiment.statistics import agreement, clusters, leaders
from hardmax.sentiment.training import load_classifiers
from hardmax.sentiment.words import lexicon_table, word_table

with job(snakemake) as j:
    test, words, p = Reviews.of(load_tokens(j.input.tokens), train=False), load_vocabulary(j.input.vocabulary), j.params
    reviews, tokens = [], []
    for path in j.input.models:
        models, facts = load_classifiers(path)
        run = {"dim": facts["dim"], "seed": facts["seed"]}
        for which, model in models.items():
            epoch = facts["epochs"] - 1 if which == "last" else facts["keep"]
            reviews.append(review_table(model, test, p["tolerances"]).assign(**run, epoch=epoch))
        rng = j.stream("random tokens", f"{run['dim']}", f"{run['seed']}")
        tokens.append(leader_tokens(models["last"], test, rng).assign(**run))
    table, tokens = pd.concat(reviews, ignore_index=True), pd.concat(tokens, ignore_index=True)
    j.save("table", table[["dim", "seed", "epoch", *table.columns[:-3]]])
    j.save("agreement", agreement(table))
    j.save("leaders", leaders(table))
    j.save("clusters", clusters(table, p["tolerances"]))
    j.save("lexicon", lexicon_table(table, tokens, words, p["confidence"]))
    j.save("words", word_table(table, tokens, words, p["confidence"], p["top"], p["named"]))
