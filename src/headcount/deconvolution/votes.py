"""Who counts how much: answers as weighted counts, overall and by group of raters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Answers, Ratings, Study
from headcount.deconvolution.slips import totals
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import count

Objects = NDArray[np.object_]

Repeats = Literal["first", "all"]


# With fewer ratings an item the slips of single people weigh more than what they hold.
FEW_RATINGS = 5


@frozen
class Votes:
    """What people said about each item, every answer with its weight.

    `items` (n,) ids, `counts` (n, L) weighted counts, `answers` (n,) how many answers there
    are. Where raters come in `groups`, `by_group` (n, K, L) are the weighted counts of each.
    `repeated` tells that a rater's later answers to the same item are among them. Rows may stand
    for several items that are alike: `size` (n,), one each where it is None. `rows` (n,) are
    their places among all rated items, all of them where it is None; `ballots` the answers that
    were counted, where they are not all alike, and `mixed` the weights of groups.
    """

    items: Objects
    counts: Floats
    answers: Floats
    groups: tuple[str, ...] = ()
    by_group: Floats | None = None
    dropped: int = 0
    notes: tuple[str, ...] = ()
    repeated: bool = False
    size: NDArray[np.int64] | None = None
    rows: Ints | None = None
    ballots: Answers | None = None
    mixed: Mapping[str, float] | None = None

    def of(self, group: int | None) -> Floats:
        """The votes of one group of raters, everyone's if None, (n, L)."""
        if group is None:
            return self.counts
        assert self.by_group is not None
        return self.by_group[:, group]

    def without(self, stay: NDArray[np.bool_]) -> "Votes":
        """The same items by the raters who `stay` (m,) alone; some may have no vote left."""
        assert self.ballots is not None
        found = _counted(self.ballots.where(stay[self.ballots.rater]), self.counts.shape[1])
        if self.mixed is not None:
            found = reweighted(found, self.mixed)
        return found if self.rows is None else found.take(self.rows)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many items each row stands for, (n,)."""
        return np.ones(len(self.items), dtype=np.int64) if self.size is None else self.size

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return int(self.sizes.sum())

    def take(self, keep: NDArray[np.bool_] | Ints) -> "Votes":
        """Some of the items; the others count as dropped."""
        rows = np.arange(len(self.items)) if self.rows is None else self.rows
        return replace(
            self,
            items=self.items[keep],
            counts=self.counts[keep],
            answers=self.answers[keep],
            by_group=None if self.by_group is None else self.by_group[keep],
            dropped=self.dropped + self.n_items - int(self.sizes[keep].sum()),
            size=None if self.size is None else self.size[keep],
            rows=rows[keep],
        )

    @property
    def shares(self) -> Floats:
        """The share of each label among an item's answers, (n, L)."""
        return as_shares(self.counts)


def as_shares(counts: Floats) -> Floats:
    """Counts (…, L) as shares; all zero where nothing was counted."""
    total = counts.sum(axis=-1, keepdims=True)
    shares: Floats = np.zeros(counts.shape)
    np.divide(counts, total, out=shares, where=total > 0)
    return shares


def votes_of(
    study: Study,
    *,
    repeats: Repeats = "first",
    min_ratings: int = 1,
    group_weights: Mapping[str, float] | None = None,
) -> Votes:
    """The votes on every item with at least `min_ratings` answers and some weight."""
    ratings, layout = study.ratings, study.ratings.layout
    everything = repeats == "all" and ratings.n_retests > 0
    if everything or layout.group or layout.weight:
        votes = _from_answers(ratings, repeats)
    elif study.in_groups:
        votes = _of_groups(study)
    else:
        counted = ratings.item_counts()
        counts = counted.counts.astype(np.float64)
        votes = Votes(counted.items, counts, counts.sum(axis=1))
    if group_weights is not None:
        votes = replace(reweighted(votes, group_weights), mixed=group_weights)
    return _kept(votes, min_ratings)


def _of_groups(study: Study) -> Votes:
    """A row a group of items alike in counts and answers; the others count as dropped."""
    met = study.groups
    counts = met.counts.astype(np.float64)
    names = [f"group {j + 1}" for j in range(len(counts))]
    return Votes(
        np.array(names, dtype=object),
        counts,
        counts.sum(axis=1),
        dropped=study.ratings.n_items - met.n_items,
        size=met.size,
    )


