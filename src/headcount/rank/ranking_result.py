"""Systems in their order by people, and judges by how they rank them, as a result."""

from headcount.errors import OptionError
from headcount.results import (
    Cell,
    Estimate,
    Record,
    Result,
    Table,
    count,
    hidden,
    percent,
    record,
)
from headcount.results.words import number_word, worth_text
from headcount.sampling import Plan

_SAID = 4
"""Judges that a verdict speaks of; the others stand in the table."""
_NAMED = 3
"""Systems that a sentence names beside the first."""
_SHOWN = 12
"""Systems whose pairs are all listed; of more, those next to each other in rank are."""

_STRENGTHS = {
    "mean": "the mean of what people say of a system's items",
    "win-rate": "the share of its comparisons that a system won, ties half",
    "bradley-terry": "Bradley and Terry's, in logits: a system beats one that is weaker by 1 in "
    "73 % of comparisons",
    "davidson": "Davidson's, in logits, with ties as an answer of their own",
}


@record
class RankedSystem(Record):
    """A system: its `strength` by people, and its `rank`, with all that no claim speaks against."""

    name: str
    strength: Estimate
    rank: Estimate


@record
class TwoSystems(Record):
    """Two systems: the `difference` of their strengths, and p-values, `adjusted` for all pairs."""

    first: str
    second: str
    difference: Estimate
    p_value: float | None
    adjusted: float | None

    def told_apart(self, level: float = 0.05) -> bool:
        """Whether one of the two may be claimed to be the stronger, all pairs looked at.

        Parameters
        ----------
        level : float
            The chance that any claim is false.

        Returns
        -------
        bool

        Examples
        --------
        >>> from headcount.results import Estimate
        >>> TwoSystems("a", "b", Estimate(0.4, 0.1, 0.7), 0.01, 0.03).told_apart()
        True
        """
        return self.adjusted is not None and self.adjusted <= level


@record
class Flips(Record):
    """Of `asked` comparisons seen in both orders, the `share` whose two answers differ."""

    asked: int
    share: Estimate


@record
class Position(Record):
    """Comparisons `asked` in both orders, the share `flipped`, and the share of `first` places."""

    asked: int
    flipped: Estimate
    first: Estimate


@record
class Favour(Record):
    """What a judge gives a `system` beyond people, with its p-value `adjusted` for all systems."""

    system: str
    difference: Estimate
    adjusted: float | None


@record
class RankingCurve(Record):
    """Soft pairwise accuracy of nobody, one person, two, … against one more: `points` (K,)."""

    points: tuple[Estimate, ...]


@record
class RankingJudge(Record):
    """A judge: how nearly it ranks as one person does, what it is `worth` as a ranker, its `flips`.

    Beside that `first`, the share of first places where both orders were seen, `kendall` and
    `pearson` of its strengths with people's, and whom it `favours`.
    """

    name: str
    soft_pairwise_accuracy: Estimate
    worth: Estimate
    flips: Flips | None
    first: Estimate | None = hidden(default=None)
    kendall: Estimate | None = hidden(default=None)
    pearson: Estimate | None = hidden(default=None)
    favours: tuple[Favour, ...] = hidden(default=())

    def favoured(self, level: float = 0.05) -> tuple[Favour, ...]:
        """The systems of which it may be claimed that it gives them more, or less, than people do.

        Parameters
        ----------
        level : float
            The chance that any claim about this judge is false.

        Returns
        -------
        tuple of Favour

        Examples
        --------
        >>> from headcount.results import Estimate
        >>> more = Favour("own", Estimate(0.2, 0.1, 0.3), 0.001)
        >>> nothing = Estimate.undefined("not asked for")
        >>> judge = RankingJudge("judge", nothing, nothing, None, favours=(more,))
        >>> [each.system for each in judge.favoured()]
        ['own']
        """
        return tuple(e for e in self.favours if e.adjusted is not None and e.adjusted <= level)

    def sentences(self) -> list[str]:
        """What it is worth as a ranker, and what the order of two answers does to it."""
        told = []
        if self.worth.known:
            told.append(f"{self.name} is worth {worth_text(self.worth, ' people')} as a ranker.")
        elif self.soft_pairwise_accuracy.known:
            share = self.soft_pairwise_accuracy.share_text()
            told.append(f"{self.name} ranks systems as people do with {share} accuracy.")
        if self.flips is not None:
            told.append(
                f"{self.name} gave another answer to {self.flips.share.share_text()} of "
                f"{count(self.flips.asked, 'comparison', 'comparisons')} when its order was turned."
            )
        return told


