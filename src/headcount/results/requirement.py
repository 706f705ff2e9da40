"""Requirements on what was found of classifiers, for use as a gate."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results.estimate import Estimate
from headcount.results.table import markdown

Part = Literal["estimate", "low", "high"]

_SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@frozen
class Quantity:
    """Something that can be required of a classifier.

    `means` is what it is to people and `says` how a sentence tells it of a classifier; `share`
    that it lies between 0 and 1 and is spoken of in percent.
    """

    name: str
    means: str
    says: str
    share: bool = True


# What requirements can name; the first one is meant where none is named.
QUANTITIES: dict[str, Quantity] = {
    each.name: each
    for each in (
        Quantity("worth", "worth in raters", "{name} is worth {value} raters{interval}", False),
        Quantity(
            "agree",
            "share of people who would agree",
            "{value} of people{interval} would agree with {name}",
        ),
        Quantity(
            "ceiling",
            "share of what any classifier could reach",
            "{name} is at {value}{interval} of what any classifier could reach",
        ),
        Quantity(
            "ideal",
            "share of what an ideal classifier would gain",
            "{name} gains {value}{interval} of what an ideal classifier would",
        ),
        Quantity("saves", "share of labels it saves", "{name} saves {value}{interval} of labels"),
        Quantity("adds", "people it adds", "{name} adds {value} people{interval}", False),
        Quantity(
            "accuracy",
            "accuracy against the unknown truth",
            "{name} is right in an estimated {value}{interval}",
        ),
        Quantity(
            "kappa",
            "Cohen's kappa with the one person",
            "{name} has a kappa of {value}{interval} with the one person",
            False,
        ),
    )
}
_ALIASES = {"oracle": "ceiling"}
_DEFAULT = "worth"

# Spaces are taken whole (*+): given back one by one they would be tried in every way, for minutes.
_FORM = re.compile(
    r"^\s*+(?:(?P<name>.+?)\s*+:)?"
    rf"\s*+(?P<quantity>{'|'.join((*QUANTITIES, *_ALIASES))})?"
    r"\s*+(?P<part>estimate|low|high)?"
    r"\s*+(?P<sign>>=|<=|>|<)\s*+(?P<bound>\S.*?)\s*$"
)
_NUMBER = re.compile(r"^(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>%)?$")
_MARGIN = re.compile(r"^\s*(?P<by>[-+−])\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>%)?\s*$")
BASELINE = "baseline"
"""What a requirement calls the same classifier in an earlier result."""
Difference = Callable[[str, str, str], Estimate]
"""The difference of two classifiers in a quantity, first less second."""


@frozen
class Requirement:
    """A bound on what was found of a classifier, or of every one where `name` is None.

    `part` is what is held against the `bound`: the "estimate" unless the "low" or the "high"
    end of the interval was named. Where `against` names another classifier, or the baseline, with
    a margin after it ("old-1%"), the difference between the two is held against the margin: the
    end of its interval that is the less favourable, so that "not worse by more than" is shown.

    >>> Requirement.parse("gpt: ceiling low >= 90%")
    Requirement(name='gpt', quantity='ceiling', part='low', sign='>=', bound=0.9, against=None)
    """

    name: str | None
    quantity: str
    part: Part
    sign: str
    bound: float
    against: str | None = None
    text: str = field(default="", repr=False, compare=False)
    """What was written."""

    @classmethod
    def parse(cls, text: str, *, among: Sequence[str] = tuple(QUANTITIES)) -> "Requirement":
        """Read a requirement as it is written on the command line.

        `gpt:>=3` is about the worth in raters, `gpt:agree>=80%` about another quantity of those
        `among` which one may be; without a name it is for every classifier.
        """
        found = _FORM.match(text)
        number = _NUMBER.match(found["bound"]) if found else None
        relative = found is not None and number is None and _relative(found)
        if found is None or (number is None and not relative):
            raise OptionError(
                f"The requirement {text!r} cannot be read: write it like {_examples(among)}; "
                "without a name it is for all of them."
            )
        named = found["quantity"] or _DEFAULT
        quantity = QUANTITIES[_ALIASES.get(named, named)]
        if quantity.name not in among:
            raise OptionError(
                f"The requirement {text!r} is on {quantity.name!r}, which is not known here: "
                f"choose {' or '.join(among)}."
            )
        part: Part = found["part"] or "estimate"  # type: ignore[assignment]
        if number is None:
            less: Part = found["part"] or ("low" if ">" in found["sign"] else "high")  # type: ignore[assignment]
            against = found["bound"]
            return cls(
                found["name"], quantity.name, less, found["sign"], 0.0, against, text.strip()
            )
        bound = _bound(text, quantity, number)
        return cls(found["name"], quantity.name, part, found["sign"], bound, None, text.strip())

    def check_name(self, names: Sequence[str]) -> None:
        """Refuse a classifier that will not be there, before anything slow is done."""
        if self.name is not None and self.name not in names:
            raise OptionError(
                f"The requirement on {self.name!r} names no classifier: there are "
                f"{', '.join(names)}."
            )
        if self.against is not None:
            self.other(names)

    def other(self, names: Sequence[str]) -> tuple[str, float]:
        """Whom the classifier is compared with, and what may be added to them.

        >>> Requirement.parse("new: agree >= gpt-4-1%").other(["new", "gpt-4"])
        ('gpt-4', -0.01)
        """
        text = self.against or ""
        for name in sorted((*names, BASELINE), key=len, reverse=True):
            rest = text.removeprefix(name)
            margin = _MARGIN.match(rest)
            if text == name:
                return name, 0.0
            if text.startswith(name) and margin is not None:
                size = float(margin["number"]) / (100 if margin["percent"] else 1)
                return name, size if margin["by"] == "+" else -size
        raise OptionError(
            f"The requirement compares with {text!r}, which names no classifier: there are "
            f"{', '.join(names)}, and {BASELINE} (with --baseline)."
        )

    def needs_baseline(self, names: Sequence[str]) -> bool:
        """Whether it compares with an earlier result, where `names` are the classifiers.

        >>> Requirement.parse("agree >= baseline-1%").needs_baseline(["new"])
        True
        >>> Requirement.parse("baseline_model:>=3").needs_baseline(["baseline_model"])
        False
        """
        return self.against is not None and self.other(names)[0] == BASELINE

    def unmet(
        self, found: Mapping[str, Mapping[str, Estimate]], difference: Difference | None = None
    ) -> tuple[str, ...]:
        """A sentence for each classifier that does not meet it.

        `found` holds the estimates by classifier, then by quantity; `difference` gives that of
        two classifiers, where a requirement compares them.
        """
        self.check_name(list(found))
        names = list(found) if self.name is None else [self.name]
        if self.against is not None:
            return self._unmet_difference(names, list(found), difference)
        return tuple(
            self._sentence(name, found[name][self.quantity])
            for name in names
            if not self._met(found[name][self.quantity])
        )

    def _unmet_difference(
        self, names: Sequence[str], known: Sequence[str], difference: Difference | None
    ) -> tuple[str, ...]:
        other, margin = self.other(known)
        said = []
        for name in names:
            if name == other:
                continue
            if difference is None:
                raise OptionError(f"Differences with {other!r} are not known here.")
            gap = difference(name, other, self.quantity)
            bounded = replace(self, bound=margin, against=None)
            if not bounded._met(gap):
                said.append(self._difference_sentence(name, other, gap, margin))
        return tuple(said)

    def luck(self, found: Mapping[str, Mapping[str, Estimate]]) -> str | None:
        """How often luck would meet it, where the value does and the end of its interval does not.

        `found` as for `unmet`. Estimates fall on either side of the truth, above it about as often
        as below. How many of a classifier at the bound would look as good as the one that met it
        by the least is read from the interval of that one.
        """
        if self.part != "estimate" or self.against is not None:
            return None
        upwards = self.sign in (">=", ">")
        end: Part = "low" if upwards else "high"
        names = list(found) if self.name is None else [self.name]
        estimates = [found[name][self.quantity] for name in names]
        lucky = [
            _as_good_by_luck(each, self.bound, upwards)
            for each in estimates
            if each.value is not None
            and each.has_interval
            and self._met(each)
            and not replace(self, part=end)._met(each)
        ]
        if not lucky:
            return None
        share = QUANTITIES[self.quantity].share
        bound = f"{100 * self.bound:g} %" if share else f"{self.bound:g}"
        return (
            f"{self.text!r} is met by the value, not by its interval. Where the truth is {bound}, "
            f"luck meets it in about half of samples like this one, and looks as good as here in "
            f"about {100 * max(lucky):.0f} %: {self._of_end(end)!r} holds the {end} end."
        )

    def _of_end(self, part: str) -> str:
        """The same requirement of an end of the interval, as it would be written."""
        written = _FORM.match(self.text)
        assert written is not None
        words = " ".join(filter(None, (written["quantity"], part)))
        name = f"{written['name']}:" if written["name"] else ""
        return f"{name}{words}{written['sign']}{written['bound']}"

    def _difference_sentence(self, name: str, other: str, gap: Estimate, margin: float) -> str:
        quantity = QUANTITIES[self.quantity]
        whom = "its baseline" if other == BASELINE else other
        if not gap.known:
            return f"the {quantity.means} of {name} less that of {whom} is not known: {gap.note}."
        told = f"{gap.points_text()} points" if quantity.share else f"{gap.text(2)} raters"
        return (
            f"{name} is not shown to be {self._asked_of_difference(margin, whom)}"
            f"{self._may_be(gap)}: {name} less {whom} is {told} in {quantity.means}."
        )

    def _asked_of_difference(self, margin: float, whom: str) -> str:
        """What a difference has to show: "at most 1 point worse than old"."""
        upwards = self.sign in (">=", ">")
        better, worse = f"better than {whom}", f"worse than {whom}"
        if margin == 0:
            return {
                ">=": f"at least as good as {whom}",
                ">": better,
                "<=": f"no better than {whom}",
                "<": worse,
            }[self.sign]
        asked = "at least" if upwards == (margin > 0) else "at most"
        return f"{asked} {self._in_words(abs(margin))} {better if margin > 0 else worse}"

    def _may_be(self, gap: Estimate) -> str:
        """What the end of a difference's interval leaves open."""
        end = gap.low if self.part == "low" else gap.high if self.part == "high" else None
        if end is None:
            return ""
        which = "better" if end > 0 else "worse"
        only = "up to" if (end > 0) == (self.part == "high") else "only"
        return f" (it may be {only} {self._in_words(abs(end))} {which})" if end else ""

    def _in_words(self, size: float) -> str:
        if not QUANTITIES[self.quantity].share:
            return f"{size:.3g} raters"
        points = f"{100 * size:.1f}".removesuffix(".0")
        return f"{points} point{'' if points == '1' else 's'}"

    def _sentence(self, name: str, estimate: Estimate) -> str:
        quantity = QUANTITIES[self.quantity]
        if estimate.is_span:
            return self._of_span(name, estimate, quantity)
        if estimate.value is None and estimate.state is None:
            return f"the {quantity.means} of {name} is not known: {estimate.note}"
        part = "estimate" if self.part == "estimate" else f"{self.part} end of the interval"
        bound = f"{100 * self.bound:g} %" if quantity.share else f"{self.bound:g}"
        value, opened, rest = estimate.text(2, percent=quantity.share).partition(" (")
        told = quantity.says.format(name=name, value=value, interval=opened + rest)
        return f"{told}, and the requirement on the {part} is {self.sign} {bound}."

    def _of_span(self, name: str, estimate: Estimate, quantity: Quantity) -> str:
        lies = f"{quantity.means} of {name} lies {estimate.text(2, percent=quantity.share)}"
        bound = f"{100 * self.bound:g} %" if quantity.share else f"{self.bound:g}"
        if self.part == "estimate":
            return (
                f"the {lies}, and that span is all there is ({estimate.note}): the requirement "
                f"{self.sign} {bound} can be made of its low or high end."
            )
        return f"the {lies}, and the requirement on the {self.part} end is {self.sign} {bound}."

    def _met(self, estimate: Estimate) -> bool:
        """Whether it surely holds: what is censored meets only what its side of the limit does."""
        number, state = {
            "estimate": (estimate.value, estimate.state),
            "low": (estimate.low, estimate.low_state),
            "high": (estimate.high, estimate.high_state),
        }[self.part]
        if state == "above":
            return self.sign in (">=", ">") and self.bound <= (estimate.ceiling or 0)
        if state == "below":
            return self.sign in ("<=", "<") and self.bound >= (estimate.floor or 0)
        return number is not None and bool(_SIGNS[self.sign](number, self.bound))


