"""One person's label on each item and a classifier's beside it: what they say, and what not."""

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd, Statistic
from headcount.agreement.kappa import NO_VARIATION, cohen_kappa
from headcount.agreement.weighted import Weighting, weights_between
from headcount.errors import UnanswerableError
from headcount.evaluation.confusion import Confusions, LabelConfusion, said_by
from headcount.evaluation.part import Unavailable
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.sampling.shares import half_width, items_for

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_LABELS = 100
"""Labels up to which Cohen's kappa is worked out: with more, most pairs never come."""
MOST_LISTED = 500
"""Items listed for each classifier on which it and the person differ."""
SECOND_LABELS = (25, 50, 100, 200, 400, 800, 1600)
"""Numbers of second labels that are told of, up to one for each item."""
ENOUGH = 0.1
"""Points within which two people's agreement is worth knowing: classifiers stand about as far
from people as that, and half of it takes four times the labels."""


@record
class Difference(Record):
    """An item on which a classifier says something else than the person."""

    name: str
    item: str
    person: str
    classifier: str
    text: str | None


@record
class SecondLabels(Record):
    """With so many items labelled by a second person, two people's agreement is ± `half_width`."""

    items: int
    half_width: float


@record
class BesideOnePerson(Record):
    """One classifier beside the person.

    `same` of `items` have the person's label; `agree` is that share (on a scale the share at most
    a step away), `kappa` Cohen's, which on a scale counts squared distances. `by_label` are
    precision and recall by label, none on a scale. `second` says what second labels would tell,
    `enough` how many bring two people's agreement to ± ten points, if two people agree as often as
    these two; None where labels on all items would not. `often` are the commonest pairs of labels
    that differ: person's, classifier's, items.
    """

    name: str
    items: int
    same: int
    agree: Estimate
    kappa: Estimate
    by_label: tuple[LabelConfusion, ...]
    often: tuple[tuple[str, str, int], ...]
    second: tuple[SecondLabels, ...]
    enough: int | None

    @property
    def differ(self) -> int:
        """How many items do not have the person's label."""
        return self.items - self.same


