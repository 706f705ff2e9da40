"""The verdicts in words: sentences someone can repeat in a meeting."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headcount.equivalence import SurveyEquivalence
from headcount.equivalence.words import worth_text
from headcount.evaluation.part import Unavailable
from headcount.evaluation.standing import Standing
from headcount.results import Cell, Estimate, Table

if TYPE_CHECKING:
    from headcount.evaluation.evaluation import Evaluation


def verdict_sentences(
    standing: Standing, equivalence: SurveyEquivalence | Unavailable
) -> tuple[str, ...]:
    """What is to be said of a classifier: its worth, the people who agree, its accuracy."""
    said = [*_worth(standing, equivalence)]
    if standing.agree.value is not None:
        said.append(_agreement(standing))
    if standing.accuracy.value is not None:
        said.append(
            "Against the truth nobody has, it is right in an estimated "
            f"{standing.accuracy.text(percent=True)} of cases."
        )
    return tuple(said)


def _worth(standing: Standing, equivalence: SurveyEquivalence | Unavailable) -> tuple[str, ...]:
    if isinstance(equivalence, Unavailable):
        return (f"{standing.name} has no worth in raters here: {equivalence.reason}",)
    said: tuple[str, ...] = equivalence[standing.name].sentences()
    return said


def _agreement(standing: Standing) -> str:
    said = f"{standing.agree.text(percent=True)} of people would agree with its decisions"
    if standing.of_oracle.value is None:
        return f"{said}."
    share = _percent(standing.of_oracle.value)
    return f"{said}: it is at {share} of what any classifier could reach."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def standing_table(standings: Sequence[Standing], confidence: float) -> Table:
    """The classifiers side by side; coverage where one of them has not answered everything."""
    partial = any(each.answered < each.out_of for each in standings)
    headings = ("classifier", "worth (raters)", "people who agree", "of ceiling", "accuracy")
    rows: list[tuple[Cell, ...]] = []
    for each in standings:
        known = each.worth.value is not None or each.worth.state is not None
        ceiling = each.of_oracle.value
        row: list[Cell] = [
            each.name,
            worth_text(each.worth, "") if known else "–",
            _share(each.agree),
            "–" if ceiling is None else _percent(ceiling),
            _share(each.accuracy),
        ]
        rows.append((*row, f"{each.answered:,} of {each.out_of:,}") if partial else tuple(row))
    return Table(
        "The classifiers side by side",
        (*headings, "answered") if partial else headings,
        tuple(rows),
        caption=f"In brackets: {100 * confidence:g} % intervals. Of ceiling: people who agree, as "
        "a share of the most that any classifier could reach. Accuracy: against the unknown "
        "truth, estimated.",
    )


def _share(estimate: Estimate) -> str:
    return "–" if estimate.value is None else estimate.text(percent=True)


def short_markdown(evaluation: "Evaluation") -> str:
    """The verdicts and the table of classifiers: short enough for a comment on a change."""
    plan = evaluation.settings.plan
    lines = [f"- {_plain(' '.join(sentences))}" for sentences in evaluation.verdicts().values()]
    absent = [f"- {_plain(sentence)}" for sentence in evaluation.missing()]
    table = standing_table(evaluation.best_first(), plan.confidence).as_markdown()
    made = (
        f"<sub>headcount {evaluation.settings.version}, {plan.samples} bootstrap samples, "
        f"seed {plan.seed}. {_plain(evaluation.data.sentence())}</sub>"
    )
    return "\n\n".join(["\n".join([*lines, *absent]), table, made])


def _plain(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")
