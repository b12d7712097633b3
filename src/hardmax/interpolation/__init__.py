"""Transformers that interpolate finitely many sequences exactly, built in rational arithmetic, with a certificate."""

from hardmax.interpolation.block import Block
from hardmax.interpolation.build import interpolate
from hardmax.interpolation.certificate import Certificate, certify, float64_error
from hardmax.interpolation.network import Network

__all__ = ["Block", "Certificate", "ExactSequenceClassifier", "Network", "certify", "float64_error", "interpolate"]


def __getattr__(name: str) -> object:
    """The classifier on demand: scikit-learn takes a second to import."""
    if name == "ExactSequenceClassifier":
        from hardmax.interpolation.classifier import ExactSequenceClassifier

        return ExactSequenceClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
