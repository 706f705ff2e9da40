"""Which items to label next: those whose next label can change the choice the most."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError
from headcount.options.declared import leaving
from headcount.plan.choice import CONTENDER, Choice
from headcount.plan.pilot_moments import label_moments
from headcount.results import Result, Table, hidden, record
from headcount.sameness import as_good

# Items that a table shows; the file has all of them.
SHOWN = 10
LEAST_ALIKE, MOST_ALIKE = 0.5, 50.0
"""How many labels' worth what is known of similar items may be."""


@record
class NextItems(Result):
    """Items in the order in which to label them, best first.

    `to_frame()` has a row an item: what the contenders say of it, the labels it has so far, and by
    how many points its next label is expected to move the difference between the leader and its
    rivals (as a standard deviation).

    Attributes
    ----------
    leader : str
        The classifier that is ahead now.
    contenders : tuple of str
        Those that may still be the best one.
    items : tuple of str
        (m,) the items.
    change : tuple of float
        (m,) the expected change, as a share.
    labels : tuple of int
        (m,) labels so far.
    left_out : int
        Items on which all contenders say the same: they change nothing and are not listed.
    unlabelled : int
        Listed items that have no label yet.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("comments", items=60, seed=1)
    >>> found = next_items(made.ratings, made.predictions)
    >>> found.change[0] >= found.change[-1]
    True
    """

    leader: str
    contenders: tuple[str, ...]
    left_out: int
    unlabelled: int
    items: tuple[str, ...] = hidden()
    change: tuple[float, ...] = hidden()
    labels: tuple[int, ...] = hidden()
    answers: tuple[tuple[str, ...], ...] = hidden()
    texts: tuple[str | None, ...] | None = hidden(default=None)
    notes: tuple[str, ...] = ()

    def verdict(self) -> str:
        """How many items are worth a label, and how far the first is ahead."""
        one = f"{self.items[0]!r} first" if self.items else "nothing"
        ahead = ""
        if self.items and self.change[-1] > 0:
            ahead = f", whose label counts {self.change[0] / self.change[-1]:.2g} times the last's"
        return (
            f"Label {one}{ahead}: {len(self.items):,} items on which "
            f"{' and '.join(self.contenders)} differ are worth a label ({self.unlabelled:,} of "
            f"them have none yet); {self.left_out:,} on which they say the same are not."
        )

    def tables(self) -> tuple[Table, ...]:
        """The first of them."""
        columns = self.columns()
        rows = tuple(zip(*(values[:SHOWN] for values in columns.values()), strict=True))
        title = f"The first {len(rows)} of {len(self.items):,} items"
        return (Table(title, tuple(columns), rows, digits=4, id="items"),)

    def columns(self) -> dict[str, list[Any]]:
        """A row an item, best first."""
        out: dict[str, list[Any]] = {
            "rank": list(range(1, len(self.items) + 1)),
            "item": list(self.items),
        }
        if self.texts is not None:
            out["text"] = list(self.texts)
        for place, name in enumerate(self.contenders):
            out[name] = [said[place] for said in self.answers]
        out["labels_so_far"] = list(self.labels)
        out["expected_change_points"] = [100 * value for value in self.change]
        return out

    def assumptions(self) -> tuple[str, ...]:
        """What the order rests on."""
        return (
            "A label's expected change is the spread of what it may say, by the item's labels so "
            "far and by items on which the classifiers said the same, over what it then counts.",
            "To choose between classifiers only: labels for other uses need other items too.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What became of the data."""
        return self.notes


def next_items(
    ratings: Any,
    predictions: Any = None,
    *,
    classifiers: Sequence[str] | None = None,
    texts: Mapping[str, str] | None = None,
    contender: float | None = None,
    positive: str | None = None,
    unknown: str = "error",
) -> NextItems:
    """Rank every predicted item by how much its next label is expected to change the choice.

    Parameters
    ----------
    ratings, predictions
        Labels so far and what the classifiers said, of labelled and unlabelled items.
    classifiers
        Only these, two or more.
    texts
        What an item says, by its id, to stand beside it.
    contender
        Goes with the next release: classifiers with a chance of 1 % of being the best take part.
    positive, unknown
        As in `evaluate`.

    Returns
    -------
    NextItems
        ``to_frame()`` has a row an item, best first.

    Notes
    -----
    With s_l the chance that the next label of an item is l, and y_l = 1 where l is the leader's
    answer, −1 where it is the rival's, the next label changes the difference by √Var(y) over
    the number of labelled items, and by 1/(n_i + 1) of that where the item has n_i labels
    already. s mixes the item's own labels with those of items with the same answers.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("comments", items=300, seed=1)
    >>> found = next_items(made.ratings, made.predictions)
    >>> found.to_frame().column_names[:2], found.change[0] >= found.change[-1]
    (['rank', 'item'], True)
    """
    from headcount.data import as_study, predicted_items

    leaving("contender", contender, "a chance of 1 % of being the best makes a contender")
    study = as_study(ratings, predictions, positive=positive, unknown=unknown)
    names = list(study.names) if classifiers is None else list(classifiers)
    strange = [name for name in names if name not in study.names]
    if strange or len(set(names)) != len(names) or len(names) < 2:
        known = ", ".join(map(repr, study.names))
        raise OptionError(f"classifiers names two or more of {known}; it was {names!r}.")
    pool = predicted_items(study, names)
    change, contenders, leader = item_changes(
        pool.counts, pool.decisions, contender=contender or CONTENDER
    )
    worth = np.flatnonzero(change > 0)
    order = worth[np.lexsort([np.arange(len(worth)), -change[worth]])]
    labels = pool.counts[order].sum(axis=1)
    said = np.array([*study.labels.names, "(no label)"], dtype=object)[pool.decisions[order]]
    ids = [str(item) for item in pool.items[order]]
    return NextItems(
        leader=names[leader],
        contenders=tuple(names[place] for place in contenders),
        left_out=len(change) - len(worth),
        unlabelled=int((labels == 0).sum()),
        items=tuple(ids),
        change=tuple(change[order].tolist()),
        labels=tuple(labels.tolist()),
        answers=tuple(tuple(row) for row in said[:, contenders].tolist()),
        texts=None if texts is None else tuple(texts.get(item) for item in ids),
        notes=study.judged.notes,
        library=study.library,
    )


def item_changes(
    counts: Ints, decisions: Ints, *, contender: float = CONTENDER
) -> tuple[Floats, list[int], int]:
    """How much the next label of each item is expected to move the choice; who contends, who leads.

    `counts` (m, L) with rows of zeros for unlabelled items, `decisions` (m, C).
    """
    rated = counts.sum(axis=1) > 0
    choice = Choice(label_moments(counts[rated], decisions[rated]))
    best, (leader, second) = choice.best_chances(), choice.first_two
    # Where nobody contends, whoever is second; several who are the same are second together.
    least = min(contender, best[second])
    rivals = [k for k in range(len(best)) if k != leader and as_good(best[k], least)]
    weight = np.array([max(best[k], 1e-6) for k in rivals])
    chances = next_label(counts, decisions)
    size = counts.sum(axis=1)
    counted = np.where(size > 0, 1 / (size + 1), 1.0) / (rated.sum() + (size == 0))
    squares = np.zeros(len(counts))
    for rival, share in zip(rivals, weight / weight.sum(), strict=True):
        up, down = (_chance_of(chances, decisions[:, k]) for k in (leader, rival))
        apart = decisions[:, leader] != decisions[:, rival]
        squares += share * apart * (up + down - (up - down) ** 2)
    return np.sqrt(np.maximum(squares, 0.0)) * counted, sorted([leader, *rivals]), leader


def next_label(counts: Ints, decisions: Ints) -> Floats:
    """P(the next label of an item is each of them), (m, L).

    The item's own labels, and the mean of labelled items that have the same answers, which
    weighs as much as so many labels as people's agreement on such items says.
    """
    size = counts.sum(axis=1)
    share = counts / np.maximum(size, 1)[:, None]
    rated = size > 0
    overall = share[rated].mean(axis=0)
    _, cell = np.unique(decisions, axis=0, return_inverse=True)
    cell = cell.ravel()
    n_cells = int(cell.max()) + 1
    sums = np.zeros((n_cells, counts.shape[1]))
    np.add.at(sums, cell[rated], share[rated])
    like = (sums + overall) / (np.bincount(cell[rated], minlength=n_cells)[:, None] + 1)
    prior = like[cell]
    alike = _labels_worth(counts[size >= 2], prior[size >= 2])
    return np.asarray((alike * prior + counts) / (alike + size)[:, None])


def _labels_worth(counts: Ints, prior: Floats) -> float:
    """How many labels of an item what similar items say is worth: (1 − ρ)/ρ."""
    if not len(counts):
        return 1.0
    size = counts.sum(axis=1)
    agree = float(np.mean((counts * (counts - 1)).sum(axis=1) / (size * (size - 1))))
    chance = float(np.mean((prior * prior).sum(axis=1)))
    rho = (agree - chance) / max(1 - chance, 1e-9)
    return float(np.clip((1 - rho) / max(rho, 1e-9), LEAST_ALIKE, MOST_ALIKE))


def _chance_of(chances: Floats, answer: Ints) -> Floats:
    rows = np.arange(len(answer))
    return np.asarray(np.where(answer >= 0, chances[rows, np.maximum(answer, 0)], 0.0))
