"""What `agreement` answers with."""

import textwrap
from collections.abc import Mapping
from typing import Any, ClassVar

from headcount.agreement.coefficients import Level
from headcount.agreement.contested import ContestedItem, DisagreementBin
from headcount.agreement.rare_label import RareLabel
from headcount.agreement.raters import Pairwise, RaterStanding
from headcount.agreement.sets import SetAgreement
from headcount.data import Nearness
from headcount.results import Cell, Estimate, Record, Result, Table, count, hidden, record
from headcount.sampling import Bootstrap, Plan
from headcount.sampling.influence import influence

# Characters of an item's text in a table: enough to know which item it is.
_LONG = 120
_SAYS = {
    "percent_agreement": ("percent agreement", "pairs of ratings on one item that are the same"),
    "kappa": ("kappa, chance 1/N", "beyond raters who pick labels evenly at random"),
    "fleiss_kappa": ("Fleiss's kappa", "beyond chance, by how often labels are used"),
    "krippendorff_alpha": ("Krippendorff's alpha", "beyond chance, weighing how labels differ"),
    "gwet_ac1": ("Gwet's AC1", "beyond chance, steady when one label is rare"),
    "conger_kappa": ("Conger's kappa", "beyond chance, by each rater's own habits"),
    "weighted_kappa": ("Fleiss's kappa, quadratic", "the same, with part credit for near answers"),
    "linear_kappa": ("Fleiss's kappa, linear", "the same, with less credit for near answers"),
    "gwet_ac2": ("Gwet's AC2, quadratic", "AC1 with part credit for near answers"),
}
"""Each coefficient's name for people, and what it says."""

_ON_A_SCALE = {
    "krippendorff_alpha": ("Krippendorff's alpha", "beyond chance, weighing how far apart"),
    "weighted_kappa": ("Fleiss's kappa, quadratic", "beyond chance, with part credit when near"),
    "gwet_ac2": ("Gwet's AC2, quadratic", "the same, steady when one level is rare"),
}
"""The coefficients that see how far answers lie apart: all that are shown of labels on a scale."""

_TAKEN_FOR = {"nominal": "names", "ordinal": "levels in order", "interval": "numbers"}
"""What labels are taken for at each level of alpha."""
_AGREES = ("agrees with", "agree with")
_SHOWN_RATERS = 10
_SHOWN_MATRIX = 8
_NAMED = 3
"""Raters that a sentence names at most."""
_MATRIX_IN_JSON = 60
_FEW_ITEMS = 100


@record
class Coefficient(Record):
    """A coefficient as a row: its key, its name for people, what it says, its estimate."""

    name: str
    title: str
    says: str
    estimate: Estimate

    def told(self) -> dict[str, Any]:
        """The key and the estimate's parts."""
        value, low, high = self.estimate
        return {
            "coefficient": self.name,
            "value": value,
            "low": low,
            "high": high,
            "note": self.estimate.note,
        }


