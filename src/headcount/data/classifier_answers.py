"""What each raw answer means once the labels are known: a label, probabilities, or nothing."""

import shlex
from dataclasses import replace

import numpy as np

from headcount.arrays import Floats, Ints, Mask
from headcount.data.labels import Labels
from headcount.data.numbers import another_scale
from headcount.data.predictions import Predictions, RawClassifier
from headcount.data.raw_answers import RawColumn
from headcount.door.profiles import Profile
from headcount.door.roles import ALIASES, listing, plain_name
from headcount.door.text import is_missing
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.results import count, plain

# Probabilities may be rounded; further from one than this they are something else.
_SUM_SLACK = 0.02

# A probability so little above one or below nought is one or nought.
_ROUNDING = 1e-3


@frozen
class Settled:
    """One classifier's answers for every row of the predictions.

    Hard: `codes` (n,), −1 where there is no answer or an unknown one. Soft: `probabilities`
    (n, L), normalised. `answered` marks rows with an answer, `unknown` those outside the
    labels, of which `example` is the first. `scores` (n,) are the numbers of a classifier that
    answers between the labels of a numeric scale; its `codes` are then the nearest labels. `apart`
    says how its numbers are on another scale than people's.
    """

    name: str
    answered: Mask
    unknown: Mask
    codes: Ints | None = None
    probabilities: Floats | None = None
    example: str | None = None
    notes: tuple[str, ...] = ()
    scores: Floats | None = None
    apart: str | None = None


def settle(predictions: Predictions, raw: RawClassifier, labels: Labels, positive: int) -> Settled:
    """Decide whether a classifier is hard or soft, and check every answer."""
    if raw.by_label:
        return _by_label(predictions, raw, labels)
    assert raw.whole is not None
    column = predictions.columns[raw.whole]
    if _holds_probabilities(column, labels):
        return _one_number(predictions, raw, labels, positive)
    distinct, codes = column.distinct, column.codes
    known = np.array([labels.code(text) for text in distinct], dtype=np.int64)
    missing = np.array([is_missing(text) for text in distinct], dtype=bool)
    missing &= known < 0  # what is declared to be a label is one
    unknown = (known < 0) & ~missing
    if unknown.any() and labels.numbers is not None and column.all_numbers:
        return _nearest(raw, column, labels)
    if unknown.any():
        _check_fits(predictions, raw, labels, [text or "" for text in distinct], known, missing)
    first = int(np.argmax(unknown[codes])) if unknown.any() else None
    settled = Settled(
        raw.name,
        answered=~missing[codes],
        unknown=unknown[codes],
        codes=known[codes],
        example=None if first is None else distinct[codes[first]],
    )
    if raw.confidence is not None:
        return _with_confidence(predictions, raw, labels, settled)
    return settled


def _check_fits(
    predictions: Predictions,
    raw: RawClassifier,
    labels: Labels,
    distinct: list[str],
    known: Ints,
    missing: Mask,
) -> None:
    """Stop where answers are labels in another spelling, or no answer is a label at all."""
    strange = [
        t for t, code, none in zip(distinct, known, missing, strict=True) if code < 0 and not none
    ]
    folds = {name.casefold(): name for name in labels.names}
    cased = [text for text in strange if text.strip().casefold() in folds]
    start = f"{predictions.name}: {raw.name!r} answers {cased[0] if cased else strange[0]!r}"
    if cased:
        label = folds[cased[0].strip().casefold()]
        raise InputError(
            f"{predictions.name}: {raw.name!r} answers {cased[0]!r} where raters say {label!r}: "
            f"read upper and lower case as one with fold_case=True (--fold-case), or rename the "
            f"answer with --map {_pair(cased[0], label)}."
        )
    if (known >= 0).any():
        return
    looks = Profile.of_values(raw.name, tuple(strange))
    if looks.why_no_labels:
        raise InputError(
            f"{start}, and no answer is a label ({labels.listing()}); the column "
            f"{looks.why_no_labels}, so it is hardly a classifier's: choose the columns that are "
            "with classifiers= (--classifiers)."
        )
    others = [each.name for each in predictions.classifiers if each.name != raw.name]
    if others and len(distinct) == 1 and plain_name(raw.name) in ALIASES["classifier"]:
        chosen = " ".join(f"--classifiers {shlex.quote(name)}" for name in others)
        raise InputError(
            f"{predictions.name}: the column {raw.name!r} says {strange[0]!r} in every row, which "
            f"is no label ({labels.listing()}): it seems to name who answered, so leave it out "
            f"with {chosen} (in Python: classifiers={others!r})."
        )
    raise InputError(
        f"{start}, and no answer is a label ({labels.listing()}): say which label each answer "
        f"means with --map {_pair(strange[0], labels.names[0])} (once for each, or a file of "
        "pairs), or choose other columns with classifiers= (--classifiers)."
    )