@record
class RankedSlice(Record):
    """A part of the items, those with this `value` of the slice `name`, and its `ranking`."""

    name: str
    value: str
    ranking: "Ranking"


@record
class Ranking(Result):
    """Systems in their order by people, and how judges rank them.

    Attributes
    ----------
    systems : tuple of RankedSystem
        The strongest first; under ``found["name"]`` too.
    judges : tuple of RankingJudge
        Under ``found.judge("name")`` too.
    slices : tuple of RankedSlice
        Each part of the items that was asked for, with a ranking of its own.
    pairs : tuple of TwoSystems
        Every two systems, with the difference of their strengths and whether they are told apart.
    curve : RankingCurve or None
        How nearly nobody, one person, two, … rank as one more person does.
    these : int or None
        How many raters there are, where they are too few to stand for other people.
    people : Position or None
        What the order of two answers does to people, where they saw both.
    more : int or None
        How many more items like these would tell the first two systems apart with a chance of
        80 %, if they differ as they seem to; None where they are told apart.

    Examples
    --------
    >>> import headcount as hc, pyarrow as pa
    >>> frame = pa.table({"item": [1, 2, 3, 4], "system": list("xyxy"), "label": [5, 1, 4, 2]})
    >>> found = hc.rank(hc.Ratings.from_frame(frame), n_bootstrap=0)
    >>> found["x"].strength.value
    4.5
    """

    systems: tuple[RankedSystem, ...]
    judges: tuple[RankingJudge, ...]
    slices: "tuple[RankedSlice, ...]" = ()
    pairs: tuple[TwoSystems, ...] = hidden(default=(), kw_only=True)
    curve: RankingCurve | None = hidden(default=None, kw_only=True)
    people: Position | None = hidden(default=None, kw_only=True)
    strength: str = hidden(default="mean", kw_only=True)
    items: int = hidden(default=0, kw_only=True)
    answers: int = hidden(default=0, kw_only=True)
    confidence: float = hidden(default=0.95, kw_only=True)
    samples: Plan | None = hidden(default=None, kw_only=True, compare=False)
    these: int | None = hidden(default=None, kw_only=True)
    more: int | None = hidden(default=None, kw_only=True)
    notes: tuple[str, ...] = hidden(default=(), kw_only=True)

    rows = "systems"

    def judge(self, name: str) -> RankingJudge:
        """The judge of this name.

        Parameters
        ----------
        name : str
            As the predictions call it.

        Returns
        -------
        RankingJudge

        Examples
        --------
        >>> from headcount.results import Estimate
        >>> nothing = Estimate.undefined("not asked for")
        >>> Ranking((), (RankingJudge("gpt", nothing, nothing, None),)).judge("gpt").name
        'gpt'
        """
        for each in self.judges:
            if each.name == name:
                return each
        known = ", ".join(repr(each.name) for each in self.judges) or "none"
        raise OptionError(f"There is no judge {name!r} here: {known}.")

    @property
    def leaders(self) -> tuple[RankedSystem, ...]:
        """The systems that may be the best: those that no other is claimed to be stronger than."""
        return tuple(e for e in self.systems if (e.rank.low or e.rank.value or 0) <= 1)

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Each judge's quantities by name, as requirements ask for them."""
        found: dict[str, dict[str, Estimate]] = {}
        for each in self.judges:
            found[each.name] = {
                "worth": each.worth,
                "soft_pairwise_accuracy": each.soft_pairwise_accuracy,
            }
            if each.flips is not None:
                found[each.name]["flips"] = each.flips.share
        return found

    def verdict(self) -> str:
        """Which system is best, and what judges are worth as rankers: a line each."""
        lines = [self._about_systems()] if self.systems else []
        said = [" ".join(each.sentences()) for each in self.best_first()]
        said = [line for line in said if line]
        more = len(said) - _SAID
        lines += [*said[:_SAID], *([f"{more} more in the table."] if more > 0 else [])]
        return "\n".join(lines or ["Nothing is ranked here."])

    def best_first(self) -> tuple[RankingJudge, ...]:
        """The judges by how nearly they rank as one person does.

        Returns
        -------
        tuple of RankingJudge

        Examples
        --------
        >>> from headcount.results import Estimate
        >>> worth = Estimate.undefined("not asked for")
        >>> two = [RankingJudge(n, Estimate(s), worth, None) for n, s in (("a", 0.7), ("b", 0.8))]
        >>> [each.name for each in Ranking((), tuple(two)).best_first()]
        ['b', 'a']
        """
        return tuple(sorted(self.judges, key=lambda e: -(e.soft_pairwise_accuracy.value or 0.0)))

    def _about_systems(self) -> str:
        known = [each for each in self.systems if each.strength.value is not None]
        if not known:
            return "No system was compared with another."
        first, leaders, n = known[0], self.leaders, len(self.systems)
        by = "people"
        if self.these is not None:
            by = "this one person" if self.these == 1 else f"these {number_word(self.these)} people"
        if first.rank.low is None:
            return f"{first.name} comes first of {n} systems by {by}."
        if len(leaders) == 1:
            return f"{first.name} is the best of {n} systems by {by}."
        others = [each.name for each in leaders if each is not first]
        named = ", ".join(others[:_NAMED])
        if len(others) > _NAMED:
            named += f" and {len(others) - _NAMED} more"
        return (
            f"{first.name} comes first of {n} systems by {by}, but may be no better than {named}."
        )

    def tables(self) -> tuple[Table, ...]:
        """Systems, judges, whom judges favour, and which systems are told apart."""
        found = [self._systems_table()] if self.systems else []
        if self.judges and self.systems:
            found.append(self._judges_table())
        if self.people is not None or any(each.flips for each in self.judges):
            found.append(self._position_table())
        found += self._favours_table()
        found += self._pairs_table()
        if self.curve is not None and len(self.curve.points) > 1:
            found.append(self._curve_table())
        return (*found, *self._slices_tables())

    def _systems_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (each.name, each.strength, _rank_text(each.rank)) for each in self.systems
        ]
        return Table(
            "Systems by people",
            ("system", "strength", "rank"),
            tuple(rows),
            caption=f"Strength is {_STRENGTHS[self.strength]}. Ranks are those that no claimed "
            "difference speaks against, all pairs looked at.",
            id="systems",
        )

    def _judges_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for each in self.best_first():
            worth = worth_text(each.worth, noun="") if each.worth.known else "–"
            rows.append((each.name, worth, each.soft_pairwise_accuracy, each.kendall, each.pearson))
        return Table(
            "Do judges rank systems as people do?",
            ("judge", "worth (people)", "soft pairwise accuracy", "Kendall", "Pearson"),
            tuple(rows),
            caption="Accuracy is against one person held out; the worth is how many other people "
            "rank as nearly like that person.",
            id="judges",
        )

    def _position_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        if self.people is not None and (self.people.asked or self.people.first.known):
            flipped = self.people.flipped.share_text()
            rows.append(("people", self.people.asked, flipped, self.people.first.share_text()))
        for each in self.judges:
            if each.flips is not None:
                first = "–" if each.first is None else each.first.share_text()
                rows.append((each.name, each.flips.asked, each.flips.share.share_text(), first))
        return Table(
            "Does the order of two answers decide?",
            ("who", "asked in both orders", "answers that flip", "first places"),
            tuple(rows),
            caption="First places are the share of answers, ties aside, that prefer what was shown "
            "first: without a leaning, half.",
            id="position",
        )

    def _favours_table(self) -> list[Table]:
        level = 1 - self.confidence
        rows: list[tuple[Cell, ...]] = [
            (judge.name, each.system, each.difference, each.adjusted)
            for judge in self.judges
            for each in judge.favoured(level)
        ]
        if not rows:
            return []
        return [
            Table(
                "Whom judges favour, or the opposite",
                ("judge", "system", "judge less people", "p (Holm)"),
                tuple(rows),
                caption="What a judge gives a system beyond people on the same items, its leaning "
                "to all systems set aside; only claims, adjusted for all systems of a judge.",
                id="favours",
            )
        ]

    def _pairs_table(self) -> list[Table]:
        if len(self.systems) < 2 or not self.pairs:
            return []
        place = {each.name: at for at, each in enumerate(self.systems)}
        level, rows = 1 - self.confidence, []
        near = len(self.systems) > _SHOWN
        for each in sorted(self.pairs, key=lambda e: sorted((place[e.first], place[e.second]))):
            ahead, behind = sorted((each.first, each.second), key=place.__getitem__)
            if near and place[behind] - place[ahead] > 1:
                continue
            turned = each.difference if ahead == each.first else _negative(each.difference)
            told = None if each.adjusted is None else each.told_apart(level)
            rows.append((f"{ahead} – {behind}", turned, each.adjusted, told))
        return [
            Table(
                "Which systems are told apart" + (", neighbours" if near else ""),
                ("systems", "difference", "p (Holm)", "told apart"),
                tuple(rows),
                id="pairs",
            )
        ]

    def _curve_table(self) -> Table:
        assert self.curve is not None
        rows: list[tuple[Cell, ...]] = [
            (people, point) for people, point in enumerate(self.curve.points)
        ]
        return Table(
            "How people rank: against one person held out",
            ("people", "soft pairwise accuracy"),
            tuple(rows),
            id="curve",
        )

    def _slices_tables(self) -> tuple[Table, ...]:
        found = []
        for name in dict.fromkeys(each.name for each in self.slices):
            rows: list[tuple[Cell, ...]] = []
            for piece in self.slices:
                if piece.name != name:
                    continue
                value, part = piece.value, piece.ranking
                leaders = ", ".join(each.name for each in part.leaders[: _NAMED + 1])
                more = len(part.leaders) - _NAMED - 1
                leaders += f" and {more} more" if more > 0 else ""
                for each in part.judges:
                    worth = worth_text(each.worth, noun="") if each.worth.known else "–"
                    accuracy = each.soft_pairwise_accuracy.text()
                    rows.append((value, leaders, each.name, worth, accuracy))
                if not part.judges:
                    rows.append((value, leaders, "–", "–", "–"))
            headings = (
                name,
                "may be best",
                "judge",
                "worth (people)",
                "soft pairwise accuracy",
            )
            found.append(Table(f"By {name}", headings, tuple(rows), id=f"slice {name}"))
        return tuple(found)

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        said = []
        if self.systems:
            said.append(f"Strength is {_STRENGTHS[self.strength]}.")
            claims = percent(self.confidence, None)
            said.append(
                f"Systems are told apart, and ranks given, such that with {claims} confidence no "
                "claim is false (Holm, over all pairs)."
            )
        if any(each.worth.known for each in self.judges):
            said.append(
                "A judge is worth as many people as rank systems equally near to one person held "
                "out; who knows nothing holds every order for equally likely."
            )
        if self.samples is not None:
            said.append(self.samples.speaks())
        return tuple(said)

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped, or is missing."""
        said = list(self.notes)
        if self.more is not None and len(self.systems) > 1:
            first, second = self.systems[0].name, self.systems[1].name
            said.insert(
                0,
                f"To tell {first} and {second} apart takes some {self.more:,} more items like "
                "these with a chance of 80 %, if they differ as much as they seem to.",
            )
        return tuple(said)


def _rank_text(rank: Estimate) -> str:
    """A rank in words: "1", "3 (2 to 5)"."""
    if rank.value is None:
        return "–"
    if rank.low is None or rank.high is None or rank.low == rank.high:
        return f"{rank.value:.0f}"
    return f"{rank.value:.0f} ({rank.low:.0f} to {rank.high:.0f})"


def _negative(difference: Estimate) -> Estimate:
    """The same difference the other way round."""
    if difference.value is None:
        return difference
    low = None if difference.high is None else -difference.high
    high = None if difference.low is None else -difference.low
    return Estimate(-difference.value, low, high, note=difference.note)
