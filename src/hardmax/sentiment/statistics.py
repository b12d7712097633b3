"""Tables over the test reviews: agreement of softmax and hardmax, leaders, clusters, accuracy."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from hardmax.sentiment.estimates import mean, ratio, share

RUN = ["dim", "seed", "epoch"]


def _runs(reviews: pd.DataFrame, last: bool = True) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Each run's reviews with its dim, seed and epoch; at its last epoch, or at all epochs."""
    for (dim, seed), run in reviews.groupby(["dim", "seed"], sort=True):
        epochs = sorted(run["epoch"].unique())
        for epoch in epochs[-1:] if last else epochs:
            yield {"dim": dim, "seed": seed, "epoch": epoch}, run[run["epoch"] == epoch]


def _cross_entropy(logit: pd.Series, label: pd.Series) -> np.ndarray:
    return np.logaddexp(0, np.where(label == 1, -logit, logit))


def agreement(reviews: pd.DataFrame) -> pd.DataFrame:
    """SE-2: predictions and loss of the softmax and the hardmax version on the same test reviews, at the same weights."""
    rows = []
    for run, table in _runs(reviews, last=False):
        soft, hard = table["softmax"], table["hardmax"]
        label = table["label"]
        equal = share(int(((soft > 0) == (hard > 0)).sum()), len(table))
        losses = _cross_entropy(soft, label), _cross_entropy(hard, label)
        difference = mean(losses[1] - losses[0])
        rows.append(
            run
            | {
                "reviews": len(table),
                "agreeing": int(((soft > 0) == (hard > 0)).sum()),
                "agreement": equal.value,
                "agreement_low": equal.low,
                "agreement_high": equal.high,
                "softmax_loss": float(losses[0].mean()),
                "hardmax_loss": float(losses[1].mean()),
                "difference": difference.value,
                "difference_low": difference.low,
                "difference_high": difference.high,
                "largest_logit_difference": float((soft - hard).abs().max()),
                "softmax_accuracy": float(((soft > 0) == (label == 1)).mean()),
                "hardmax_accuracy": float(((hard > 0) == (label == 1)).mean()),
            }
        )
    return pd.DataFrame(rows)


def leaders(reviews: pd.DataFrame) -> pd.DataFrame:
    """SE-4: leaders a review, by the paper's text, by the published script, and with each of the script's changes alone.

    The script applies one layer more, uses the weights of another epoch, and counts padding.
    """
    rows = []
    for (dim, seed), run in reviews.groupby(["dim", "seed"], sort=True):
        last, other = run["epoch"].max(), run["epoch"].min()
        for definition, epoch, when, padding in (
            ("paper", last, "last", False),
            ("one layer more", last, "more", False),
            ("other epoch", other, "last", False),
            ("padding counted", last, "last", True),
            ("script", other, "more", True),
        ):
            table = run[run["epoch"] == epoch]
            count, stayed = table[f"leaders_{when}"], table[f"stayed_{when}"]
            if not padding:
                count = count - table[f"padding_{when}"]
                stayed = stayed - table["stayed_padding"]
            average, kept = mean(count.to_numpy()), ratio(stayed.to_numpy(), count.to_numpy())
            rows.append(
                {
                    "dim": dim,
                    "seed": seed,
                    "definition": definition,
                    "epoch": epoch,
                    "reviews": len(table),
                    "mean": average.value,
                    "mean_low": average.low,
                    "mean_high": average.high,
                    "std": float(count.std(ddof=1)) if len(count) > 1 else 0.0,
                    "minimum": int(count.min()),
                    "maximum": int(count.max()),
                    "from_start": kept.value,
                    "from_start_low": kept.low,
                    "from_start_high": kept.high,
                }
            )
    return pd.DataFrame(rows)


def clusters(reviews: pd.DataFrame, tolerances: Sequence[float]) -> pd.DataFrame:
    """SE-5: clusters a review after the last hardmax layer against its distinct tokens, for each linking tolerance."""
    rows = []
    for run, table in _runs(reviews):
        for number, tolerance in enumerate(tolerances, 1):
            count = table[f"clusters_{number}"].to_numpy()
            average, of_tokens = mean(count), ratio(count, table["tokens"].to_numpy())
            low, middle, high = np.quantile(count, [0.05, 0.5, 0.95])
            rows.append(
                run
                | {
                    "tolerance": tolerance,
                    "reviews": len(table),
                    "tokens": float(table["tokens"].mean()),
                    "clusters": average.value,
                    "clusters_low": average.low,
                    "clusters_high": average.high,
                    "quantile_5": float(low),
                    "median": float(middle),
                    "quantile_95": float(high),
                    "share": of_tokens.value,
                    "share_low": of_tokens.low,
                    "share_high": of_tokens.high,
                }
            )
    return pd.DataFrame(rows)


def accuracy(history: pd.DataFrame, train_reviews: int, reviews: int, batch: int) -> pd.DataFrame:
    """SE-1: best and last test accuracy of each run, with Clopper and Pearson's intervals over the test reviews.

    Args:
        history: of all runs, in `hardmax.sentiment.training.COLUMNS`.
        train_reviews, reviews: numbers of training and of test reviews.
        batch: reviews a step.
    """
    rows = []
    for (dim, seed), run in history.groupby(["dim", "seed"], sort=True):
        best, last = run.loc[run["test_accuracy"].idxmax()], run.loc[run["epoch"].idxmax()]
        row = {"dim": dim, "seed": seed, "reviews": reviews, "steps": ceil(train_reviews / batch), "epochs": len(run)}
        row |= {"best_epoch": int(best["epoch"])}
        for when, found in (("best", best), ("last", last)):
            estimate = share(round(found["test_accuracy"] * reviews), reviews)
            row |= {f"{when}_accuracy": estimate.value, f"{when}_low": estimate.low, f"{when}_high": estimate.high}
        rows.append(row | {"last_train_accuracy": float(last["train_accuracy"])})
    return pd.DataFrame(rows)


def variants(histories: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Each run's last epoch, by variant: what the published script does otherwise, against the paper's text.

    Args:
        histories: name of the run, `<variant>_...`, -> its history.

    Columns: variant, dim, seed, epoch, train_loss, train_accuracy, test_loss, test_accuracy, alpha, alpha_least (over the epochs),
    difference (of test accuracy, variant minus the paper's run of the same dim and seed; 0 for the paper's own).
    """
    rows = []
    for name, history in histories.items():
        last = history.loc[history["epoch"].idxmax()]
        measured = ["train_loss", "train_accuracy", "test_loss", "test_accuracy", "alpha"]
        rows.append(
            {"variant": name.split("_")[0]}
            | {key: int(last[key]) for key in RUN}
            | {key: float(last[key]) for key in measured}
            | {"alpha_least": float(history["alpha"].min())}
        )
    table = pd.DataFrame(rows)
    paper = table[table["variant"] == "paper"].set_index(["dim", "seed"])["test_accuracy"]
    keys = pd.MultiIndex.from_frame(table[["dim", "seed"]])
    return table.assign(difference=table["test_accuracy"].to_numpy() - paper.reindex(keys).to_numpy())