def _pair(answer: str, label: str) -> str:
    return shlex.quote(f"{answer}={label}")


def _nearest(raw: RawClassifier, column: RawColumn, labels: Labels) -> Settled:
    """Numbers between the labels of a numeric scale: answers, the nearest label for each."""
    assert labels.numbers is not None
    scores, values = column.numbers, labels.numbers
    answered = ~np.isnan(scores)
    filled = np.where(answered, scores, values[0])
    order = np.argsort(values, kind="stable")
    steps = values[order]
    codes = order[np.searchsorted((steps[1:] + steps[:-1]) / 2, filled, side="left")]
    room = np.diff(steps).max(initial=0.0) / 2
    unknown = answered & ((filled < steps[0] - room) | (filled > steps[-1] + room))
    between = answered & ~unknown & ~np.isin(filled, values)
    apart = another_scale(scores, float(steps[0]), float(steps[-1]))
    fractions = bool((filled[answered] % 1 != 0).any())
    if apart is not None and (fractions or not np.isin(filled[answered], values).any()):
        example = column.texts[int(np.argmax(answered))].as_py()
        told = (
            f"{plain(raw.name)}: {apart}; no label stands for them. Bring them to people's scale "
            "first, or leave it out (--classifiers)."
        )
        nothing = np.full(len(scores), -1)
        return Settled(
            raw.name, answered, answered, codes=nothing, example=example, notes=(told,), apart=apart
        )
    if not between.any():
        codes = np.where(np.isin(filled, values), codes, -1)
        unknown = answered & (codes < 0)
    codes = np.where(answered & ~unknown, codes, -1)
    example = column.texts[int(np.argmax(unknown))].as_py() if unknown.any() else None
    notes: tuple[str, ...] = ()
    if between.any():
        n = int(between.sum())
        notes = (
            f"{plain(raw.name)} gives {count(n, 'number', 'numbers')} between the labels: the "
            "nearest label counts as its answer.",
        )
    return Settled(
        raw.name, answered, unknown, codes=codes, example=example, notes=notes, scores=scores
    )


def _with_confidence(
    predictions: Predictions, raw: RawClassifier, labels: Labels, settled: Settled
) -> Settled:
    """The probability of the answer given: with two labels, the other has the rest."""
    assert raw.confidence is not None
    assert settled.codes is not None
    if labels.n != 2:
        note = (
            f"{plain(raw.name)} gives the probability of its answer only; with {labels.n} labels "
            "that leaves the others open, so its answers count as labels."
        )
        return replace(settled, notes=(*settled.notes, note))
    sure, there = _numbers(predictions, raw.confidence)
    usable = settled.answered & ~settled.unknown
    if settled.unknown.any() or (usable & ~there).any():
        note = f"{plain(raw.name)} lacks the probability of some answers: they count as labels."
        return replace(settled, notes=(*settled.notes, note))
    probabilities = np.full((len(sure), 2), np.nan)
    rows = np.flatnonzero(usable)
    probabilities[rows, settled.codes[rows]] = sure[rows]
    probabilities[rows, 1 - settled.codes[rows]] = 1 - sure[rows]
    return Settled(raw.name, usable, settled.unknown, probabilities=probabilities)


def _holds_probabilities(column: RawColumn, labels: Labels) -> bool:
    """A column of numbers, not all of them labels, on a task with two labels.

    Where labels are numbers themselves, whole numbers are labels, known ones or not.
    """
    if labels.n != 2 or not column.all_numbers:
        return False
    there = column.numbers[~np.isnan(column.numbers)]
    if labels.numbers is None:
        return bool(there.size)
    return not (np.isin(there, labels.numbers) | (there == np.floor(there))).all()


def _one_number(
    predictions: Predictions, raw: RawClassifier, labels: Labels, positive: int
) -> Settled:
    assert raw.whole is not None
    chance, answered = _numbers(predictions, raw.whole)
    probabilities = np.empty((len(chance), 2))
    probabilities[:, positive] = chance
    probabilities[:, 1 - positive] = 1 - chance
    note = (
        f"{plain(raw.name)} is one number an item, taken as the probability of "
        f"{labels.names[positive]!r} (choose with positive=)."
    )
    unknown = np.zeros(len(chance), dtype=bool)
    return Settled(raw.name, answered, unknown, probabilities=probabilities, notes=(note,))


