"""The tables of `SystemAccuracy`: spans, the models behind them, raters, base rates, bins."""

from typing import TYPE_CHECKING

from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.sensitivity import condition
from headcount.results import Cell, Table

if TYPE_CHECKING:
    from headcount.accuracy.classifiers import ClassifierAccuracy
    from headcount.accuracy.reliability import RaterReliability
    from headcount.accuracy.result import SystemAccuracy


def classifier_table(found: "SystemAccuracy") -> Table:
    """The span of each classifier, and what gold says of it where there is gold."""
    gold = found.gold is not None
    scored = any(each.correlation is not None for each in found.classifiers)
    zero = [each.span.at(0.0) if each.span is not None else None for each in found.classifiers]
    rows: list[tuple[Cell, ...]] = []
    for each, at_zero in zip(found.classifiers, zero, strict=True):
        row: list[Cell] = [each.name, each.accuracy.share_text()]
        if each.gold is not None:
            row += [each.gold.alone.share_text()]
            row += ["–" if each.span is None else each.span.estimate().share_text()]
        row += ["–" if at_zero is None else at_zero.share_text(), each.agrees_with_top]
        if scored:
            row.append(each.correlation)
        rows.append(tuple(row))
    by = ("accuracy by gold and ratings", "by gold alone", "span without gold")
    return Table(
        "Classifiers",
        (
            "classifier",
            *(by if gold else ("accuracy",)),
            "if nobody is ever all misled",
            "agrees with top",
            *(("correlation with true scores",) if scored else ()),
        ),
        tuple(rows),
        caption=f"At {100 * found.confidence:g} %; spans are about {found.samples.sentence()} "
        f"and hold {condition(found.misled)}. Agrees with top: how often it gives the most "
        "probable label.",
        id="classifiers",
    )


def model_table(classifiers: "tuple[ClassifierAccuracy, ...]") -> Table:
    """What each model says of each classifier, and whether the span counts it."""
    rows: list[tuple[Cell, ...]] = []
    for each in classifiers:
        for part in each.span.parts if each.span is not None else ():
            counted = "yes" if part.counted else f"no: {part.why}"
            rows.append((each.name, part.name, part.assumes, part.accuracy, counted))
        rows.append((each.name, "Dawid–Skene", "bootstrap", each.latent_class, "beside it"))
    return Table(
        "What each model says",
        ("classifier", "model", "assumes", "accuracy", "in the span"),
        tuple(rows),
        id="estimates",
    )


def reliability_table(raters: "tuple[RaterReliability, ...]") -> Table:
    """The raters one by one, as many as are worth reading."""
    shown = raters[:20]
    rest = len(raters) - len(shown)
    return Table(
        "Raters one by one, the least skilled first",
        ("rater", "ratings", "accuracy", "skill", "at chance"),
        tuple(
            (each.rater, each.ratings, each.accuracy, each.skill, each.at_chance) for each in shown
        ),
        caption="Skill is accuracy beyond what the rater's own habit of labels reaches without "
        "looking, 1 at most." + (f" {rest:,} more are not shown." if rest else ""),
        id="reliability",
    )


def rater_table(found: "SystemAccuracy") -> Table:
    """How often raters agree and are right, by either estimate."""
    latent = found.latent_class
    fitted = latent.rater_accuracy if isinstance(latent, LatentClasses) else None
    rows: tuple[tuple[Cell, ...], ...] = (
        ("agreement of two raters", found.agreement, None),
        (f"kappa (chance 1/{len(found.labels)})", found.kappa, None),
        ("rater accuracy", found.rater_accuracy, fitted),
    )
    return Table(
        f"Raters: {found.ratings:,} ratings of {found.items:,} items",
        ("", "algebraic", "latent class"),
        rows,
        id="raters",
    )


def base_rate_table(found: "SystemAccuracy") -> Table:
    """How common each label is, by either estimate."""
    latent = found.latent_class
    fitted = latent.base_rates if isinstance(latent, LatentClasses) else {}
    return Table(
        "Base rates",
        ("label", "share of ratings", "base rate (algebraic)", "base rate (latent class)"),
        tuple(
            (label, found.label_shares[label], found.base_rates[label], fitted.get(label))
            for label in found.labels
        ),
        id="base_rates",
    )


def bin_table(best: "ClassifierAccuracy") -> Table:
    """Where a classifier is accurate, by how sure the truth is."""
    return Table(
        f"Where {best.name} stands, by how probable the most probable label is",
        ("probability", "items", "mean", "agreement", "accuracy"),
        tuple(
            (
                f"{each.low:.1f} to {each.high:.1f}",
                each.items,
                each.truth,
                each.agreement,
                each.accuracy,
            )
            for each in reversed(best.bins)
        ),
        caption="Accuracy here is algebraic; overall it is the mean over the items.",
        id="bins",
    )
