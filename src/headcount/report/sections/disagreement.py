"""Where people disagree: scores by level of disagreement, and the most contested items."""

from headcount.agreement import Agreement
from headcount.charts.evaluation import levels as draw
from headcount.charts.grammar import spec_of
from headcount.deconvolution import SplitScores
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Table

_TITLE = "Where people disagree"
_QUESTION = "Is a classifier wrong where everyone agrees, or only where people are divided too?"
_ON_A_SCALE = "On which items are people furthest apart?"
_SHOWN = 15


def disagreement(evaluation: Evaluation) -> Section:
    """Scores on easy and contested items, and which items are contested most."""
    found = evaluation.levels
    contested = _contested(evaluation.agreement)
    if evaluation.nearness.has_order:
        return Section("disagreement", _TITLE, _ON_A_SCALE, tables=contested)
    if isinstance(found, Unavailable):
        return Section(
            "disagreement", _TITLE, _QUESTION, tables=contested, unavailable=found.reason
        )
    order = [each.name for each in evaluation.best_first()]
    return Section(
        "disagreement",
        _TITLE,
        _QUESTION,
        lead=(_where_it_matters(found, order),),
        figures=(_figure(found, order),),
        tables=contested,
    )


def _where_it_matters(found: SplitScores, order: list[str]) -> str:
    best, easiest, all_items = order[0], found.parts[0], found.parts[-1]
    score = next(each for each in easiest.scores if each.name == best)
    if score.adjusted.value is None:
        return f"There are {all_items.items:,} items in {len(found.parts) - 1} levels."
    share = easiest.items / all_items.items
    return (
        f"Where {easiest.name} ({easiest.items:,} items, {100 * share:.0f} % of all), "
        f"{score.adjusted.text(percent=True)} of people would agree with {best}. "
        "Where people are divided, no answer can please them all: compare the classifiers there "
        "with each other and with the dashed line."
    )


def _figure(found: SplitScores, order: list[str]) -> Figure:
    rows: list[tuple[Cell, ...]] = [
        (
            part.name,
            part.items,
            score.name,
            score.adjusted.text(percent=True),
            _of(score.of_oracle.value),
        )
        for part in found.parts
        for score in part.scores
    ]
    return Figure(
        "by-disagreement",
        fitted(spec_of(draw(found, order=order))),
        caption=(
            "From left to right, items that people agree on less and less. The dashed line "
            "always gives the answer of most of an item's own raters. Where people are divided "
            "that answer is partly chance, so a good classifier can do better than it."
        ),
        alt=(
            f"Lines for {', '.join(order)} and the majority over {len(found.parts) - 1} levels of "
            "disagreement, falling from left to right."
        ),
        table=Table(
            "Share of people who would agree, by level of disagreement",
            ("level", "items", "classifier", "would agree", "of the majority's"),
            tuple(rows),
        ),
    )


def _of(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.0f} %"


def _contested(found: Agreement | Unavailable) -> tuple[Table, ...]:
    if isinstance(found, Unavailable) or not found.contested:
        return ()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            each.item,
            ", ".join(f"{count} × {label}" for label, count in each.counts.items() if count),
            f"{100 * each.disagreement:.0f} %",
            f"{100 * each.expected_disagreement:.0f} %",
        )
        for each in found.contested[:_SHOWN]
    )
    texts = tuple(each.text or "" for each in found.contested[:_SHOWN])
    if any(texts):
        rows = tuple((*row, text) for row, text in zip(rows, texts, strict=True))
    return (
        Table(
            "The most contested items",
            (
                "item",
                "answers",
                found.disagreeing,
                "two more people would disagree"
                if not found.nearness.has_order
                else found.disagreeing.replace("pairs", "two more people", 1),
                *(("text",) if any(texts) else ()),
            ),
            rows,
            caption="Read these first: they show what the question leaves open.",
        ),
    )
