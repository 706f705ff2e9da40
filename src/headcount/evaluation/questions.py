"""The questions headcount answers, and whether given data suffice for each.

Whether they do is asked of the methods themselves, so that what `doctor` promises is what
`evaluate` keeps.
"""

from collections.abc import Callable

from headcount import accuracy, agreement, deconvolution, equivalence, plan, population
from headcount.data import Study, full_block, item_numbers
from headcount.options import DeconvolutionOptions
from headcount.results import Record, count, record
from headcount.scores import FEW_ITEMS

_NO_PREDICTIONS = "predictions are missing: add a file with item and a column a classifier"


@record
class Question(Record):
    """A question, the command that answers it, and what it would use or misses."""

    question: str
    command: str
    able: bool
    means: str


def questions(study: Study) -> tuple[Question, ...]:
    """Every question, checked against the data: of labels on a scale, those that see distances."""
    if study.scale.kind == "numeric":
        return (_scores(study), _next_ratings(study))
    if study.scale.has_order:
        return (
            _agreement(study),
            _equivalence(study),
            _pools(study),
            _population(study),
            _scores(study),
            _next_ratings(study),
        )
    return (
        _agreement(study),
        _equivalence(study),
        _pools(study),
        _population(study),
        _accuracy(study),
        _agreeing(study),
        _next_labels(study),
    )


def _asked(question: str, command: str, reason: str | None, means: str) -> Question:
    return Question(question, command, reason is None, means if reason is None else reason)


def _of_classifiers(study: Study, reason: Callable[[Study], str | None]) -> str | None:
    return _NO_PREDICTIONS if study.predictions is None else reason(study)


def _agreement(study: Study) -> Question:
    patterns = study.ratings.patterns()
    items = int(patterns.items[patterns.raters >= 2].sum())
    raters = "" if study.ratings.named else "; no rater names, so no table by rater"
    return _asked(
        "How much do people agree?",
        "agreement",
        agreement.unanswerable(study),
        f"{count(items, 'item', 'items')} with two ratings or more{raters}",
    )


def _equivalence(study: Study) -> Question:
    reason = _of_classifiers(study, equivalence.unanswerable)
    return _asked(
        "How many raters is a classifier worth?",
        "equivalence",
        reason,
        "" if reason is not None else _curve(study),
    )


def _curve(study: Study) -> str:
    met = study.groups
    block = full_block(met.counts.sum(axis=1), met.size)
    dropped = f", {block.items_dropped:,} with fewer left out" if block.items_dropped else ""
    return (
        f"{block.items_used:,} items with {block.raters} ratings or more{dropped}: "
        f"curve up to {count(block.raters - 1, 'rater', 'raters')}"
    )


def _pools(study: Study) -> Question:
    pools = study.ratings.pools
    return _asked(
        "How many amateurs replace an expert?",
        "equivalence --amateurs",
        None
        if len(pools) >= 2
        else "one pool only: add a column 'pool' that says which pool each rater is in",
        f"pools {', '.join(pools)}: name them with --amateurs and --experts",
    )


def _population(study: Study) -> Question:
    return _asked(
        "How good could a classifier be?",
        "population",
        population.unanswerable(study),
        "label counts of every item",
    )


def _accuracy(study: Study) -> Question:
    means = (
        "pairs of ratings; a confusion matrix for each rater"
        if study.ratings.named
        else "pairs of ratings; one confusion matrix for all, as raters have no names"
    )
    reason = _of_classifiers(study, accuracy.unanswerable)
    return _asked("How accurate, against a truth nobody has?", "accuracy", reason, means)


def _agreeing(study: Study) -> Question:
    ratings = study.ratings
    if ratings.n_retests:
        means = f"flip rates from {ratings.n_retests:,} retests"
    elif ratings.named:
        means = "no retests: flip rates by matrix factorisation (extra 'svd'), or give --flip-rate"
    else:
        means = "no retests and no rater names: give --flip-rate, or slips are not set aside"
    as_given = DeconvolutionOptions(flip_rate=0.0)
    reason = _of_classifiers(study, lambda asked: deconvolution.unanswerable(asked, as_given))
    return _asked("What share of people would agree?", "deconvolve", reason, means)


def _scores(study: Study) -> Question:
    counted = item_numbers(study.ratings)
    several = int((counted.n > 1).sum())
    judges = "" if study.predictions is None else f", {count(len(study.names), 'judge', 'judges')}"
    return _asked(
        "How do scores compare with people's?",
        "scores",
        None if several > 1 else f"{FEW_ITEMS}: collect a second rating for some items",
        f"{count(several, 'item', 'items')} with two ratings or more{judges}",
    )


def _next_ratings(study: Study) -> Question:
    return _asked(
        "How to spend the next ratings?",
        "plan scores",
        None
        if len(study.names) > 1
        else "it takes two classifiers to choose between: add predictions",
        "from these data as a pilot, by distance to a person",
    )


def _next_labels(study: Study) -> Question:
    reason = _of_classifiers(study, plan.unanswerable)
    return _asked(
        "How to spend the next labels?",
        "plan pilot" if reason is None else "plan compare",
        reason,
        "from these data as a pilot",
    )