@record
class OnePerson(Result):
    """Classifiers beside one person's label an item.

    Attributes
    ----------
    person : str or None
        What the person is called; None where several people labelled one item each, or nobody
        is named.
    classifiers : tuple of BesideOnePerson
        Each classifier: agreement with its interval, Cohen's kappa, precision and recall by label,
        and how many second labels it takes to say more.
    differences : tuple of Difference
        The items on which a classifier and the person differ, with their text: the commonest kind
        of difference first.
    labels : tuple of str
    confidence : float
    about : str
        What intervals are about.
    """

    person: str | None
    classifiers: tuple[BesideOnePerson, ...]
    differences: tuple[Difference, ...]
    labels: tuple[str, ...]
    confidence: float
    about: str
    weighted: bool = hidden(default=False)

    rows: ClassVar[str] = "classifiers"

    @property
    def called(self) -> str:
        """The person in a sentence."""
        return "the person" if self.person is None else self.person

    def verdict(self) -> str:
        """How often each gives the person's label, and what that cannot show."""
        said = "; ".join(
            f"{each.name} gives {self.called}'s label on {each.same:,} of {each.items:,} items"
            for each in self.classifiers
        )
        return (
            f"{said}. Whether that is good, one person's labels cannot show: it takes a second "
            "person on some of the same items."
        )

    def sentences(self, name: str) -> tuple[str, ...]:
        """What is to be said of one classifier."""
        each: BesideOnePerson = self[name]
        said = [
            f"{name} gives {self.called}'s label on {each.same:,} of {each.items:,} items "
            f"({each.agree.text(percent=True)}"
            f"{' within one step' if self.weighted else ''}; "
            f"Cohen's kappa{' (squared distances)' if self.weighted else ''} {each.kappa.text(2)})."
            if each.kappa.value is not None
            else f"{name} gives {self.called}'s label on {each.same:,} of {each.items:,} items "
            f"({each.agree.text(percent=True)}; no kappa: {each.kappa.note}).",
            "Whether that is good, one person's labels cannot show: it takes a second person on "
            "some of the same items.",
        ]
        if each.enough is not None:
            said.append(
                f"A second person on {each.enough:,} of them, drawn at random, would show how "
                f"often two people agree, to ±{100 * ENOUGH:g} points, and what the classifier "
                "is worth in people."
            )
        return tuple(said)

    def tables(self) -> tuple[Table, ...]:
        """Agreement and kappa, label by label, second labels, and where they differ."""
        found = [self._agreement()]
        if any(each.by_label for each in self.classifiers):
            found.append(self._by_label())
        found.append(self._second())
        return (*found, self._differences()) if self.differences else tuple(found)

    def assumptions(self) -> tuple[str, ...]:
        """What the plan of second labels rests on."""
        return (
            "How many second labels it takes supposes that two people agree about as often as the "
            "person and the classifier do, and that the items are drawn at random.",
        )

    def _agreement(self) -> Table:
        kappa = "Cohen's kappa, squared distances" if self.weighted else "Cohen's kappa"
        near = "within one step" if self.weighted else "agrees"
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (each.name, each.items, each.same, each.agree.share_text(), each.kappa.text(2))
            for each in self.classifiers
        )
        return Table(
            f"Beside {self.called}",
            ("classifier", "items", "same label", near, kappa),
            rows,
            caption=f"{100 * self.confidence:g} % intervals about {self.about}.",
            id="beside-one-person",
        )

    def _by_label(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                one.name,
                one.label,
                round(one.people * each.items),
                one.recall.share_text(),
                one.said,
                one.precision.share_text(),
            )
            for each in self.classifiers
            for one in each.by_label
        )
        return Table(
            "Label by label",
            (
                "classifier",
                "label",
                f"{self.called} says it",
                "it says so too (recall)",
                "it says it",
                f"{self.called} says so too (precision)",
            ),
            rows,
            id="beside-one-person-labels",
        )

    def _second(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (each.name, one.items, f"±{100 * one.half_width:.0f} points")
            for each in self.classifiers
            for one in each.second
        )
        return Table(
            "What second labels would tell",
            ("classifier", "items labelled by a second person", "how often two people agree"),
            rows,
            caption="If two people agree as often as the person and the classifier do.",
            id="second-labels",
        )

    def _differences(self) -> Table:
        texts = any(each.text for each in self.differences)
        headings = ("classifier", "item", f"{self.called} says", "it says")
        rows: list[tuple[Cell, ...]] = []
        for each in self.differences:
            row = (each.name, each.item, each.person, each.classifier)
            rows.append((*row, each.text or "") if texts else row)
        return Table(
            "Where they differ",
            (*headings, "text") if texts else headings,
            tuple(rows),
            caption="The commonest kind of difference first.",
            id="differences-from-one-person",
        )


def beside_one_person(crowd: Crowd, confusion: Confusions | Unavailable) -> OnePerson:
    """Classifiers beside one label an item, from the crowd's shares and the confusion's."""
    counts = crowd.judged.counts
    if int(counts.sum(axis=1).max(initial=0)) > 1:
        raise UnanswerableError("Some items have the labels of several people.")
    if crowd.judged.items is None:
        raise UnanswerableError("Items were looked at in groups, and not one by one.")
    labels = crowd.judged.labels.names
    kappas = crowd.measure(_kappas) if len(labels) <= MOST_LABELS else None
    agree = crowd.agreeing["agree"]
    confidence = crowd.plan.confidence
    said, rated = counts.argmax(axis=1), counts.sum(axis=1) > 0
    classifiers: list[BesideOnePerson] = []
    differences: list[Difference] = []
    for place, name in enumerate(crowd.names):
        differ = np.flatnonzero(rated & (crowd.answers[:, place] != said))
        items, same = int(rated.sum()), int(rated.sum()) - len(differ)
        share = same / items
        listed = _listed(crowd, place, differ, said)
        differences += listed[:MOST_LISTED]
        often = Counter((each.person, each.classifier) for each in listed).most_common()
        enough = items_for(ENOUGH, share, 1.0, confidence=confidence, all_items=items)
        classifiers.append(
            BesideOnePerson(
                name,
                items,
                same,
                agree.at(place).estimate(confidence),
                Estimate.undefined(f"{len(labels)} labels are too many for it")
                if kappas is None
                else kappas["kappa"]
                .at(place)
                .estimate(confidence, scale="coefficient", undefined=NO_VARIATION),
                ()
                if isinstance(confusion, Unavailable)
                else tuple(one for one in confusion.confusions if one.name == name),
                tuple((person, it, times) for (person, it), times in often),
                tuple(
                    SecondLabels(number, half_width(share, number, confidence=confidence))
                    for number in dict.fromkeys((*(n for n in SECOND_LABELS if n < items), items))
                ),
                enough if enough <= items else None,
            )
        )
    return OnePerson(
        _person(crowd),
        tuple(classifiers),
        tuple(differences),
        labels,
        confidence,
        crowd.plan_of_samples.sentence(),
        crowd.nearness.has_order,
        library=crowd.study.library,
    )


