"""What people and classifiers said, counted once and met by item."""

from headcount.data.answers import Answers
from headcount.data.block import Block, full_block
from headcount.data.calibration import calibrate
from headcount.data.judged import Classifier, Judged, judge, judge_grouped
from headcount.data.labels import Labels
from headcount.data.patterns import ItemCounts, Patterns
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings

__all__ = [
    "Answers",
    "Block",
    "Classifier",
    "ItemCounts",
    "Judged",
    "Labels",
    "Patterns",
    "Predictions",
    "Ratings",
    "calibrate",
    "full_block",
    "judge",
    "judge_grouped",
]
