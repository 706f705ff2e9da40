"""The labels that people hold, and every score against them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels, Predictions, Ratings
from headcount.deconvolution.choosing import Estimation, FlipOption, StrataOption, flip_rates
from headcount.deconvolution.drawn import DrawnLabels, draw_labels
from headcount.deconvolution.flips import Formula
from headcount.deconvolution.outputs import ORACLE, SOFT_ORACLE
from headcount.deconvolution.panel import Panel, convene, items_in, renamed
from headcount.deconvolution.rates import FlipRates
from headcount.deconvolution.scores import Scores
from headcount.deconvolution.scoring import MetricOption, chosen_metrics, part_of, score_parts
from headcount.deconvolution.sharpen import disagreement_level
from headcount.deconvolution.split import EVERYONE, LEVELS, SplitScores, by_group, by_level
from headcount.deconvolution.votes import Repeats, votes_of
from headcount.errors import OptionError
from headcount.results import Progress, Result, Table, no_progress
from headcount.scorers import caution
from headcount.stats import Bootstrap

Floats = NDArray[np.float64]
Metrics = MetricOption | Sequence[MetricOption] | None


_SOFT_NOTE = (
    "Probabilities can pass the oracle, which gives labels only, in metrics that read them: the "
    "soft oracle, which says what share of people hold each label, is the ceiling there."
)


@dataclass(frozen=True)
class PrimaryLabels(Result):
    """What share of people hold each label on each item, once their slips are set aside.

    `shares` (n, L) are the labels as given, `primary` (n, L) the labels held; `flip_rate`
    tells how often an answer is a slip. `score` and `oracle` compare against them;
    `by_level` and `by_group` do so apart; `draw` makes a test set of them.
    """

    panel: Panel
    progress: Progress = no_progress

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.panel.labels

    @property
    def items(self) -> NDArray[np.object_]:
        """The ids of the items, in order."""
        return self.panel.votes.items

    @property
    def shares(self) -> Floats:
        """The share of each label as given, (n, L)."""
        return self.panel.jury.shares

    @cached_property
    def primary(self) -> Floats:
        """The share of people who hold each label, (n, L)."""
        return self.panel.jury.primary()

    @property
    def flip_rate(self) -> FlipRates:
        """How often an answer is a slip: by item, by stratum, on average."""
        return self.panel.flips

    @property
    def items_dropped(self) -> int:
        """Items left out for too few ratings or no weight."""
        return self.panel.votes.dropped

    def score(
        self,
        predictions: Predictions,
        metric: Metrics = "accuracy",
        *,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> Scores:
        """Classifiers against the majority label, labels as given and primary labels.

        `metric` is a name ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy",
        any other scorer), a callable with `sample_weight`, several of these, or None for the
        six named here. `positive` names the label that two-sided metrics look at.
        `unknown` says what an answer outside the labels is: "error", "wrong" or "drop".
        """
        return self._scores(predictions, metric, positive, unknown, clip, soft=False)

    def oracle(
        self,
        metric: Metrics = "accuracy",
        *,
        positive: str | None = None,
        clip: float | None = None,
        soft: bool = False,
    ) -> Scores:
        """What a classifier would reach that always says what most people say.

        No classifier needs to exist yet: this is a diagnostic of the task. `soft=True` adds a
        soft oracle, which knows what share of people hold each label and says so: the ceiling
        of metrics that read probabilities, where certainty is punished.
        """
        return self._scores(None, metric, positive, "error", clip, soft=soft)

    def by_level(
        self,
        predictions: Predictions | None = None,
        metric: Metrics = "accuracy",
        *,
        levels: Sequence[float] = LEVELS,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> SplitScores:
        """The scores on items that everyone agrees on, and on more and more contested ones.

        `levels` are the upper ends, as shares of labels that are not the majority's.
        """
        bench = self.panel.bench(predictions, positive, unknown)
        metrics = chosen_metrics(metric, self.labels, positive, clip)
        return by_level(self.panel, bench, metrics, levels, self.progress)

    def by_group(
        self,
        predictions: Predictions | None = None,
        metric: Metrics = "accuracy",
        *,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> SplitScores:
        """The scores among each group of raters: what share of that group would agree."""
        bench = self.panel.bench(predictions, positive, unknown)
        metrics = chosen_metrics(metric, self.labels, positive, clip)
        return by_group(self.panel, bench, metrics, self.progress)

    def draw(self, labels_per_item: int = 10, *, seed: int = 0) -> DrawnLabels:
        """A test set of primary labels drawn for every item, to `.write("labels.csv")`."""
        return draw_labels(
            self.items,
            self.labels.names,
            self.primary,
            labels_per_item=labels_per_item,
            seed=seed,
        )

    def verdict(self) -> str:
        """The ceiling, in one sentence."""
        return self._ceiling.verdict()

    def tables(self) -> tuple[Table, ...]:
        """The oracle's accuracy and the flip rates."""
        return self._ceiling.tables()

    def assumptions(self) -> tuple[str, ...]:
        """What the primary labels rest on."""
        return self._ceiling.assumptions()

    def unchecked(self) -> tuple[str, ...]:
        """What was left out or could not be estimated."""
        return self._ceiling.unchecked()

    def columns(self) -> dict[str, list[Any]]:
        """A row an item: disagreement, flip rate, labels as given and as held."""
        out: dict[str, list[Any]] = {
            "item": self.items.tolist(),
            "ratings": self.panel.votes.answers.astype(int).tolist(),
            "disagreement": disagreement_level(self.shares).tolist(),
            "flip_rate": self.flip_rate.rate.tolist(),
        }
        for j, name in enumerate(self.labels.names):
            out[f"given:{name}"] = self.shares[:, j].tolist()
        for j, name in enumerate(self.labels.names):
            out[f"primary:{name}"] = self.primary[:, j].tolist()
        return out

    def to_dict(self) -> dict[str, Any]:
        """The flip rates and the ceiling as JSON-safe values."""
        return {
            "items_used": len(self.items),
            "items_dropped": self.items_dropped,
            "labels": list(self.labels.names),
            "flip_rate": self.flip_rate.to_dict(),
            "oracle": self._ceiling.oracle[0].to_dict(),
            "notes": list(self.unchecked()),
        }

    @cached_property
    def _ceiling(self) -> Scores:
        return self.oracle("accuracy")

    def _scores(
        self,
        predictions: Predictions | None,
        metric: Metrics,
        positive: str | None,
        unknown: str,
        clip: float | None,
        *,
        soft: bool,
    ) -> Scores:
        panel = self.panel
        bench = panel.bench(predictions, positive, unknown)
        metrics = chosen_metrics(metric, self.labels, positive, clip)
        session = convene(panel.jury, bench, bench.answered)
        seated = renamed(session.classifiers, (ORACLE, SOFT_ORACLE, EVERYONE))
        read = {each.name for each in metrics if each.scorer.takes == "probabilities"}
        soft = bool(read) and (soft or any(classifier.soft for classifier in seated))
        part = part_of(session.jury, session.judged, seated, soft=soft)
        (scores,) = score_parts(
            session.jury,
            [part],
            metrics,
            panel.plan,
            bounded=panel.flips.bounded,
            progress=self.progress,
        )
        names = {classifier.name for classifier in seated}
        used = items_in(session, session.judged)
        warned = [caution(classifier, each.scorer) for classifier in seated for each in metrics]
        two = self.labels.n == 2 or positive is not None
        return Scores(
            tuple(score for score in scores if score.name in names),
            tuple(score for score in scores if score.name == ORACLE),
            panel.flips,
            used,
            panel.votes.dropped + len(panel.votes.items) - used,
            self.labels.names[self.labels.positive(positive)] if two else None,
            panel.plan.confidence,
            (
                *panel.votes.notes,
                *bench.notes,
                *dict.fromkeys(sentence for sentence in warned if sentence),
                *(_SOFT_NOTE,) * soft,
            ),
            tuple(s for s in scores if s.name == SOFT_ORACLE and s.metric in read),
        )


