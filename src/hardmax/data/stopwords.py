"""English function words, by word class: what the preparation of reviews leaves out.

The list holds the closed word classes of English, which is what the list of NLTK holds too. General lists of the
package index are not close to it: that of `stop-words` has 1,333 entries, `great`, `best` and `year` among them, and
that of scikit-learn has `found`, all of which the paper reports as leaders.
"""

_WORDS = {
    "personal pronouns": "i me you he him she her it we us they them",
    "possessives": "my mine your yours his hers its our ours their theirs",
    "reflexives": "myself yourself himself herself itself ourselves yourselves themselves",
    "articles and demonstratives": "a an the this that these those",
    "question words": "what which who whom whose when where why how",
    "be, have, do": "am is are was were be been being have has had having do does did doing",
    "modal verbs": "can will would could should might must shall",
    "conjunctions": "and or but nor if because as until while than",
    "prepositions": "of at by for with about against between into through during before after above below to from up "
    "down in out on off over under",
    "adverbs of place, time and degree": "again further then once here there now just only so too very",
    "quantifiers": "all any both each few more most other some such same own",
    "negations": "no not",
    "first halves of contractions": "ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan "
    "shouldn wasn weren won wouldn",
    "second halves of contractions": "s t d ll m re ve",
}

STOP_WORDS: frozenset[str] = frozenset(word for words in _WORDS.values() for word in words.split())
"""Lower case; a word of a review is compared in lower case, so that `The` is a stop word too."""
