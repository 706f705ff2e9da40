"""What people say where a classifier says something, and the items where it stands alone."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd, Statistic, ratio
from headcount.data import Nearness
from headcount.errors import UnanswerableError
from headcount.results import Cell, Estimate, Record, Result, Table, count, hidden, record

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_LABELS = 12
"""Labels up to which confusions are worked out: more are past reading."""
MOST_ALONE = 50
"""Items listed for each classifier on which everybody else agrees."""
_LONG = 160


@record
class LabelConfusion(Record):
    """One classifier and one label, people's answers taken as shares of each item.

    `precision`: where it says the label, the share of people who say it too. `recall` (or
    sensitivity): of all that people say is the label, the share it says so too. `specificity`:
    of all that people say is not, the share it does not say so. `said` is how many items it
    gives the label, `people` the share of people's answers that are it.
    """

    name: str
    label: str
    said: int
    people: float
    precision: Estimate
    recall: Estimate
    specificity: Estimate


@record
class StandsAlone(Record):
    """An item on which everyone agrees and the classifier does not."""

    name: str
    item: str
    people: str
    ratings: int
    classifier: str
    text: str | None


@record
class Confusions(Result):
    """What people say where classifiers say something.

    `cells` has, for each classifier by name, a row an answer of its own (the labels, and the
    last for anything else) with how many items' worth of people say each label. `alone` lists
    items on which everyone agrees and the classifier does not, most ratings first; `n_alone`
    counts all of them. On a scale, not to agree is to be far, and `confusions` are none.
    """

    labels: tuple[str, ...]
    confusions: tuple[LabelConfusion, ...]
    cells: dict[str, list[list[float]]]
    alone: tuple[StandsAlone, ...]
    n_alone: dict[str, int]
    confidence: float
    about: str
    nearness: Nearness = hidden()

    rows: ClassVar[str] = "confusions"

    def verdict(self) -> str:
        """How often each classifier stands alone."""
        how = "contradicts everyone"
        if self.nearness.has_order:
            how = f"is not {self.nearness.within} of anyone, though everyone says the same,"
        return " ".join(
            f"{name} {how} on {count(n, 'item', 'items')}." for name, n in self.n_alone.items()
        )

    def tables(self) -> tuple[Table, ...]:
        """Precision, recall and specificity; the cells; the items where a classifier is alone.

        Of labels on a scale the cells and these items alone.
        """
        shares = () if self.nearness.has_order else (self._shares(),)
        return (*shares, *(self._cells(name) for name in self.cells), *self._alone())

    def _shares(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (
                each.name,
                each.label,
                each.said,
                each.precision.share_text(),
                each.recall.share_text(),
                each.specificity.share_text(),
            )
            for each in self.confusions
        ]
        return Table(
            "Label by label, against people",
            (
                "classifier",
                "label",
                "items it says it of",
                "precision",
                "recall (sensitivity)",
                "specificity",
            ),
            tuple(rows),
            caption="People's answers count as shares of their item: precision is the share of "
            "people who say the label where the classifier does; "
            f"{100 * self.confidence:g} % intervals about {self.about}.",
            id="label-by-label",
        )

    def _cells(self, name: str) -> Table:
        answers = (*self.labels, "something else")
        rows: list[tuple[Cell, ...]] = [
            (answer, *row)
            for answer, row in zip(answers, self.cells[name], strict=True)
            if sum(row)
        ]
        return Table(
            f"What people say where {name} says …",
            (name, *self.labels),
            tuple(rows),
            caption="Items, each divided among the labels as its raters are.",
            digits=1,
            id=f"cells-{name}",
        )

    def _alone(self) -> tuple[Table, ...]:
        if not self.alone:
            return ()
        texts = any(each.text for each in self.alone)
        rows: list[tuple[Cell, ...]] = []
        for each in self.alone:
            row = (each.name, each.item, each.classifier, f"{each.people} × {each.ratings}")
            rows.append((*row, _short(each.text or "")) if texts else row)
        headings = ("classifier", "item", "it says", "everyone says")
        return (
            Table(
                "Where everyone agrees and the classifier does not"
                if not self.nearness.has_order
                else "Where everyone says the same and the classifier is far from it",
                (*headings, "text") if texts else headings,
                tuple(rows),
                caption="Most ratings first: these are its own errors, or a whole crowd's.",
                id="alone",
            ),
        )


def confusions(crowd: Crowd) -> Confusions:
    """The confusion of people and each classifier."""
    labels = crowd.judged.labels.names
    if len(labels) > MOST_LABELS:
        raise UnanswerableError(
            f"With {len(labels)} labels the confusion of people and classifiers is past reading."
        )
    alone, n_alone = _alone(crowd)
    return Confusions(
        labels,
        () if crowd.nearness.has_order else tuple(_by_label(crowd)),
        {name: _cells(crowd, place) for place, name in enumerate(crowd.names)},
        alone,
        n_alone,
        crowd.plan.confidence,
        crowd.plan_of_samples.sentence(),
        crowd.nearness,
        library=crowd.study.library,
    )


def _by_label(crowd: Crowd) -> list[LabelConfusion]:
    answers, labels = crowd.answers, crowd.judged.labels.names
    measured = crowd.measure(_rates)
    items = crowd.judged.size
    people = items @ crowd.shares / items.sum()
    why = {
        "precision": "it never says so",
        "recall": "nobody says so",
        "specificity": "everybody says so",
    }
    return [
        LabelConfusion(
            name,
            label,
            int(items[answers[:, c] == k].sum()),
            float(people[k]),
            **{
                part: measured[part].at(c, k).estimate(crowd.plan.confidence, undefined=why[part])
                for part in why
            },
        )
        for c, name in enumerate(crowd.names)
        for k, label in enumerate(labels)
    ]


def _rates(crowd: Crowd) -> Statistic:
    """Precision, recall and specificity of each classifier on each label, (b, C, L)."""
    answers, codes = crowd.answers, np.arange(crowd.judged.labels.n)

    def statistic(counts: Ints, rows: Ints, times: NDArray[np.number]) -> Mapping[str, Floats]:
        size = counts.sum(axis=1)
        shares = counts / np.maximum(size, 1)[:, None]
        drawn = times.astype(np.float64)
        rated = (size > 0)[:, None]
        said = [(answers[rows, c][:, None] == codes) & rated for c in range(answers.shape[1])]
        both = np.stack([drawn @ (each * shares) for each in said], axis=1)
        says = np.stack([drawn @ each for each in said], axis=1)
        hold, items = (drawn @ shares)[:, None, :], (drawn @ rated)[:, None, :]
        return {
            "precision": ratio(both, says),
            "recall": ratio(both, hold),
            "specificity": ratio(items - hold - says + both, items - hold),
        }

    return statistic


def _cells(crowd: Crowd, place: int) -> list[list[float]]:
    shares, answers = crowd.shares, crowd.answers[:, place]
    n_labels = shares.shape[1]
    row = np.where(answers >= 0, answers, n_labels)
    cells = np.zeros((n_labels + 1, n_labels))
    np.add.at(cells, row, shares * crowd.judged.size[:, None])
    found: list[list[float]] = cells.tolist()
    return found


def _alone(crowd: Crowd) -> tuple[tuple[StandsAlone, ...], dict[str, int]]:
    """Items with at least two ratings, all the same, and another (far) answer by a classifier."""
    judged, labels = crowd.judged, crowd.judged.labels.names
    counts, size = judged.counts, judged.counts.sum(axis=1)
    united = (counts.max(axis=1) == size) & (size > 1)
    common = counts.argmax(axis=1)
    text = crowd.study.columns.get("text") if crowd.study.ratings.layout.of_items else None
    found: list[StandsAlone] = []
    numbers: dict[str, int] = {}
    for place, name in enumerate(crowd.names):
        answers = crowd.answers[:, place]
        agrees = answers == common
        if crowd.nearness.has_order:
            agrees = crowd.near[np.arange(len(common)), place, common] > 0
        rows = np.flatnonzero(united & ~agrees)
        numbers[name] = int(judged.size[rows].sum())
        if judged.items is None:
            continue
        order = rows[np.lexsort((judged.items[rows].astype(str), -size[rows]))][:MOST_ALONE]
        found += [
            StandsAlone(
                name,
                str(judged.items[row]),
                labels[common[row]],
                int(size[row]),
                said_by(crowd, row, place),
                None if text is None else text.names[text.code[row]],
            )
            for row in order
        ]
    return tuple(found), numbers


def said_by(crowd: Crowd, row: int, place: int) -> str:
    """What a classifier says of an item, in words."""
    answer = crowd.answers[row, place]
    if answer < 0:
        return "something else"
    if crowd.judged.classifiers[place].scores is not None:
        return f"{crowd.numbers[row, place]:g}"
    return crowd.judged.labels.names[int(answer)]


def _short(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
