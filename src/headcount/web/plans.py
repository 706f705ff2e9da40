"""What the calculators compute: a plan from plain numbers, as words, tables and pictures."""

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options import AccuracyPlanOptions, Options, described
from headcount.options.plans import ComparisonPlanOptions, GoldPlanOptions, RatingsPlanOptions
from headcount.web.choices import as_number

# Letters of one field: a table of shares pasted in has a few hundred.
_MOST_TEXT = 20_000


@frozen
class Picture:
    """A chart of a plan: which part of it, what to see, and which numbers it draws."""

    name: str
    part: Mapping[str, str]
    caption: str


@frozen
class Plan:
    """One calculator: its options, the command that does the same, and where it starts.

    `dials` are the ends and the step of sliders; `most` bounds what a page may ask for;
    `slow` plans are simulated in a process of their own.
    """

    name: str
    title: str
    question: str
    options: type[Options]
    words: tuple[str, ...]
    start: Mapping[str, str]
    dials: Mapping[str, tuple[float, float, float]]
    pictures: tuple[Picture, ...]
    most: Mapping[str, float] = field(default_factory=dict)
    slow: bool = False
    forms: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)


# The calculators, in the order in which they are listed.
PLANS = {
    plan.name: plan
    for plan in (
        Plan(
            "compare",
            "Which of two classifiers is better?",
            "How many items, and how many labels each, to pick the better one?",
            ComparisonPlanOptions,
            ("headcount", "plan", "compare"),
            {"accuracy": "0.8", "margin": "0.05", "label_accuracy": "0.8", "target": "0.95"},
            {
                "accuracy": (0.5, 0.999, 0.001),
                "margin": (0.001, 0.3, 0.001),
                "worse_accuracy": (0.0, 1.0, 0.01),
                "better_if_worse_wrong": (0.0, 1.0, 0.01),
                "better_if_worse_right": (0.0, 1.0, 0.01),
                "label_accuracy": (0.5, 1.0, 0.005),
                "label_spread": (0.0, 0.3, 0.005),
                "budget": (10, 20_000, 10),
                "target": (0.5, 0.999, 0.001),
                "item_cost": (0.0, 50.0, 0.5),
                "label_cost": (0.0, 10.0, 0.1),
            },
            (
                Picture(
                    "probability",
                    {"part": "probability"},
                    "The chance of picking the better classifier, for what is spent.",
                ),
                Picture(
                    "loss",
                    {"part": "loss"},
                    "What the choice is expected to lose, in points, for what is spent.",
                ),
            ),
            most={"n_labels": 1000, "rivals": 1e9, "budget": 1e12},
            forms={
                "form": {
                    "accuracy and margin": ("accuracy", "margin", "disagreement", "n_labels"),
                    "errors that go together": (
                        "worse_accuracy",
                        "better_if_worse_wrong",
                        "better_if_worse_right",
                    ),
                    "a table of answers": ("joint", "label_confusion"),
                    "chances of one item": ("step",),
                },
                "aim": {"probability": ("target",), "budget": ("budget",)},
            },
        ),
        Plan(
            "accuracy",
            "How accurate, without a truth?",
            "How many items must raters who err label to know a classifier's accuracy?",
            AccuracyPlanOptions,
            ("headcount", "plan", "accuracy"),
            {"kappa": "0.55"},
            {
                "raters": (2, 10, 1),
                "labels": (2, 10, 1),
                "kappa": (0.05, 1.0, 0.01),
                "half_width": (0.02, 0.3, 0.01),
                "confidence": (0.5, 0.99, 0.01),
            },
            (
                Picture(
                    "closeness",
                    {},
                    "How close the estimate comes, for each accuracy that the classifier may have.",
                ),
            ),
            most={"raters": 10, "labels": 10, "simulations": 2000},
            slow=True,
            forms={
                "how good raters are": {
                    "by their kappa": ("kappa",),
                    "by how often one is right": ("rater_accuracy",),
                }
            },
        ),
        Plan(
            "gold",
            "How many true answers?",
            "How many items need an answer that is known to be right?",
            GoldPlanOptions,
            ("headcount", "plan", "gold"),
            {},
            {
                "accuracy": (0.0, 1.0, 0.01),
                "half_width": (0.005, 0.3, 0.005),
                "confidence": (0.5, 0.999, 0.001),
                "ratio": (0.05, 1.0, 0.05),
            },
            (Picture("width", {}, "Half the width of the interval, for each number of items."),),
        ),
        Plan(
            "ratings",
            "How many ratings an item?",
            "What can k ratings an item tell, however many items are rated?",
            RatingsPlanOptions,
            ("headcount", "plan", "ratings"),
            {"kinds": "0.7:0.8,0.1:0.5,0.2:0.1"},
            {"most": (1, 20, 1)},
            (
                Picture(
                    "ceiling",
                    {"part": "ceiling"},
                    "Between what limits the best possible share of people stays open.",
                ),
                Picture(
                    "ideal",
                    {"part": "ideal"},
                    "Between what limits the ideal classifier's score stays open.",
                ),
            ),
        ),
    )
}


