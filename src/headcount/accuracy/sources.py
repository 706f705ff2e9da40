"""What every classifier's accuracy is read from: items, draws, fits, named raters, gold, scores."""

from collections.abc import Callable, Sequence
from dataclasses import field, replace

import numpy as np

from headcount.accuracy.algebra import Algebraic, estimate
from headcount.accuracy.ballots import Members
from headcount.accuracy.gold import GoldLabels, truth_chances
from headcount.accuracy.items import Items, answers_of
from headcount.accuracy.latent_classes import (
    SIDE_BY_SIDE,
    LatentClasses,
    LatentFits,
    enough_ratings,
)
from headcount.accuracy.other_people import Elsewhere, PartOfItems, about_people
from headcount.accuracy.rating_models import Judgements, Part, Sweep, members_of, sweep_models
from headcount.accuracy.score_span import Scores, scores_of
from headcount.arrays import Floats, Ints
from headcount.counting import size
from headcount.data import Named, Study, group_rows
from headcount.frozen import frozen
from headcount.options import AccuracyOptions
from headcount.results import Progress, no_progress
from headcount.sampling import Bootstrap, Samples, Tail, resample

Draws = dict[str, Floats]
"""Bootstrap samples by what was estimated of them, (S,) or (S, …)."""


# Bootstrap samples of the algebra's place in the span where no intervals were asked for.
SPAN_SAMPLES = 200


def algebraic_draws(items: Items, plan: Bootstrap, progress: Progress) -> Draws:
    """The algebraic estimates of every bootstrap sample."""

    def measured(times: Ints) -> Draws:
        found = estimate(items, times.astype(float))
        return {
            "agreement": found.agreement,
            "kappa": found.kappa(),
            "rater_accuracy": found.rater_accuracy,
            "base_rates": found.base_rates,
            "accuracy": found.accuracy().T,
        }

    return _resampled(items, plan, measured, progress, "Bootstrap samples")


def draws_for_spans(items: Items, plan: Bootstrap, draws: Draws) -> Draws:
    """The algebra's samples for its place in the span: those drawn, or some where none were."""
    if plan.samples or not items.systems:
        return draws
    return algebraic_draws(items, replace(plan, samples=SPAN_SAMPLES), no_progress)


def latent_draws(items: Items, fits: LatentFits, plan: Bootstrap, progress: Progress) -> Draws:
    """The latent classes of bootstrap samples, as many as are affordable."""
    return _resampled(
        items,
        replace(plan, samples=fits.samples),
        fits.of_samples,
        progress,
        "Latent classes of bootstrap samples",
        at_once=SIDE_BY_SIDE,
    )


def _resampled(
    items: Items,
    plan: Bootstrap,
    statistic: Callable[[Ints], Draws],
    progress: Progress,
    description: str,
    at_once: int = 64,
) -> Draws:
    if not plan.samples:
        return {}
    # The widest table that an estimate of one sample holds: batches are cut to it.
    widest = max(items.counts.size * 2, len(items.size), items.rows.n_rows * items.n_labels)
    drawn = resample(
        plan,
        items.size,
        statistic,
        width=widest,
        at_once=at_once,
        progress=progress,
        description=description,
    )
    return {name: np.asarray(values, dtype=np.float64) for name, values in drawn.items()}


@frozen
class Latent:
    """The latent classes as told, or why there are none; the fits and draws behind them."""

    told: LatentClasses | str
    fits: LatentFits | None = None
    draws: Draws = field(default_factory=dict)


@frozen
class Gold:
    """Gold for all classifiers: its labels, and each item's chances (n, L) by the ratings."""

    labels: GoldLabels
    truth: Floats


