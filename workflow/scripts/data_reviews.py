from hardmax.audit.job import job
from hardmax.data import data_card, prepare, read_reviews, token_table, vocabulary_table

with job(snakemake) as j:
    p = j.params
    raw = read_reviews(p["source"], p["path"])
    prepared = prepare(raw, j.stream(), reviews=p["reviews"], train_share=p["train_share"], threads=j.threads)
    j.save("tokens", token_table(prepared, p["positions"]))
    j.save("vocabulary", vocabulary_table(prepared.vocabulary))
    j.save("data_card", data_card(raw, prepared, p["positions"]))