def values_of(plan: Plan, given: Mapping[str, str]) -> dict[str, Any]:
    """What was typed, as values of the options; what was left blank is left out."""
    told = described(plan.options)
    unknown = [name for name in given if name not in told]
    if unknown:
        raise OptionError(f"There is no option {unknown[0][:50]!r}: there are {', '.join(told)}.")
    found: dict[str, Any] = {}
    for name, text in given.items():
        if not text.strip():
            continue
        if len(text) > _MOST_TEXT:
            raise OptionError(f"{name} is a text of at most {_MOST_TEXT:,} letters.")
        each = told[name]
        if each.kind in (int, float):
            found[name] = as_number(name, text, whole=each.kind is int)
        elif each.parse is not None:
            found[name] = each.parse(text)
        else:
            found[name] = text
        most = plan.most.get(name)
        if most is not None and found[name] > most:
            raise OptionError(f"{name} is at most {most:,.0f} here; the command line takes more.")
    return found


def computed(plan: Plan, given: Mapping[str, str], *, drawn: bool = True) -> dict[str, Any]:
    """The answer of a calculator: words, tables, pictures (where wished), and the whole result."""
    return _known(plan.name, tuple(sorted(given.items())), drawn)


@lru_cache(maxsize=128)
def _known(name: str, given: tuple[tuple[str, str], ...], drawn: bool) -> dict[str, Any]:
    plan = PLANS[name]
    result = _COMPUTED[name](plan.options, values_of(plan, dict(given)))
    return {
        "verdict": result.verdict(),
        "tables": [_plain(table) for table in result.tables()],
        "figures": [
            {
                "name": each.name,
                "spec": _spec(result, each),
                "caption": each.caption,
                "alt": f"{each.caption} {result.verdict()}",
            }
            for each in (plan.pictures if drawn else ())
        ],
        "remarks": [
            ["What this rests on", list(result.assumptions())],
            ["Take note", list(result.unchecked())],
        ],
        "result": result.to_document(),
    }


def _plain(table: Any) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": table.title,
        "columns": list(table.columns),
        "rows": table.cells(),
        "caption": table.caption,
    }


def _spec(result: Any, picture: Picture) -> dict[str, Any]:
    from headcount.report.fitting import fitted

    return fitted(result.chart(theme=None, **picture.part).to_dict())


def _compare(options: Any, given: dict[str, Any]) -> Any:
    from headcount.plan import SharesTable, plan_from_numbers

    tables = {
        name: SharesTable(f"The table {name}", given.pop(name))
        for name in ("joint", "label_confusion")
        if name in given
    }
    for table in tables.values():
        _check_table(table.text)
    return plan_from_numbers(options(**given), **tables)


def _check_table(text: str) -> None:
    """Few enough labels: a table of three sides grows with the third power of them."""
    words = {word.strip() for line in text.splitlines() for word in line.split(",")[:-1]}
    if len(words) > 60:
        raise OptionError("A table has at most 50 labels here; the command line takes more.")


def _accuracy(options: Any, given: dict[str, Any]) -> Any:
    from headcount.accuracy import plan_accuracy

    for name in ("system_accuracy", "items"):
        if len(given.get(name, ())) > 20 or any(value > 1e6 for value in given.get(name, ())):
            raise OptionError(f"{name} is at most twenty numbers here, up to a million each.")
    return plan_accuracy(**options(**given).as_given())


def _gold(options: Any, given: dict[str, Any]) -> Any:
    from headcount.plan import plan_gold

    return plan_gold(**options(**given).as_given())


def _ratings(options: Any, given: dict[str, Any]) -> Any:
    from headcount.plan import plan_ratings

    return plan_ratings(**options(**given).as_given())


_COMPUTED: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "compare": _compare,
    "accuracy": _accuracy,
    "gold": _gold,
    "ratings": _ratings,
}


def is_table(plan: Plan, name: str) -> bool:
    """Whether an option is a small table, which a page takes as text."""
    return described(plan.options)[name].kind is Path
