"""What every classifier's accuracy is read from: items, draws, fits, named raters, gold, scores."""

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from headcount.accuracy.bins import Algebraic
from headcount.accuracy.draws import Draws
from headcount.accuracy.gold import GoldLabels, truth_chances
from headcount.accuracy.items import Floats, Ints, Items, answers_of
from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.latent_system import LatentFits, enough_ratings
from headcount.accuracy.members import Members
from headcount.accuracy.people import Elsewhere, PartOfItems, about_people
from headcount.accuracy.sweep import Judgements, Part, People, Sweep, members_of, sweep_models
from headcount.data import Named, Study, enough, group_rows
from headcount.frozen import frozen
from headcount.options import AccuracyOptions
from headcount.sampling import Samples, Tail

MOST_REMEMBERED = 30_000_000
"""Ratings past which names of raters are not looked at: they would not fit in memory."""


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
class Scores:
    """Labels that are numbers: people's scores (n, J) with NaN for none, and each system's (n,)."""

    people: Floats
    systems: tuple[Floats, ...]


@frozen
class Sources:
    """What every classifier's accuracy is read from.

    `members` are named raters' answers where there are enough for rates of their own, `sweeps`
    says whether there are ratings enough for any model but the algebra. `part` has the items on
    which raters are left out in turn where these are not all.
    """

    items: Items
    found: Algebraic
    draws: Draws
    latent: Latent
    tail: Tail
    members: Members | None
    gold: Gold | None
    misled: float
    seed: int
    sweeps: bool
    elsewhere: Elsewhere
    scores: "Scores | None" = None
    part: PartOfItems | None = None

    def sweep(self, systems: Sequence[int], confidence: float) -> tuple[Sweep, ...]:
        """The models of ratings and the answers of some classifiers, one at a time."""
        asked = [Judgements(*self.grouped(each), self._people(each)) for each in systems]
        return sweep_models(asked, confidence=confidence, seed=self.seed)

    def _people(self, system: int) -> People | None:
        """Named raters beside a classifier, where there are enough ratings of each."""
        if self.members is None:
            return None
        rows = self.members.with_answers(self.answers(system))
        return People(rows.counts, rows.answer, rows.size)

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
        latent=latent,
        tail=tail,
        members=members,
        gold=truth,
        misled=options.misled,
        seed=options.seed,
        sweeps=above_chance and enough_ratings(int(counts.sum(axis=1) @ study.judged.size), n),
        elsewhere=Elsewhere(counts, samples, options.seed),
        scores=_scores(study),
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


def _scores(study: Study) -> Scores | None:
    """People's and classifiers' scores, where labels are numbers and more than two."""
    values, judged = study.labels.values, study.judged
    if values is None or not study.scale.has_order or study.labels.n < 3:
        return None
    counts = enough(judged.counts)
    item, label = np.nonzero(counts)
    times = counts[item, label]
    item, given = np.repeat(item, times), np.repeat(values[label], times)
    per_item = counts.sum(axis=1)
    place = np.arange(len(item)) - np.repeat(np.cumsum(per_item) - per_item, per_item)
    people = np.full((len(per_item), int(per_item.max(initial=1))), np.nan)
    people[item, place] = given
    systems = tuple(
        np.where(each.top() < 0, np.nan, values[each.top()])
        if each.probabilities is None
        else each.probabilities @ values
        for each in judged.classifiers
    )
    return Scores(people, systems)


def sweeps_of(sources: Sources) -> tuple[Sweep, ...]:
    """The models of each classifier; none where there are too few ratings for them."""
    if not sources.sweeps:
        return ()
    return sources.sweep(range(len(sources.items.systems)), sources.tail.confidence)


def names_of(study: Study) -> tuple[Named | None, tuple[str, ...]]:
    """Who said what, where raters have names and memory allows; else a note that it does not."""
    many = study.ratings.n_ratings
    if not study.ratings.named or (many <= MOST_REMEMBERED and not study.in_groups):
        return study.named, ()
    return None, (
        f"{many:,} ratings are too many to keep who gave them: raters were not compared, and "
        "latent classes use one confusion matrix for all.",
    )
