"""The questions headcount answers, and whether given data suffice for each."""

from dataclasses import dataclass

from headcount.data import Judged, Ratings, full_block
from headcount.results import count


@dataclass(frozen=True)
class Question:
    """A question, the command that answers it, and what it would use or misses."""

    question: str
    command: str
    able: bool
    means: str


def questions(ratings: Ratings, judged: Judged | None) -> tuple[Question, ...]:
    """Every question, checked against the data."""
    return (
        _agreement(ratings),
        _equivalence(ratings, judged),
        _pools(ratings),
        _accuracy(ratings, judged),
        _ceiling(ratings),
        _deconvolution(ratings, judged),
        _next_labels(judged),
    )


_NO_PREDICTIONS = "predictions are missing: add a file with item and a column a classifier"
_NO_PAIRS = "no item has two ratings: collect a second rating for some items"
_ONE_ITEM = "only one item has enough ratings, and there is no other to learn from: rate more items"


def _has_pairs(ratings: Ratings) -> bool:
    return bool((ratings.patterns().raters >= 2).any())


def _agreement(ratings: Ratings) -> Question:
    patterns = ratings.patterns()
    able = _has_pairs(ratings)
    items = int(patterns.items[patterns.raters >= 2].sum())
    raters = "" if ratings.named else "; no rater names, so no table by rater"
    means = (
        f"{count(items, 'item', 'items')} with two ratings or more{raters}" if able else _NO_PAIRS
    )
    return Question("How much do people agree?", "agreement", able, means)


def _equivalence(ratings: Ratings, judged: Judged | None) -> Question:
    question, command = "How many raters is a classifier worth?", "equivalence"
    if not _has_pairs(ratings):
        return Question(question, command, False, _NO_PAIRS)
    if judged is None:
        return Question(question, command, False, _NO_PREDICTIONS)
    block = full_block(judged.counts.sum(axis=1), judged.size)
    if block.items_used < 2:
        return Question(question, command, False, _ONE_ITEM)
    dropped = f", {block.items_dropped:,} with fewer left out" if block.items_dropped else ""
    means = (
        f"{block.items_used:,} items with {block.raters} ratings or more{dropped}: "
        f"curve up to {count(block.raters - 1, 'rater', 'raters')}"
    )
    return Question(question, command, True, means)


def _pools(ratings: Ratings) -> Question:
    able = len(ratings.pools) >= 2
    means = (
        f"pools {', '.join(ratings.pools)}: name them with --amateurs and --experts"
        if able
        else "one pool only: add a column 'pool' that says which pool each rater is in"
    )
    return Question("How many amateurs replace an expert?", "equivalence --amateurs", able, means)


def _accuracy(ratings: Ratings, judged: Judged | None) -> Question:
    question, command = "How accurate, against a truth nobody has?", "accuracy"
    if not _has_pairs(ratings):
        return Question(question, command, False, _NO_PAIRS)
    if ratings.labels.n < 2:
        return Question(question, command, False, "only one label was ever used")
    if judged is None:
        return Question(question, command, False, _NO_PREDICTIONS)
    means = (
        "pairs of ratings; a confusion matrix for each rater"
        if ratings.named
        else "pairs of ratings; one confusion matrix for all, as raters have no names"
    )
    return Question(question, command, True, means)


def _ceiling(ratings: Ratings) -> Question:
    able = ratings.labels.n >= 2
    means = "label counts of every item" if able else "only one label was ever used"
    return Question("What is the best any classifier could do?", "deconvolve", able, means)


def _deconvolution(ratings: Ratings, judged: Judged | None) -> Question:
    question, command = "What share of people would agree?", "deconvolve"
    if judged is None:
        return Question(question, command, False, _NO_PREDICTIONS)
    if ratings.n_retests:
        means = f"flip rates from {ratings.n_retests:,} retests"
    elif ratings.named:
        means = "no retests: flip rates by matrix factorisation (extra 'svd'), or give --flip-rate"
    else:
        means = "no retests and no rater names: give --flip-rate, or slips are not set aside"
    return Question(question, command, True, means)


def _next_labels(judged: Judged | None) -> Question:
    able = judged is not None and len(judged.classifiers) >= 2
    means = (
        "from these data as a pilot"
        if able
        else "no two classifiers here: plan from numbers instead (plan compare --accuracy …)"
    )
    return Question(
        "How to spend the next labels?", "plan pilot" if able else "plan compare", able, means
    )