@frozen
class Sources:
    """What every classifier's accuracy is read from.

    `members` are named raters' answers where there are enough for rates of their own, `sweeps`
    says whether there are ratings enough for any model but the algebra. `span_draws` are the
    algebra's for its place in the span, which has an interval even where none were asked for.
    `part` has the items on which raters are left out in turn where these are not all.
    """

    items: Items
    found: Algebraic
    draws: Draws
    span_draws: Draws
    latent: Latent
    tail: Tail
    members: Members | None
    gold: Gold | None
    misled: float
    seed: int
    sweeps: bool
    elsewhere: Elsewhere
    scores: Scores | None = None
    part: PartOfItems | None = None

    def sweep(self, systems: Sequence[int], confidence: float) -> tuple[Sweep, ...]:
        """The models of ratings and the answers of some classifiers, one at a time."""
        asked = [self._judgements(each) for each in systems]
        return sweep_models(asked, confidence=confidence, seed=self.seed)

    def _judgements(self, system: int) -> Judgements:
        """Ratings and a classifier's answers, by name where there are enough ratings of each."""
        answers, n = self.answers(system), self.items.n_labels
        n_answers = n + int((answers == n).any())
        named = None if self.members is None else self.members.with_answers(answers)
        return Judgements(*self.grouped(system), n_answers, named)

    @property
    def notes(self) -> tuple[str, ...]:
        """That raters were left out on a part of the items, and what gold had to say."""
        return (
            *(() if self.part is None else self.elsewhere.samples.notes),
            *(() if self.gold is None else self.gold.labels.notes),
        )

    def about_people(
        self, parts: tuple[Part, ...], system: int, sweep: Sweep | None, confidence: float
    ) -> tuple[Part, ...]:
        """The parts of a span over items, with raters and clusters counted too."""
        answer, part = self.answers(system), self.part
        found = about_people(parts, sweep, self.elsewhere, answer, self.members, confidence)
        if part is None:
            return found
        return about_people(
            found, sweep, part.elsewhere, part.answers[system], part.members, confidence
        )

    def grouped(self, system: int) -> tuple[Ints, Ints, Floats]:
        """Distinct counts and answers of a classifier, and how many items have them."""
        items = self.items
        groups = group_rows(items.pattern, items.answers[system], size=items.size)
        known = self.elsewhere.read(items.counts)
        counts = known[items.pattern[groups.first]]
        return counts, items.answers[system][groups.first], groups.size.astype(float)

    def answers(self, system: int) -> Ints:
        """A classifier's answer to each item, (n,)."""
        answers: Ints = self.items.answers[system][self.items.group]
        return answers


def sources_of(
    study: Study,
    items: Items,
    found: Algebraic,
    draws: Draws,
    span_draws: Draws,
    latent: Latent,
    tail: Tail,
    named: Named | None,
    gold: GoldLabels | None,
    options: AccuracyOptions,
) -> Sources:
    """What the accuracies are read from, and which models there are ratings enough for."""
    n = items.n_labels
    counts = study.judged.counts
    members = None if named is None else members_of(named, items.n_items, n)
    above_chance = bool(np.isfinite(found.base_rates).all())
    truth = None if gold is None else Gold(gold, truth_chances(counts))
    samples = study.sampled(two_way=options.two_way)
    return Sources(
        items=items,
        found=found,
        draws=draws,
        span_draws=span_draws,
        latent=latent,
        tail=tail,
        members=members,
        gold=truth,
        misled=options.misled,
        seed=options.seed,
        sweeps=above_chance and enough_ratings(int(counts.sum(axis=1) @ study.judged.size), n),
        elsewhere=Elsewhere(counts, samples, options.seed),
        scores=scores_of(study),
        part=_part(study, samples, named if members is not None else None, options.seed),
    )


def _part(study: Study, samples: Samples, everyone: Named | None, seed: int) -> PartOfItems | None:
    """The items on which raters are left out; `everyone` where they have rates of their own."""
    if samples.part is None:
        return None
    part, those = study.people(samples)
    judged, named, members = part.judged, part.named, None
    if everyone is not None and named is not None and list(named.raters) == list(everyone.raters):
        members = members_of(named, judged.n_items, study.labels.n)
    return PartOfItems(Elsewhere(judged.counts, those, seed), answers_of(judged), members)


def sweeps_of(sources: Sources) -> tuple[Sweep, ...]:
    """The models of each classifier; none where there are too few ratings for them."""
    if not sources.sweeps:
        return ()
    return sources.sweep(range(len(sources.items.systems)), sources.tail.confidence)


def names_of(study: Study) -> tuple[Named | None, tuple[str, ...]]:
    """Who said what, where raters have names and memory allows; else a note that it does not."""
    many = study.ratings.n_ratings
    if not study.ratings.named or (many <= size.REMEMBERED and not study.in_groups):
        return study.named, ()
    return None, (
        f"{many:,} ratings are too many to keep who gave them: raters were not compared, and "
        "latent classes use one confusion matrix for all.",
    )
