"""What classifiers said: reading, checking, and meeting the ratings."""

from headcount.predictions.judged import Classifier, Judged

__all__ = ["Classifier", "Judged"]