@record
class Agreement(Result):
    """How much raters agree.

    Attributes
    ----------
    percent_agreement : Estimate
        How often two ratings of one item are the same.
    kappa, fleiss_kappa, krippendorff_alpha, gwet_ac1 : Estimate
        The same beyond chance, by four ideas of chance; alpha is at `level`.
    conger_kappa : Estimate or None
        Beyond chance by each rater's own habits; None where raters have no names.
    weighted_kappa, linear_kappa, gwet_ac2 : Estimate or None
        With part credit for near answers, by quadratic weights and by linear ones; None where
        labels have no order.
    two_people : Estimate
        How often two people agree who are asked about the same item, every item counting the same:
        on a scale, how often they are near each other (at most a step apart).
    near, distance : Estimate or None
        The same, and how far apart they are on average; None where labels have no order.
    level : {"nominal", "ordinal", "interval"}
        How alpha weighs different labels.
    alpha_by_level : dict of str to Estimate
        Alpha at every level that the labels allow.
    item_agreement : float or None
        Percent agreement when every item counts the same.
    items, items_compared : int
        Items, and those with two ratings or more.
    raters : int or None
        How many there are; None where they have no names.
    ratings, pairs : int
        Ratings, and pairs of them on one item.
    labels : tuple of str
        The labels in order.
    raters_table : tuple of RaterStanding
        The raters, least agreeing first.
    pairwise : Pairwise or None
        Every pair of them.
    contested : tuple of ContestedItem
        The items two more raters would most likely disagree on.
    disagreement : tuple of DisagreementBin
        How many items are how divided.
    notes : tuple of str
        What became of the data.
    sets : SetAgreement or None
        Where answers tick several options: how often two people tick the same, and alpha of the
        sets by Jaccard's distance and by MASI, beside the coefficients of the yes/no questions.

    Examples
    --------
    >>> import headcount as hc
    >>> counts = [[3, 0], [0, 3], [2, 1]] * 20
    >>> found = hc.agreement(hc.Ratings.from_counts(counts, labels=["no", "yes"]), n_bootstrap=0)
    >>> round(float(found.percent_agreement), 3)
    0.778
    """

    percent_agreement: Estimate
    kappa: Estimate
    fleiss_kappa: Estimate
    krippendorff_alpha: Estimate
    gwet_ac1: Estimate
    conger_kappa: Estimate | None
    weighted_kappa: Estimate | None
    linear_kappa: Estimate | None
    gwet_ac2: Estimate | None
    two_people: Estimate
    near: Estimate | None
    distance: Estimate | None
    level: Level
    alpha_by_level: dict[str, Estimate]
    item_agreement: float | None
    items: int
    items_compared: int
    raters: int | None
    ratings: int
    pairs: int
    labels: tuple[str, ...]
    raters_table: tuple[RaterStanding, ...]
    pairwise: Pairwise | None = hidden()
    contested: tuple[ContestedItem, ...]
    disagreement: tuple[DisagreementBin, ...]
    notes: tuple[str, ...]
    plan: Bootstrap = hidden()
    samples: Plan = hidden()
    nearness: Nearness = hidden()
    rare: RareLabel | None = hidden(default=None)
    sets: SetAgreement | None = None

    rows: ClassVar[str] = "coefficients"
    also = (
        "readable_pairs",
        "confidence",
        "n_bootstrap",
        "two_way",
        "about",
        "rare",
        "unchecked",
    )
    named: ClassVar[Mapping[str, str]] = {"readable_pairs": "pairwise", "rare": "rare_label"}

    @property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """The coefficients in the order in which they are shown."""
        known = {key: said for key, said in _SAYS.items() if getattr(self, key) is not None}
        return tuple(Coefficient(key, *said, getattr(self, key)) for key, said in known.items())

    @property
    def shown(self) -> tuple[Coefficient, ...]:
        """The coefficients for people: on a scale those that see how far answers lie apart."""
        if not self.nearness.has_order:
            return self.coefficients
        known = {key: said for key, said in _ON_A_SCALE.items() if getattr(self, key) is not None}
        return tuple(Coefficient(key, *said, getattr(self, key)) for key, said in known.items())

    @property
    def readable_pairs(self) -> Pairwise | None:
        """Every pair of raters, unless their matrix is past reading."""
        matrix = self.pairwise
        return matrix if matrix is not None and len(matrix.raters) <= _MATRIX_IN_JSON else None

    @property
    def confidence(self) -> float:
        """The confidence of the intervals."""
        return self.plan.confidence

    @property
    def n_bootstrap(self) -> int:
        """How many bootstrap samples there are."""
        return self.plan.samples

    @property
    def two_way(self) -> bool:
        """Whether raters are taken as a sample too."""
        return self.samples.counts_raters

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.samples.sentence()

    def verdict(self) -> str:
        """How often two people agree, and what that is worth beyond chance."""
        share, alpha = self.two_people, self.krippendorff_alpha
        if share.value is None:
            return f"Agreement cannot be measured: {share.note}."
        opening = f"Two people asked about the same item {self._two_people()}; "
        opening += "Krippendorff's alpha is "
        if alpha.value is None:
            return f"{opening}undefined: {alpha.note}."
        return f"{opening}{alpha.text(2)}, {_custom(alpha.value)}."

    def _two_people(self) -> str:
        if self.near is None or self.distance is None:
            return f"agree {self.two_people.whose_text(percent=True)} of the time"
        return (
            f"are {self.nearness.within} of each other {self.near.whose_text(percent=True)} of "
            "the time, "
            f"{self.distance.text(2)}{self.nearness.unit} apart on average"
        )

    @property
    def disagreeing(self) -> str:
        """Pairs of ratings that disagree, as a heading."""
        if not self.nearness.has_order:
            return "pairs that disagree"
        beyond = self.nearness.within.removeprefix("within ")
        return f"pairs more than {beyond} apart"

    def tables(self) -> tuple[Table, ...]:
        """The coefficients, the raters, the contested items."""
        tables = [self._coefficient_table()]
        if self.sets is not None:
            tables.append(_sets_table(self.sets))
        if self.raters_table:
            tables.append(self._rater_table())
        if self.pairwise is not None and 2 < len(self.pairwise.raters) <= _SHOWN_MATRIX:
            tables.append(_matrix_table(self.pairwise, self.nearness))
            if self.pairwise.kappas is not None:
                tables.append(_kappa_table(self.pairwise, ordered=self.gwet_ac2 is not None))
        if self.contested:
            tables.append(_contested_table(self.contested, self.disagreeing))
        return tuple(tables)

    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        sentences = [
            "Raters answered independently of each other, and each pair of ratings on an item "
            "is by two people.",
        ]
        if self.plan.samples:
            sentences.append(
                f"Intervals are for {100 * self.plan.confidence:g} % confidence, from "
                f"{self.plan.samples:,} bootstrap samples of {self._drawn()}: they speak of "
                f"{self.samples.sentence()}."
            )
            sentences += self.samples.caution()
        return tuple(sentences)

    def unchecked(self) -> tuple[str, ...]:
        """What was left out, assumed or deserves a second look."""
        sentences = [*self._rare_label(), *self._who_matters(), *self.notes]
        single = self.items - self.items_compared
        if single:
            sentences.append(
                f"{single:,} of {self.items:,} items {'has' if single == 1 else 'have'} one rating "
                "only: nothing there can be compared."
            )
        share = self.percent_agreement.value
        by_item = None if self.nearness.has_order else self.item_agreement
        if share is not None and by_item is not None and abs(share - by_item) >= 0.005:
            sentences.append(
                "Items with more ratings have more pairs and so more weight in percent "
                f"agreement; if every item counted the same it would be {100 * by_item:.1f} %."
            )
        if 1 < self.items_compared < _FEW_ITEMS:
            sentences.append(
                f"With {self.items_compared} items to compare, intervals are a little too narrow."
            )
        others = [
            f"{estimate.value:.3f} for {_TAKEN_FOR[level]}"
            for level, estimate in self.alpha_by_level.items()
            if level != self.level and estimate.value is not None
            if level != "nominal" or not self.nearness.has_order
        ]
        if others and len(self.labels) > 2:
            sentences.append(
                f"Alpha takes the labels for {_TAKEN_FOR[self.level]}; it would be "
                f"{' and '.join(others)}."
            )
        return tuple(sentences)

    def _drawn(self) -> str:
        units = "items" if self.samples.clusters is None else f"each {self.samples.cluster} whole"
        left = " and from leaving raters out" if self.samples.counts_raters else ""
        return f"{units}{left}"

    def _rare_label(self) -> tuple[str, ...]:
        """Why agreement, AC1 and alpha tell three stories, where one label is rare."""
        share, ac1 = self.two_people.value, self.gwet_ac1.value
        alpha = self.alpha_by_level["nominal"].value
        if self.rare is None or share is None or ac1 is None or alpha is None:
            return ()
        return (self.rare.sentence(share, ac1, alpha, self.labels[self.rare.common]),)

    def _who_matters(self) -> tuple[str, ...]:
        """Raters without whom the verdict on alpha would be another, and those at chance."""
        alpha = self.krippendorff_alpha.value
        known = [each for each in self.raters_table if each.alpha_without is not None]
        said = []
        if alpha is not None:
            found = influence(alpha, [each.alpha_without or 0.0 for each in known], _custom)
            moved = [known[j] for j in found.order if j in found.moved][:_NAMED]
            said = [
                f"Without {each.rater}, alpha would be {each.alpha_without:.2f} instead of "
                f"{alpha:.2f}: {_custom(each.alpha_without or 0.0)}."
                for each in moved
            ]
        lost = [each.rater for each in self.raters_table if each.standing in ("at", "below")]
        if lost:
            more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
            one, many = ("is near", "are near") if self.nearness.has_order else _AGREES
            said.append(
                f"{', '.join(lost[:_NAMED])}{more} {one if len(lost) == 1 else many} the others no "
                "more than the same answers in random order would."
            )
        return tuple(said)

    def _least_title(self) -> str:
        if self.nearness.has_order:
            return "Raters who are least often near the others"
        return "Raters who agree least with the others"

    def _coefficient_table(self) -> Table:
        rows = tuple(
            (
                f"{each.title}, {self.level}" if each.name == "krippendorff_alpha" else each.title,
                each.estimate,
                each.says if each.estimate.value is not None else str(each.estimate.note),
            )
            for each in self.shown
        )
        raters = "" if self.raters is None else f" by {count(self.raters, 'rater', 'raters')}"
        return Table(
            "How much people agree",
            ("coefficient", "estimate", "what it says"),
            rows,
            caption=f"{count(self.ratings, 'rating', 'ratings')} of "
            f"{count(self.items, 'item', 'items')}{raters}, "
            f"{count(self.pairs, 'pair', 'pairs')} to compare.",
            id="coefficients",
        )

    def _rater_table(self) -> Table:
        shown = self.raters_table[:_SHOWN_RATERS]
        more = len(self.raters_table) - len(shown)
        left = any(each.alpha_without is not None for each in shown)
        rows: list[tuple[Cell, ...]] = []
        for each in shown:
            row = (each.rater, each.ratings, each.agreement, each.compared, each.standing)
            rows.append((*row, each.alpha_without) if left else row)
        alike = "agreement with others"
        if self.nearness.has_order:
            alike = f"{self.nearness.within} of others"
        headings = ("rater", "ratings", alike, "answers compared with", "chance")
        return Table(
            self._least_title() if more else "Each rater against the others",
            (*headings, "alpha without") if left else headings,
            tuple(rows),
            caption=f"and {count(more, 'more rater', 'more raters')}" if more else "",
            id="raters",
        )


