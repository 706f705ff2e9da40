"""What people and classifiers said, counted once and met by item."""

from headcount.counting import ENOUGH, Groups, ItemCounts, Patterns, group_rows
from headcount.data.answers import Answers, Column, Named
from headcount.data.calibration import calibrate, isotonic_knots
from headcount.data.classifier_answers import Settled, settle
from headcount.data.design import Design, FirstAnswers, Spread, pair_shares
from headcount.data.folds import deal_folds, deal_rows
from headcount.data.judged import (
    Classifier,
    Judged,
    PredictedItems,
    Reading,
    judge,
    judge_grouped,
    predicted_decisions,
    predicted_items,
)
from headcount.data.labels import Labels
from headcount.data.numbers import (
    ItemNumbers,
    another_scale,
    checked_unknown,
    classifier_numbers,
    item_numbers,
    met_by_id,
    one_by_one,
)
from headcount.data.predictions import Predictions, beside
from headcount.data.rating_limit import Block, enough, enough_of, full_block
from headcount.data.rating_limit import told as told_enough
from headcount.data.ratings import Ratings
from headcount.data.reading import (
    ask_ahead,
    frames_of_both,
    read_both,
    read_predictions,
    read_ratings,
    values_by_item,
    why_unusable,
)
from headcount.data.scale import Kind, Nearness, Scale, labels_in_words
from headcount.data.spellings import ladder, written_alike
from headcount.data.study import SAID_OF_ITEMS, Study, as_predictions, as_ratings, as_study

__all__ = [
    "ENOUGH",
    "SAID_OF_ITEMS",
    "Answers",
    "Block",
    "Classifier",
    "Column",
    "Design",
    "FirstAnswers",
    "Groups",
    "ItemCounts",
    "ItemNumbers",
    "Judged",
    "Kind",
    "Labels",
    "Named",
    "Nearness",
    "Patterns",
    "PredictedItems",
    "Predictions",
    "Ratings",
    "Reading",
    "Scale",
    "Settled",
    "Spread",
    "Study",
    "another_scale",
    "as_predictions",
    "as_ratings",
    "as_study",
    "ask_ahead",
    "beside",
    "calibrate",
    "checked_unknown",
    "classifier_numbers",
    "deal_folds",
    "deal_rows",
    "enough",
    "enough_of",
    "frames_of_both",
    "full_block",
    "group_rows",
    "isotonic_knots",
    "item_numbers",
    "judge",
    "judge_grouped",
    "labels_in_words",
    "ladder",
    "met_by_id",
    "one_by_one",
    "pair_shares",
    "predicted_decisions",
    "predicted_items",
    "read_both",
    "read_predictions",
    "read_ratings",
    "settle",
    "told_enough",
    "values_by_item",
    "why_unusable",
    "written_alike",
]
