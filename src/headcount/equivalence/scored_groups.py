"""The curve and the classifiers in the same bootstrap samples, from counts on bare arrays."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Classifier, Judged, Patterns, calibrate, group_rows
from headcount.equivalence.combiners import plurality_of
from headcount.equivalence.curve_by_combiner import Surveyed, surveyed
from headcount.equivalence.exact import Curve, Setup
from headcount.equivalence.exact.curve_setup import Rows, Scoring
from headcount.equivalence.question import Question
from headcount.frozen import frozen
from headcount.metrics import caution, prediction_for
from headcount.population import Everyone, Fits, Table
from headcount.sampling import resample

# Samples × groups that go through together: more would be new memory each time.
_AT_ONCE = 500_000


@frozen
class Measured:
    """A curve, and the `scores` of classifiers: (1 + B,) each, the data themselves first.

    `setup` has the patterns that were surveyed, `everyone` the items that were learned from.
    """

    surveyed: Surveyed
    setup: Setup
    everyone: Everyone
    scores: tuple[Floats, ...] = ()

    @property
    def curve(self) -> Curve:
        """The curve alone."""
        return self.surveyed.curve


def measure(
    question: Question,
    counts: Ints,
    sizes: Ints,
    most: int,
    *,
    experts: Ints | None = None,
    classifiers: "tuple[ScoredGroups, ...]" = (),
    rated: Patterns | None = None,
    table: Table | None = None,
    clusters: Any = None,
    fits: Fits | None = None,
    whole: Ints | None = None,
) -> Measured:
    """The exact curve up to surveys of `most`, and the scores of `classifiers`.

    Rows are groups of items: label counts (H, L), and `sizes` (H,) how many items each holds.
    With `experts` (H, L) the label to predict is one of theirs. `rated` are all rated items, for
    combiners that learn from items with fewer ratings too, `table` items one by one where raters
    or clusters are counted as samples. Rows that differ only in what classifiers say are one
    pattern to the curve. Calls with equal `sizes` see equal samples.
    With `clusters` (C, H), how many items of each group a cluster holds, clusters are drawn.
    `fits` has what was fitted to the same items elsewhere. Where `counts` are a part of many
    ratings, `whole` (H, L) has all of them, which classifiers are scored by: the curve is then
    freed of the luck of the draw.
    """
    luck = None if whole is None else _luck(question, counts, whole)
    keys = (counts,) if experts is None else (counts, experts)
    patterns = group_rows(*keys, size=sizes)

    means = _item_means(classifiers)

    def in_samples(times: Ints) -> dict[str, NDArray[Any]]:
        in_each = _scores_in(classifiers, means, times)
        scores = {str(place): each for place, each in enumerate(in_each)}
        if luck is not None:
            scores["luck"] = times @ luck / times.sum(axis=1)
        return {"patterns": patterns.gather(times), **scores}

    drawn = resample(
        question.bootstrap,
        sizes,
        in_samples,
        at_once=max(_AT_ONCE // max(len(sizes), 1), 1),
        clusters=clusters,
    )
    setup = setup_of(
        question,
        counts[patterns.first],
        patterns.size,
        most,
        experts=None if experts is None else experts[patterns.first],
    )
    # Combiners that learn may also learn from items with fewer ratings than the curve needs.
    known = Patterns(setup.counts, setup.sizes) if rated is None else rated
    everyone = Everyone.of(known.counts, known.items, setup.counts, setup.sizes, table, fits)
    found = surveyed(question, setup, drawn["patterns"].astype(np.int64, copy=False), everyone)
    if luck is not None:
        # Part of an item's ratings were drawn: what these happened to be is taken off again.
        curve = replace(
            found.curve,
            scores=found.curve.scores + sizes @ luck / sizes.sum(),
            draws=found.curve.draws + drawn["luck"].astype(np.float64)[:, None],
        )
        found = replace(found, curve=curve)
    scores = tuple(
        np.concatenate([each.scores(sizes[None]), drawn[str(place)]])
        for place, each in enumerate(classifiers)
    )
    return Measured(found, setup, everyone, scores)


def _luck(question: Question, part: Ints, whole: Ints) -> Floats | None:
    """How much higher all of an item's ratings score than the part that was drawn, (H,).

    Scored is a prediction that does not know the draw, the item's own shares: on average over
    draws there is no difference. None for scorers that are no means.
    """
    if not question.scorer.decomposable or question.options.reference_raters > 1:
        return None
    shares = (whole + 1.0) / (whole.sum(axis=1, keepdims=True) + whole.shape[1])
    said = prediction_of(question, Classifier("", probabilities=shares))
    scoring = Scoring(question.scorer, question.labels, question.positive, question.clip)
    of_all, of_part = (
        ScoredGroups(scoring, said, HeldOut(plurality_of(each, 1))).item_means
        for each in (whole, part)
    )
    return of_all - of_part


def setup_of(
    question: Question, counts: Ints, sizes: Ints, most: int, *, experts: Ints | None = None
) -> Setup:
    """What the exact engine is handed: distinct counts (G, L), held by `sizes` (G,) items."""
    return Setup(
        counts=counts,
        sizes=sizes,
        most=most,
        labels=question.labels,
        combiner=question.combiner,
        scorer=question.scorer,
        positive=question.positive,
        clip=question.clip,
        reference_raters=question.options.reference_raters,
        experts=experts,
    )


@frozen
class HeldOut:
    """The `chance` (H, L) of each label to be what is predicted on items of each group."""

    chance: Floats

    @cached_property
    def cells(self) -> tuple[Ints, Ints, Floats]:
        """Group, label and chance of all that may be: they are the same for every classifier."""
        group, label = np.nonzero(self.chance > 0)
        return group, label, self.chance[group, label]


@frozen
class ScoredGroups:
    """A classifier on groups of items, ready to be scored in any sample of them.

    `prediction` has a row a group, in the form the scorer takes; `held_out` is what it is scored
    against.
    """

    scoring: Scoring
    prediction: NDArray[Any]
    held_out: HeldOut

    def scores(self, draws: NDArray[np.integer]) -> Floats:
        """Scores (B,) in samples that hold each group `draws` (B, H) times."""
        if self.scoring.scorer.decomposable:
            total: Floats = draws @ self.item_means / draws.sum(axis=1)
            return total
        return self.scoring.of_rows(self._rows, draws)

    @cached_property
    def _rows(self) -> Rows:
        group, label, share = self.held_out.cells
        return Rows(self.prediction[group], label, share, group)

    @cached_property
    def item_means(self) -> Floats:
        """The expected score on an item of each group (H,), for scorers that are means."""
        rows = self._rows
        each = self.scoring.rows(rows.prediction, rows.label)
        mean: Floats = np.bincount(
            rows.row, weights=each * rows.share, minlength=len(self.held_out.chance)
        ).astype(np.float64, copy=False)
        return mean


def _item_means(classifiers: tuple[ScoredGroups, ...]) -> Floats | None:
    """The expected scores on an item (H, C) of several classifiers, where all scores are means."""
    if not all(each.scoring.scorer.decomposable for each in classifiers) or len(classifiers) < 2:
        return None
    return np.column_stack([each.item_means for each in classifiers])


def _scores_in(
    classifiers: tuple[ScoredGroups, ...], means: Floats | None, draws: NDArray[np.integer]
) -> list[Floats]:
    """The scores (B,) of each classifier in the same samples; means of items all at once."""
    if means is None:
        return [each.scores(draws) for each in classifiers]
    total = draws.astype(np.float64) @ means / draws.sum(axis=1)[:, None]
    return list(total.T)


def held_out(question: Question, counts: Ints, whole: Ints | None = None) -> HeldOut:
    """What is predicted on items with these counts (H, L): a rater, or the plurality of several.

    Where only first answers are like people's, one of these. Where some raters were left out,
    `counts` are what is left of the `whole` (H, L); nothing where none of the first are left.
    """
    raters, first = question.options.reference_raters, question.first_answers
    if first is None:
        return HeldOut(plurality_of(counts, raters))
    spread = first.of(counts, whole)
    enough = spread.first.sum(axis=1) >= raters
    chance = np.zeros(spread.first.shape)
    chance[enough] = plurality_of(spread.first[enough], raters)
    found = spread.mean(chance, len(counts))
    told = found.sum(axis=1, keepdims=True)
    return HeldOut(found / np.where(told > 0, told, 1.0))


def scored_classifiers(
    question: Question, judged: Judged, against: HeldOut | None = None
) -> tuple[ScoredGroups, ...]:
    """The judged classifiers, ready to be scored against held-out raters."""
    scoring = Scoring(question.scorer, question.labels, question.positive, question.clip)
    of = held_out(question, judged.counts) if against is None else against
    return tuple(
        ScoredGroups(scoring, prediction_of(question, each), of) for each in judged.classifiers
    )


def prediction_of(question: Question, classifier: Classifier) -> NDArray[Any]:
    """A classifier's outputs as the question's scorer takes them."""
    return np.asarray(prediction_for(classifier, question.scorer, question.labels))


def in_readings(question: Question, judged: Judged) -> Judged:
    """The classifiers in each reading that is to be scored; see `given_and_read`."""
    return given_and_read(question, judged)[1]


def given_and_read(question: Question, judged: Judged) -> tuple[tuple[Classifier, ...], Judged]:
    """The classifiers as given, and in each reading that is to be scored, on the same rows.

    Calibrated ones stand beside themselves as given, unless the scorer would take a bare label
    for a certainty: a label alone is no probability. One item cannot calibrate itself, and is
    taken as given unless calibration was asked for.
    """
    left_to_us = question.options.calibrate is None
    if not question.calibrates or (left_to_us and judged.n_items < 2):
        return judged.classifiers, judged
    both = calibrate(
        judged,
        ordered=question.ordered,
        seed=question.options.seed,
        people=None if question.design is None else question.design.as_people,
    )
    kept = tuple(
        each
        for each in both.classifiers
        if each.reading == "calibrated" or caution(each, question.scorer) is None
    )
    given = tuple(each for each in both.classifiers if each.reading != "calibrated")
    return given, replace(both, classifiers=kept)


def cautions(question: Question, judged: Judged) -> tuple[str, ...]:
    """What to know about scoring these classifiers so, one sentence each."""
    said = (caution(each, question.scorer) for each in judged.classifiers)
    return tuple(sentence for sentence in said if sentence)