def _custom(alpha: float) -> str:
    if alpha >= 0.8:
        return "at or above the 0.8 that is customarily asked of reliable data"
    if alpha >= 2 / 3:
        return "between the customary 0.667 (tentative conclusions) and 0.8 (reliable data)"
    if alpha > 0:
        return (
            "below the customary 0.667: one person's label is not a truth to judge a classifier by"
        )
    return "no better than chance"


def _matrix_table(matrix: Pairwise, nearness: Nearness) -> Table:
    rows = tuple((name, *row) for name, row in zip(matrix.raters, matrix.agreement(), strict=True))
    title = "Agreement of each pair of raters"
    if nearness.has_order:
        title = f"Share of answers {nearness.within}, each pair of raters"
    return Table(title, ("rater", *matrix.raters), rows, id="pairwise")


def _kappa_table(matrix: Pairwise, *, ordered: bool) -> Table:
    rows = tuple((name, *row) for name, row in zip(matrix.raters, matrix.kappa(), strict=True))
    weights = ", quadratic weights" if ordered else ""
    title = f"Cohen's kappa of each pair of raters{weights}"
    return Table(title, ("rater", *matrix.raters), rows, id="kappas")


def _contested_table(contested: tuple[ContestedItem, ...], disagreeing: str) -> Table:
    two_more = disagreeing.removeprefix("pairs ").removeprefix("that ")
    texts = any(each.text for each in contested)
    return Table(
        "The most contested items",
        (
            "item",
            "ratings",
            "answers",
            disagreeing,
            "two more would disagree" if two_more == "disagree" else f"two more {two_more}",
            *(("text",) if texts else ()),
        ),
        tuple(
            (
                each.item,
                each.ratings,
                ", ".join(f"{label} × {count}" for label, count in each.counts.items()),
                each.disagreement,
                each.expected_disagreement,
                *((textwrap.shorten(each.text or "", _LONG, placeholder=" …"),) if texts else ()),
            )
            for each in contested
        ),
        digits=2,
        caption="Ordered by the chance that two more raters would disagree."
        if two_more == "disagree"
        else f"Ordered by the chance that two more raters would be {two_more}.",
        id="contested",
    )


def _sets_table(sets: SetAgreement) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = (
        ("two people tick just the same", sets.same.share_text()),
        ("alpha, Jaccard's distance", sets.jaccard_alpha.text(3)),
        ("alpha, MASI", sets.masi_alpha.text(3)),
    )
    return Table(
        "Answers as sets of options",
        ("on all options at once", "value"),
        rows,
        caption=f"{count(sets.items, 'item', 'items')} with two answers or more, "
        f"{count(sets.different, 'different set', 'different sets')}; intervals about items.",
        id="sets",
    )