@frozen
class Held:
    """What became of requirements: a sentence for each classifier that does not meet one.

    `luck` says of requirements on bare values how often luck would meet them; `waiting` which
    requirements wait for a baseline that is not there yet.
    """

    unmet: tuple[str, ...] = ()
    luck: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    def as_markdown(self) -> str:
        """A list for people, what is not met first; empty where there is nothing to say."""
        said = (("Not met", self.unmet), ("Waits", self.waiting), ("Luck", self.luck))
        return "\n".join(
            f"- **{heading}:** {markdown(sentence)}"
            for heading, sentences in said
            for sentence in sentences
        )


def hold(
    requirements: Sequence[Requirement],
    found: Mapping[str, Mapping[str, Estimate]],
    difference: Difference | None = None,
    *,
    missing_baseline: str | None = None,
) -> Held:
    """Hold requirements against what was found; arguments as `Requirement.unmet` has them.

    Those that compare with the baseline wait where that is missing: `missing_baseline` names it.
    """
    waits = [missing_baseline is not None and r.needs_baseline(list(found)) for r in requirements]
    asked = [r for r, waiting in zip(requirements, waits, strict=True) if not waiting]
    luck = (each.luck(found) for each in asked)
    return Held(
        tuple(sentence for each in asked for sentence in each.unmet(found, difference)),
        tuple(sentence for sentence in luck if sentence is not None),
        tuple(
            f"{r.text!r} waits for a baseline: {missing_baseline} is not there yet."
            for r, waiting in zip(requirements, waits, strict=True)
            if waiting
        ),
    )