def _from_answers(ratings: Ratings, repeats: Repeats) -> Votes:
    answers = ratings.answers() if repeats == "all" else ratings.answers().first()
    notes = []
    if repeats == "all" and ratings.n_retests:
        notes.append("Every answer counts, also a rater's second answer on the same item.")
    if answers.weight is not None:
        notes.append(f"Answers count by the weights in the column {ratings.layout.weight!r}.")
    again = repeats == "all" and ratings.n_retests > 0
    votes = _counted(answers, ratings.labels.n)
    return replace(votes, notes=tuple(notes), repeated=again, ballots=answers)


def _counted(answers: Answers, n_labels: int) -> Votes:
    """Every answer with its weight, by item and label, and by group too where there are any."""
    n = len(answers.items)
    weight = np.ones(len(answers.label)) if answers.weight is None else answers.weight
    cell = answers.item * n_labels + answers.label
    return Votes(
        answers.items,
        totals(cell, weight, n * n_labels).reshape(n, n_labels),
        np.bincount(answers.item, minlength=n).astype(np.float64),
        answers.groups,
        None if answers.group is None else _by_group(answers, weight, n_labels),
    )


def _by_group(answers: Answers, weight: Floats, n_labels: int) -> Floats:
    assert answers.group is not None
    shape = (len(answers.items), len(answers.groups), n_labels)
    cell = np.ravel_multi_index((answers.item, answers.group, answers.label), shape)
    return totals(cell, weight, int(np.prod(shape))).reshape(shape)


def reweighted(votes: Votes, group_weights: Mapping[str, float]) -> Votes:
    """Each group's own shares, mixed by the share that the group has in the population.

    On an item that some groups did not rate, the others share the weight in proportion.
    An item still counts as many answers in all as it had.
    """
    if votes.by_group is None:
        raise OptionError(
            "group_weights needs ratings with a column of groups: read them with group='column'."
        )
    unknown = [name for name in group_weights if name not in votes.groups]
    absent = [name for name in votes.groups if name not in group_weights]
    numbers = np.array([group_weights.get(name, 0.0) for name in votes.groups], dtype=np.float64)
    known = ", ".join(map(repr, votes.groups))
    if unknown or absent:
        what = f"has {unknown[0]!r}" if unknown else f"lacks {absent[0]!r}"
        raise OptionError(f"group_weights {what}: it needs a number for each group ({known}).")
    if not np.isfinite(numbers).all() or (numbers < 0).any() or not numbers.any():
        raise OptionError(
            f"group_weights holds numbers of at least 0, not all 0; it was {dict(group_weights)!r}."
        )
    present = votes.by_group.sum(axis=2)
    mixed = as_shares(as_shares(votes.by_group).transpose(0, 2, 1) @ numbers)
    incomplete = int(((present <= 0) & (numbers > 0)).any(axis=1).sum())
    share = numbers / numbers.sum()
    note = "Groups of raters count as " + ", ".join(
        f"{name} {100 * part:.0f} %" for name, part in zip(votes.groups, share, strict=True)
    )
    if incomplete:
        note += (
            f"; {count(incomplete, 'item lacks', 'items lack')} ratings from some group, whose "
            "weight the others share"
        )
    return replace(votes, counts=mixed * votes.answers[:, None], notes=(*votes.notes, note + "."))


def too_few(min_ratings: int, most: int) -> str:
    """Why no item takes part."""
    return f"No item has {min_ratings} ratings (the most is {most}): choose a smaller min_ratings."


def _kept(votes: Votes, min_ratings: int) -> Votes:
    enough = votes.answers >= min_ratings
    weighty = votes.counts.sum(axis=1) > 0
    kept = votes.take(enough & weighty)
    if not len(kept.items):
        raise UnanswerableError(
            too_few(min_ratings, int(votes.answers.max(initial=0)))
            if weighty.any()
            else "No answer has any weight: check the column of weights."
        )
    notes = list(kept.notes)
    if not enough.all():
        notes.append(
            f"{int(votes.sizes[~enough].sum()):,} of {votes.n_items:,} items have fewer than "
            f"{min_ratings} "
            "ratings and were left out."
        )
    mean = float(kept.sizes @ kept.answers) / kept.n_items
    if mean < FEW_RATINGS:
        notes.append(
            f"Items have {mean:.1f} ratings on average: the majority is uncertain, and the paper's "
            "oracle, which is picked by the very labels it is scored on, is flattered."
        )
    if not weighty.all():
        without = int(votes.sizes[~weighty].sum())
        notes.append(f"{count(without, 'item has', 'items have')} no weight at all: left out.")
    return replace(kept, notes=tuple(notes))
