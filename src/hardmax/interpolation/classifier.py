"""A classifier in scikit-learn's manner that is exact on its training data by construction."""

from collections.abc import Collection

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hardmax.errors import InputError
from hardmax.interpolation.build import interpolate
from hardmax.interpolation.certificate import final_points


class ExactSequenceClassifier(ClassifierMixin, BaseEstimator):
    """Transformer that sends every training sequence to the point that stands for its label.

    Class c, in sorted order, is the point (c, 0, ..., 0). Prediction evaluates the network in rational arithmetic, so the
    training score is 1 whatever the conditioning; a new sequence gets the class nearest to the mean of its images.

    Attributes:
        classes_, network_, depth_, n_parameters_, n_features_in_: set by `fit`.
    """

    def __init__(self, construction: str = "compact", seed: int = 0):
        self.construction = construction
        self.seed = seed

    def fit(self, X: Collection, y: Collection) -> "ExactSequenceClassifier":
        """Build the network for the sequences X, a list of (n_j, d) arrays, and their labels.

        Raises:
            InputError: as `interpolate`.
        """
        if len(X) != len(y):
            raise InputError(f"y: expected {len(X)} labels, one for each sequence, found {len(y)}")
        if len(y) == 0:
            raise InputError("sequences: expected at least one, found none")
        self.classes_, labels = np.unique(np.asarray(y), return_inverse=True)
        self.network_ = interpolate(X, labels.tolist(), construction=self.construction, seed=self.seed)
        self.depth_ = self.network_.depth
        self.n_parameters_ = self.network_.parameter_count
        self.n_features_in_ = self.network_.dimension
        return self

    def predict(self, X: Collection) -> np.ndarray:
        """The label of each sequence."""
        check_is_fitted(self, "network_")
        images = final_points(self.network_, X)[:, 0]
        nearest = np.clip(np.rint(images), 0, len(self.classes_) - 1).astype(int)
        return self.classes_[nearest]
