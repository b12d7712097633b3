"""What a linear model on a bag of words reaches on the same split."""

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from hardmax.sentiment.estimates import share
from hardmax.sentiment.reviews import Reviews


def _counts(reviews: Reviews, words: int) -> csr_matrix:
    """Reviews x words; padding is no word."""
    return csr_matrix((reviews.count.astype(np.float64), reviews.word, reviews.start), shape=(len(reviews), words))[:, 1:]


def baseline(train: Reviews, test: Reviews, words: int) -> pd.DataFrame:
    """Logistic regression (ridge penalty, C = 1) on counts and on tf-idf of the words within the review's positions.

    Columns: features, words, train_reviews, test_reviews, train_accuracy, test_accuracy, accuracy_low, accuracy_high, test_loss.
    """
    rows = []
    for features in ("counts", "tf-idf"):
        x, y = _counts(train, words), _counts(test, words)
        if features == "tf-idf":
            transform = TfidfTransformer(sublinear_tf=True).fit(x)
            x, y = transform.transform(x), transform.transform(y)
        model = LogisticRegression(C=1.0, max_iter=300, solver="liblinear", random_state=0).fit(x, train.label)
        right = share(int((model.predict(y) == test.label).sum()), len(test))
        rows.append(
            {
                "features": features,
                "words": words - 1,
                "train_reviews": len(train),
                "test_reviews": len(test),
                "train_accuracy": float(model.score(x, train.label)),
                "test_accuracy": right.value,
                "accuracy_low": right.low,
                "accuracy_high": right.high,
                "test_loss": float(log_loss(test.label, model.predict_proba(y)[:, 1])),
            }
        )
    return pd.DataFrame(rows)