def deconvolve(
    ratings: Ratings,
    *,
    flip_rate: FlipOption = "auto",
    strata: StrataOption = "auto",
    formula: Formula = "all-labels",
    min_ratings: int = 1,
    repeats: Repeats = "first",
    weigh_by: Literal["items", "ratings"] = "items",
    group_weights: Mapping[str, float] | None = None,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> PrimaryLabels:
    """Set people's slips aside: what share of them holds each label, on each item.

    `flip_rate` is the chance that an answer is not what its rater mostly says: "retest" (from
    raters who were asked twice), "svd" (from a model of each rater; extra `svd`), a number,
    a rate for each item (a mapping from item id, an array in the order of the ids, or the name
    of a column of the ratings or of a file with item and rate), or
    "auto": retests on a hundred items or more, else svd, else what retests there are, else zero.
    `strata` are the levels of disagreement within which rates are pooled: "auto" (the most
    that hold a hundred items with retests each), a number, a width, or edges.
    `formula` is the retest formula for as many labels as there are, or the one for two.
    `min_ratings` leaves out items with fewer answers. `repeats="all"` also counts a rater's
    later answers on the same item. `weigh_by` lets every item or every rating count the same.
    `group_weights` mixes the groups of raters by these weights instead of by their numbers.

    >>> from headcount.data import Ratings
    >>> people = Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
    >>> labels = deconvolve(people, flip_rate=0.176, n_bootstrap=0)
    >>> labels.primary.round(3)
    array([[0.654, 0.346],
           [1.   , 0.   ]])
    >>> round(labels.oracle("accuracy").adjusted.value, 3)
    0.827
    """
    if weigh_by not in ("items", "ratings"):
        raise OptionError(f'weigh_by is "items" or "ratings", not {weigh_by!r}.')
    plan = Bootstrap(n_bootstrap, confidence, seed)
    estimation = Estimation(strata, formula, seed, progress)
    votes = votes_of(ratings, repeats=repeats, min_ratings=min_ratings, group_weights=group_weights)
    flips = flip_rates(ratings, votes, flip_rate, estimation)
    return PrimaryLabels(Panel(ratings, votes, flips, weigh_by == "ratings", plan), progress)
