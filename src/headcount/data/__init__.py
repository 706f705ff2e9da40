"""What people and classifiers said, counted once and met by item."""

from headcount.data.answers import Answers
from headcount.data.block import Block, full_block
from headcount.data.calibration import calibrate
from headcount.data.enough import ENOUGH, enough, enough_of
from headcount.data.enough import told as told_enough
from headcount.data.groups import Groups, group_rows
from headcount.data.judged import Classifier, Judged, judge, judge_grouped
from headcount.data.labels import Labels
from headcount.data.named import Named
from headcount.data.nearness import Nearness
from headcount.data.patterns import ItemCounts, Patterns
from headcount.data.predicted_items import PredictedItems, predicted_decisions, predicted_items
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings
from headcount.data.scale import Kind, Scale
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
