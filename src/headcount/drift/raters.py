"""Raters over their own course, on bare arrays: who tires, learns, is careless or moves.

An answer is held against the other people on the same item: on items with three labels or more, how
often it agrees with them less how often they agree with each other, so that harder items have no
say; on items with two, less how often pairs without this rater agree in the same period. Means of
that over a rater's course, early and late, are compared; all raters and questions are counted
(Holm).
"""

from itertools import pairwise
from typing import Literal

import numpy as np
from scipy import special

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.sameness import varies
from headcount.sampling.multiplicity import holm

Question = Literal["agreement", "tiring", "learning", "level", "moving level", "runs"]
QUESTIONS: tuple[Question, ...] = (
    *("agreement", "tiring", "learning", "level", "moving level", "runs"),
)
# A rater with fewer answers beside others' has no course to speak of.
_LEAST = 40
# Parts of a course, each end of which must hold so many answers.
_LEAST_PART = 20
# Orders drawn for the longest run: their law is then taken as Gumbel's by its mean and spread.
_RUNS_DRAWN = 99
# How far an item's label is foretold by the others' in drawn orders; the rest is the rater's mix.
_BY_OTHERS = 0.5
# A run shorter than this tells nothing, however seldom labels repeat.
_LEAST_RUN = 8
_EULER = 0.5772156649


@frozen
class Answered:
    """People's answers (R,): codes of item, rater and label, and when; `period` (n,) of the items.

    `credit` (L, L) says which labels are near each other, `values` (L,) what levels are, None for
    names.
    """

    item: Ints
    rater: Ints
    label: Ints
    when: Floats
    period: Ints
    credit: Floats
    values: Floats | None = None


@frozen
class Course:
    """One question about one rater: the `difference` seen, its error, and p-values.

    `p_value` alone, `adjusted` with all raters and questions counted; `at` is where a run begins.
    """

    rater: int
    question: Question
    difference: float
    error: float
    p_value: float
    adjusted: float
    at: float | None = None

    @property
    def defect(self) -> bool:
        """Whether the difference is of the kind that is looked for.

        That somebody agrees more with others than they do with each other is none: it is what the
        others' defects look like from here.
        """
        if self.question in ("agreement", "tiring"):
            return self.difference < 0
        return self.question != "learning" or self.difference > 0


def courses(answers: Answered, *, seed: int = 0) -> tuple[Course, ...]:
    """Every question about every rater with enough answers, in the order of raters."""
    beyond, level, others = _beyond_others(answers)
    found: list[tuple[int, Question, float, float, float, float | None]] = []
    rng = np.random.default_rng([seed, 4])
    n_labels = max(len(answers.credit) - 1, 1)
    known = ~np.isnan(beyond) & ~np.isnan(answers.when)
    order = np.lexsort((answers.item, answers.when, answers.rater))
    order = order[known[order]]
    edges = np.searchsorted(answers.rater[order], np.arange(int(answers.rater.max(initial=-1)) + 2))
    for rater, (start, end) in enumerate(pairwise(edges)):
        rows = order[start:end]
        if len(rows) < _LEAST:
            continue
        time = answers.when[rows]
        tenth = time > np.quantile(time, 0.1)
        for question, told in (
            ("agreement", _mean(beyond[rows])),
            ("tiring", _trend(beyond[rows], time)),
            ("learning", _difference(beyond[rows], tenth)),
            ("level", _mean(level[rows])),
            ("moving level", _trend(level[rows], time)),
        ):
            if told is not None and question == "level" and answers.values is None:
                told = (*told[:2], min(told[2] * n_labels, 1.0))  # the label was picked among all
            if told is not None:
                found.append((rater, question, *told, None))  # type: ignore[arg-type]
        run = _longest_run(answers.label[rows], others[rows], time, rng)
        if run is not None:
            found.append((rater, "runs", *run))
    adjusted = holm([each[4] for each in found])
    return tuple(
        Course(*each[:5], float(level), each[5])
        for each, level in zip(found, adjusted, strict=True)
    )


def _beyond_others(answers: Answered) -> tuple[Floats, Floats, Floats]:
    """How much more an answer (R,) agrees with others than they with each other, and its level.

    Also the shares of labels (R, L) that the others gave; NaN where there was nobody else.
    """
    n, labels = len(answers.period), len(answers.credit)
    counts = np.zeros((n, labels))
    np.add.at(counts, (answers.item, answers.label), 1.0)
    size = counts.sum(axis=1)
    near = counts @ answers.credit  # (n, L): how many are near each label
    own = np.diag(answers.credit)
    together = (counts * near).sum(axis=1) - counts @ own  # ordered pairs that agree
    with_others = near[answers.item, answers.label] - own[answers.label]
    many = size[answers.item]
    with np.errstate(invalid="ignore", divide="ignore"):
        agree = with_others / (many - 1)
        rest = (together[answers.item] - 2 * with_others) / ((many - 1) * (many - 2))
    in_period = _pairs_of_others(answers, agree, many)
    beyond = agree - np.where(many > 2, rest, in_period)
    others = counts[answers.item]
    others[np.arange(len(others)), answers.label] -= 1
    with np.errstate(invalid="ignore", divide="ignore"):
        others /= (many - 1)[:, None]
    return (
        np.where(many > 1, beyond, np.nan),
        np.where(many > 1, _levels(answers, others), np.nan),
        others,
    )