def _person(crowd: Crowd) -> str | None:
    """What the one person is called; None where there are several, or no name."""
    layout = crowd.study.ratings.layout
    if layout.kind == "wide":
        return layout.others[0] if len(layout.others) == 1 else None
    if not crowd.study.ratings.named or crowd.study.ratings.n_raters != 1:
        return None
    return str(crowd.study.ratings.answers().raters[0])


def _listed(crowd: Crowd, place: int, rows: Ints, said: Ints) -> list[Difference]:
    """The items in `rows`, the commonest pair of labels first, then by their ids."""
    judged, labels = crowd.judged, crowd.judged.labels.names
    assert judged.items is not None
    text = crowd.study.columns.get("text") if crowd.study.ratings.layout.of_items else None
    found = [
        Difference(
            crowd.names[place],
            str(judged.items[row]),
            labels[said[row]],
            said_by(crowd, int(row), place),
            None if text is None else text.names[text.code[row]],
        )
        for row in rows
    ]
    times = Counter((each.person, each.classifier) for each in found)
    apart = {  # on a scale the farthest come first
        (labels[k], name): float(-crowd.nearness.distance[k, j])
        for k in range(len(labels))
        for j, name in enumerate(labels)
        if crowd.nearness.has_order
    }

    def place_of(each: Difference) -> tuple[float, int, str, str, int, str]:
        pair = each.person, each.classifier
        return apart.get(pair, 0.0), -times[pair], *pair, len(each.item), each.item

    return sorted(found, key=place_of)


def _kappas(crowd: Crowd) -> Statistic:
    """Cohen's kappa of each classifier with the one label of each item, (b, C).

    An answer that is none of the labels is one more label, which agrees with nobody.
    """
    answers, n_labels = crowd.answers, crowd.judged.labels.n
    weights = np.zeros((n_labels + 1, n_labels + 1))
    kind: Weighting = "quadratic" if crowd.nearness.has_order else "identity"
    weights[:n_labels, :n_labels] = weights_between(crowd.nearness.places, kind)
    weights[n_labels, n_labels] = 1.0

    def statistic(counts: Ints, rows: Ints, times: NDArray[np.number]) -> Mapping[str, Floats]:
        drawn = times * (counts.sum(axis=1) > 0)
        said = counts.argmax(axis=1)
        kappas = []
        for it in np.where(answers[rows] >= 0, answers[rows], n_labels).T:
            cell = said * (n_labels + 1) + it
            used, code = np.unique(cell, return_inverse=True)
            one_each = np.zeros((len(cell), len(used)))
            one_each[np.arange(len(cell)), code.ravel()] = 1.0
            tables = np.zeros((len(drawn), (n_labels + 1) ** 2))
            tables[:, used] = drawn @ one_each
            shape = (len(drawn), n_labels + 1, n_labels + 1)
            kappas.append(cohen_kappa(tables.reshape(shape), weights))
        return {"kappa": np.column_stack(kappas)}

    return statistic
