"""What people and classifiers said, counted once and met by item."""

from headcount.counting import Groups, ItemCounts, Patterns, group_rows
from headcount.counting.size import ENOUGH
from headcount.data.answers import Answers, Named
from headcount.data.calibration import calibrate
from headcount.data.judged import (
    Classifier,
    Judged,
    PredictedItems,
    judge,
    judge_grouped,
    predicted_decisions,
    predicted_items,
)
from headcount.data.labels import Labels
from headcount.data.predictions import Predictions
from headcount.data.rating_limit import Block, enough, enough_of, full_block
from headcount.data.rating_limit import told as told_enough
from headcount.data.ratings import Ratings
from headcount.data.scale import Kind, Nearness, Scale
from headcount.data.study import Study, as_predictions, as_ratings, as_study

__all__ = [
    "ENOUGH",
    "Answers",
    "Block",
    "Classifier",
    "Groups",
    "ItemCounts",
    "Judged",
    "Kind",
    "Labels",
    "Named",
    "Nearness",
    "Patterns",
    "PredictedItems",
    "Predictions",
    "Ratings",
    "Scale",
    "Study",
    "as_predictions",
    "as_ratings",
    "as_study",
    "calibrate",
    "enough",
    "enough_of",
    "full_block",
    "group_rows",
    "judge",
    "judge_grouped",
    "predicted_decisions",
    "predicted_items",
    "told_enough",
]