# How often the confidence is halved: to a thousandth, of which a percentage is told.
_STEPS = 10


def _as_good_by_luck(estimate: Estimate, bound: float, upwards: bool) -> float:
    """How often a classifier that lies at the bound would get this value, or one further off.

    The interval of that confidence which reaches just to the bound leaves as much outside. A half
    where no other interval can be had.
    """
    again = estimate.reread
    if again is None:
        return 0.5
    inside, outside = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        read = again(middle)
        end = read.low if upwards else read.high
        if end is not None and (end >= bound if upwards else end <= bound):
            inside = middle
        else:
            outside = middle
    return (1 - inside) / 2


def _relative(found: re.Match[str]) -> bool:
    """Whether another classifier may be meant: it is said whose quantity, or which."""
    said = found["name"] or found["quantity"]
    return bool(said and re.match(r"[^\W\d]", found["bound"]))


def _bound(text: str, quantity: Quantity, number: re.Match[str]) -> float:
    """The number on the right; shares are between 0 and 1, or have a percent sign."""
    value = float(number["number"])
    if not quantity.share:
        if number["percent"]:
            raise OptionError(f"The requirement {text!r} is on a number, not a percent.")
        return value
    share = value / 100 if number["percent"] else value
    if share > 1:
        raise OptionError(
            f"The requirement {text!r} asks for more than everything: a share is between 0 and "
            "1, or has a percent sign."
        )
    return share


def _examples(among: Sequence[str]) -> str:
    shown = ["'gpt:low>=3' (the low end of its worth in raters)"]
    shown += [
        f"'gpt:{name} low>=90%' ({QUANTITIES[name].means})"
        for name in among
        if QUANTITIES[name].share
    ]
    shown.append("'new:agree>=old-1%' (not worse than old by more than a point)")
    return f"{', '.join(shown[:-1])} or {shown[-1]}"
