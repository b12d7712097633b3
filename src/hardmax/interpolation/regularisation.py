"""Least losses of the Tikhonov experiment against the weight decay, with thresholds and intervals over repetitions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hardmax.intervals import mean_interval


def least_losses(runs: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One row a length of training and weight decay w, over repetitions.

    Losses are geometric means with 95 % t-intervals of their logarithms. `threshold` is w |theta_*|^2, as published;
    `optimiser_threshold` is (w / 2) |theta_*|^2, the one that matches Adam's weight decay; both of the mean |theta_*|^2.
    `slope` is the slope of log least loss against log w at that length, fitted to each repetition over all weight decays.
    """
    table = pd.concat(runs)
    last = table[table["epoch"] == table["epochs"]]
    rows = []
    for epochs, trained in last.groupby("epochs"):
        slope, slope_low, slope_high = mean_interval(_slopes(trained))
        for decay, own in trained.groupby("weight_decay"):
            least, low, high = np.exp(mean_interval(np.log(own["least_loss"].to_numpy())))
            norm = own["target_norm"].mean()
            rows.append(
                {
                    "epochs": epochs,
                    "weight_decay": decay,
                    "repetitions": len(own),
                    "least_loss": least,
                    "least_loss_low": low,
                    "least_loss_high": high,
                    "final_loss": float(np.exp(np.log(own["loss"]).mean())),
                    "worst_share": float((own["loss"] / (own["weight_decay"] * own["target_norm"])).max()),
                    "target_norm": norm,
                    "overwritten_norm": own["overwritten_norm"].mean(),
                    "norm": own["norm"].mean(),
                    "threshold": decay * norm,
                    "optimiser_threshold": decay * norm / 2,
                    "slope": slope,
                    "slope_low": slope_low,
                    "slope_high": slope_high,
                }
            )
    return pd.DataFrame(rows)


def _slopes(trained: pd.DataFrame) -> np.ndarray:
    """Slope of log least loss against log weight decay, for each repetition."""
    return np.array(
        [
            np.polyfit(np.log(own["weight_decay"]), np.log(own["least_loss"]), 1)[0] if len(own) > 1 else np.nan
            for _, own in trained.groupby("repetition")
        ]
    )