def _pairs_of_others(answers: Answered, agree: Floats, many: Floats) -> Floats:
    """How often two people agree in the period of each answer (R,), its rater's answers aside."""
    period = answers.period[answers.item]
    two = (many == 2) & (period >= 0)
    n_raters, n_periods = int(answers.rater.max(initial=-1)) + 1, int(answers.period.max()) + 1
    cell = period * n_raters + answers.rater
    size = np.bincount(cell[two], minlength=n_raters * n_periods).reshape(n_periods, n_raters)
    total = np.bincount(cell[two], weights=agree[two], minlength=size.size).reshape(size.shape)
    # A pair stands in both of its answers: the pairs of a rater are twice that rater's answers.
    number = size.sum(axis=1, keepdims=True) - 2 * size
    rest = total.sum(axis=1, keepdims=True) - 2 * total
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(number > 0, rest / number, np.nan)
    return np.where(period >= 0, mean[np.maximum(period, 0), answers.rater], np.nan)


def _levels(answers: Answered, others: Floats) -> Floats:
    """How much higher an answer (R,) is than the others'; of names, how much oftener the label is
    given that its rater gives too often.
    """
    if answers.values is not None:
        return np.asarray(answers.values[answers.label] - others @ answers.values)
    one = np.eye(others.shape[1])[answers.label]
    excess = np.nan_to_num(one - others)
    n_raters = int(answers.rater.max(initial=-1)) + 1
    total = np.zeros((n_raters, others.shape[1]))
    np.add.at(total, answers.rater, excess)
    # Two labels have one level; of more the one that stands out is looked at, and paid for below.
    most = np.abs(total).argmax(axis=1) if others.shape[1] > 2 else np.ones(n_raters, dtype=int)
    label = np.minimum(most, others.shape[1] - 1)[answers.rater]
    return np.asarray((one - others)[np.arange(len(others)), label])


def _mean(values: Floats) -> tuple[float, float, float] | None:
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    return _told(float(values.mean()), error, len(values) - 1.0)


def _trend(values: Floats, when: Floats) -> tuple[float, float, float] | None:
    """The later half less the first, as a straight line through the course has it."""
    _, place = np.unique(when, return_inverse=True)
    x = place.ravel() - place.mean()
    square = float(x @ x)
    if square == 0:
        return None
    slope = float(x @ values) / square
    rest = values - values.mean() - slope * x
    error = np.sqrt(float(rest @ rest) / (len(values) - 2) / square)
    apart = float(np.ptp(x)) / 2  # from the middle of the first half to that of the later one
    return _told(slope * apart, float(error * apart), len(values) - 2.0)


def _difference(values: Floats, late: np.ndarray) -> tuple[float, float, float] | None:
    """Late less early, with Welch's error."""
    sides = values[~late], values[late]
    if min(map(len, sides)) < _LEAST_PART:
        return None
    errors = [float(side.var(ddof=1)) / len(side) for side in sides]
    freedom = sum(errors) ** 2 / max(
        sum(e**2 / (len(s) - 1) for e, s in zip(errors, sides, strict=True)), 1e-300
    )
    gap = float(sides[1].mean() - sides[0].mean())
    return _told(gap, float(np.sqrt(sum(errors))), freedom)


def _told(gap: float, error: float, freedom: float) -> tuple[float, float, float]:
    if not varies(error**2):
        return gap, error, 1.0
    return gap, error, float(2 * special.stdtr(freedom, -abs(gap) / error))


def _longest_run(
    label: Ints, others: Floats, when: Floats, rng: np.random.Generator
) -> tuple[float, float, float, float] | None:
    """The longest run of one answer against what others gave on the same items in the same order.

    None where times do not tell an order, and where no run is long.
    """
    if len(np.unique(when)) < 0.9 * len(when):
        return None
    length, start = _run(label[None])
    if length[0] < _LEAST_RUN:
        return None
    mix = np.bincount(label, minlength=others.shape[1]) / len(label)
    edges = np.cumsum(_BY_OTHERS * others + (1 - _BY_OTHERS) * mix, axis=1)
    points = rng.random((_RUNS_DRAWN, len(label), 1))
    drawn, _ = _run((points > edges[None]).sum(axis=2).clip(max=others.shape[1] - 1))
    mean, spread = float(drawn.mean()), max(float(drawn.std(ddof=1)), 1.0)
    scale = spread * np.sqrt(6) / np.pi
    beyond = (length[0] - 0.5 - (mean - _EULER * scale)) / scale
    p_value = float(-np.expm1(-np.exp(-beyond)))
    return float(length[0] - mean), spread, p_value, float(when[start[0]])


def _run(labels: Ints) -> tuple[Ints, Ints]:
    """The longest run of equal labels in each row (b, n), and where it begins."""
    b, n = labels.shape
    change = np.ones((b, n + 1), dtype=bool)
    change[:, 1:n] = labels[:, 1:] != labels[:, :-1]
    length, start = np.zeros(b, dtype=np.int64), np.zeros(b, dtype=np.int64)
    for row in range(b):
        edges = np.flatnonzero(change[row])
        widths = np.diff(edges)
        start[row], length[row] = edges[widths.argmax()], widths.max()
    return length, start