def _by_label(predictions: Predictions, raw: RawClassifier, labels: Labels) -> Settled:
    columns = {_match(label, labels): column for label, column in raw.by_label}
    strangers = [pair for pair in raw.by_label if _match(pair[0], labels) is None]
    if strangers:
        label, column = strangers[0]
        raise InputError(
            f"{predictions.name}: {raw.name!r} gives a probability for {label!r}, which no "
            f"rater used (labels: {labels.listing()}): correct the column name or give order=; "
            f"or is {column!r} a classifier's whole name? Then name it with classifiers= "
            f"(--classifiers {shlex.quote(column)})."
        )
    absent = [name for name in labels.names if name not in columns]
    if absent and not (labels.n == 2 and len(absent) == 1):
        raise InputError(
            f"{predictions.name}: {raw.name!r} has no column for {listing(absent)}: "
            f"add '{raw.name}:{absent[0]}', so that there is one a label."
        )
    numbers = {name: _numbers(predictions, column) for name, column in columns.items()}
    n = predictions.n_items
    probabilities = np.empty((n, labels.n))
    answered = np.logical_or.reduce([mask for _, mask in numbers.values()])
    for name, (values, mask) in numbers.items():
        if (mask != answered).any():
            row = int(np.argmax(mask != answered))
            raise InputError(
                f"{predictions.place(row)}: {raw.name!r} gives a probability for some labels and "
                "leaves others blank: fill in all or none."
            )
        assert name is not None
        probabilities[:, labels.index[name]] = values
    if absent:
        other = labels.index[absent[0]]
        probabilities[:, other] = 1 - probabilities[:, 1 - other]
    notes = _normalise(predictions, raw.name, probabilities, answered)
    notes += _beside_labels(predictions, raw, labels, probabilities, answered)
    return Settled(raw.name, answered, np.zeros(n, bool), probabilities=probabilities, notes=notes)


def _beside_labels(
    predictions: Predictions,
    raw: RawClassifier,
    labels: Labels,
    probabilities: Floats,
    answered: Mask,
) -> tuple[str, ...]:
    """What is said of a classifier that gives labels and probabilities."""
    if raw.whole is None:
        return ()
    column = predictions.columns[raw.whole]
    said = np.array([labels.code(text) for text in column.distinct], dtype=np.int64)[column.codes]
    both = answered & (said >= 0)
    top = np.where(answered[:, None], probabilities, 0).argmax(axis=1)
    apart = int((both & (top != said)).sum())
    return (
        f"{plain(raw.name)} gives labels and probabilities: the probabilities are used"
        + (
            f", though in {count(apart, 'row', 'rows')} its label is not its most probable one."
            if apart
            else "."
        ),
    )


def _match(label: str, labels: Labels) -> str | None:
    code = labels.code(label)
    return None if code < 0 else labels.names[code]


def _numbers(predictions: Predictions, column: str) -> tuple[Floats, Mask]:
    """A column of probabilities and where there is one; blank stays NaN and unanswered."""
    texts, values = predictions.columns[column].texts, predictions.columns[column].numbers
    missing = np.isnan(values)
    wrong = ~missing & ~((values >= -_ROUNDING) & (values <= 1 + _ROUNDING))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"{predictions.place(row)}, column {column!r}: {texts[row].as_py()!r} is not a "
            "probability: it must be a number from 0 to 1."
        )
    return np.clip(values, 0.0, 1.0), ~missing


def _normalise(
    predictions: Predictions, name: str, probabilities: Floats, answered: Mask
) -> tuple[str, ...]:
    """Scale rounded probabilities to sum to one, in place; stop at those far from it."""
    sums = probabilities.sum(axis=1)
    off = answered & (np.abs(sums - 1) > _SUM_SLACK)
    if off.any():
        row = int(np.argmax(off))
        raise InputError(
            f"{predictions.place(row)}: the probabilities of {name!r} sum to {sums[row]:.4g}, "
            f"not to one ({count(int(off.sum()), 'such row', 'such rows')} of "
            f"{int(answered.sum()):,}): leave the cells of such rows blank, which count as no "
            "answer, or divide each row by its sum if it was cut or rounded."
        )
    rounded = answered & (np.abs(sums - 1) > 1e-6)
    probabilities[answered] /= sums[answered, None]
    if not rounded.any():
        return ()
    return (
        f"The probabilities of {name!r} miss one by rounding in "
        f"{count(int(rounded.sum()), 'row', 'rows')} "
        f"(by {np.abs(sums[rounded] - 1).max():.2g} at most) and were scaled to sum to one.",
    )
