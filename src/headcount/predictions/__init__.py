"""What classifiers said: reading, checking, and meeting the ratings."""

from headcount.predictions.calibration import calibrate
from headcount.predictions.judged import Classifier, Judged, judge, judge_grouped
from headcount.predictions.predictions import Predictions

__all__ = ["Classifier", "Judged", "Predictions", "calibrate", "judge", "judge_grouped"]
