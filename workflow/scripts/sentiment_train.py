from pathlib import Path

from hardmax.audit.job import job
from hardmax.data import load_tokens, load_vocabulary
from hardmax.randomness import seed_of
from hardmax.sentiment.checkpoint import fingerprint
from hardmax.sentiment.reviews import Reviews
from hardmax.sentiment.training import Settings, train

with job(snakemake) as j:
    dim, seed, variant = int(j.wildcards["dim"]), int(j.wildcards["seed"]), j.params["variant"]
    settings = Settings(**j.params["settings"], nonnegative=variant["nonnegative"])
    tokens, words = load_tokens(j.input.tokens), load_vocabulary(j.input.vocabulary)
    split = [Reviews.of(tokens, part, variant["padding"]) for part in (True, False)]
    seed_drawn = seed_of(j.params["root"], "sentiment_train", dim=dim, seed=seed)  # the same in all variants
    checkpoint, sources = Path(j.params["checkpoint"]), fingerprint(code=[Path(path).read_text() for path in j.input.code])
    trained = train(*split, len(words), dim, settings, seed_drawn, checkpoint, sources)
    j.save("table", trained.table(dim, seed))
    trained.store(j.path("model"), dim=dim, seed=seed, keep=settings.keep)
    checkpoint.unlink(missing_ok=True)
