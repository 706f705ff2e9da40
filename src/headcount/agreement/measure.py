"""How much do people agree? Check, compute, pack."""

from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from headcount.agreement.coefficients import (
    NO_PAIRS,
    Level,
    Scale,
    alpha_at,
    item_agreement,
    totals_of_patterns,
)
from headcount.agreement.contested import ContestedItem, disagreement_bins, most_contested
from headcount.agreement.drawn import (
    MOST_HABITS,
    Drawn,
    coefficients_of,
    conger_in_samples,
    in_samples,
    label_weights,
)
from headcount.agreement.named import NamedRatings
from headcount.agreement.rare_label import RareLabel, rare_label
from headcount.agreement.raters import MOST_PAIRWISE, pairwise, standings
from headcount.agreement.result import Agreement
from headcount.agreement.sets import set_agreement
from headcount.arrays import Floats, Ints
from headcount.counting import size
from headcount.data import Design, Patterns, Ratings, Study, as_study, group_rows
from headcount.errors import OptionError
from headcount.options import AgreementOptions
from headcount.results import Progress, no_progress
from headcount.sampling import Bootstrap, Samples


def agreement(
    ratings: Any,
    *,
    level: Level | None = None,
    contested: int = AgreementOptions.contested,
    two_way: bool | None = AgreementOptions.two_way,
    n_bootstrap: int = AgreementOptions.n_bootstrap,
    confidence: float = AgreementOptions.confidence,
    seed: int = AgreementOptions.seed,
    progress: Progress = no_progress,
) -> Agreement:
    """How much the raters agree with each other, with bootstrap intervals.

    Parameters
    ----------
    ratings
        What people said: a Study, Ratings, a frame or a path. Ragged is fine, named raters are
        not needed.
    level
        How Krippendorff's alpha sees the labels: "nominal" (the same or not), "ordinal"
        (ranks) or "interval" (numbers). By default what the labels are: names, an order
        that you gave, or numbers.
    contested
        How many of the most contested items to list.
    two_way
        Whether raters are a sample too: the interval is then about other people like these as
        well as other items like these. By default where at least three raters are named; items
        that have a cluster are drawn by the cluster.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps the loop over batches of samples, such as a progress bar.

    Returns
    -------
    Agreement
        The coefficients as estimates (``percent_agreement``, ``kappa``, ``fleiss_kappa``,
        ``krippendorff_alpha``, ``gwet_ac1``, ``conger_kappa`` where raters are named,
        ``weighted_kappa`` and ``gwet_ac2`` where labels have an order, ``alpha_by_level``), each
        rater against the others (``raters_table``, ``pairwise``), the most contested items and
        how divided items are. A coefficient without a value says why.

    Notes
    -----
    With label counts c and n = Σc ratings an item has n(n − 1) ordered pairs of ratings, of
    which Σ c(c − 1) agree; percent agreement is their ratio over all items, and

    - kappa = (P − 1/N)/(1 − 1/N) for N labels,
    - Fleiss's kappa = (P̄ − Σπ²)/(1 − Σπ²), with P̄ and π means over items,
    - Gwet's AC1 = (P̄ − e)/(1 − e), e = Σπ(1 − π)/(N − 1),
    - Krippendorff's alpha = 1 − D_observed/D_expected,
    - Conger's kappa takes every rater's own label shares for chance; weighted kappa and AC2 give
      answers that lie near each other part credit, 1 − (distance/width)².

    With named raters the variance is that over samples of items plus that over leaving each
    rater out, and the interval reads Student's t with the smaller sample's degrees of freedom;
    else intervals are expanded percentiles of the bootstrap over items.

    References
    ----------
    Krippendorff, K. Content Analysis: An Introduction to Its Methodology. Sage, 2004.
    Gwet, K. L. Computing inter-rater reliability and its variance in the presence of high
    agreement. British Journal of Mathematical and Statistical Psychology 61, 2008.

    Examples
    --------
    >>> import headcount as hc
    >>> ratings = hc.Ratings.from_counts([[4, 0], [1, 3], [0, 4]] * 20, labels=["no", "yes"])
    >>> hc.agreement(ratings).percent_agreement.text()
    '0.833 (0.775 to 0.900)'
    """
    study = as_study(ratings, item_by_item=two_way)
    options = AgreementOptions(
        level=level,
        contested=contested,
        two_way=two_way,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        seed=seed,
    )
    return _measured(study, options, progress)


def unanswerable(data: Any) -> str | None:
    """Why these data cannot say how much people agree; None where they can."""
    return None if (as_study(data).ratings.patterns().raters >= 2).any() else NO_PAIRS


def _measured(study: Study, options: AgreementOptions, progress: Progress) -> Agreement:
    ratings, level = study.ratings, cast(Level | None, options.level)
    # All rated items, not only those that classifiers answered.
    everything = study if study.predictions is None else replace(study, predictions=None)
    samples = everything.sampled(two_way=options.two_way)
    plan = Bootstrap.of(options)
    scale = Scale(_levels(ratings, level), ratings.labels.numbers)
    named = None if study.in_groups else _named(ratings)
    patterns, design = ratings.patterns(), ratings.design
    as_asked = patterns_of(patterns, design)
    drawn = _drawn(everything, patterns, samples, named, plan, scale, progress)
    size = patterns.raters
    found = drawn.estimates(plan.confidence)
    few_raters = named is not None and named.n_raters <= MOST_PAIRWISE
    alpha = found[alpha_at("nominal")].value
    ordered, nearness = "gwet_ac2" in found, study.nearness
    near = nearness.credit if nearness.has_order else None
    return Agreement(
        percent_agreement=found["percent_agreement"],
        kappa=found["kappa"],
        fleiss_kappa=found["fleiss_kappa"],
        krippendorff_alpha=found["krippendorff_alpha"],
        gwet_ac1=found["gwet_ac1"],
        conger_kappa=found.get("conger_kappa"),
        weighted_kappa=found["weighted_kappa"] if ordered else None,
        linear_kappa=found["linear_kappa"] if ordered else None,
        gwet_ac2=found["gwet_ac2"] if ordered else None,
        two_people=found["two_people"],
        near=found["two_people"] if nearness.has_order else None,
        distance=found.get("distance"),
        level=scale.levels[0],
        alpha_by_level={each: found[alpha_at(each)] for each in scale.levels},
        item_agreement=_item_agreement(*as_asked),
        items=patterns.n_items,
        items_compared=drawn.compared,
        raters=ratings.n_raters,
        ratings=int(size @ patterns.items),
        pairs=int((size * (size - 1) // 2) @ patterns.items),
        labels=ratings.labels.names,
        raters_table=()
        if named is None
        else standings(named, plan.confidence, drawn.alpha_without(samples), near),
        pairwise=pairwise(named, drawn.weights, near) if named is not None and few_raters else None,
        contested=_contested(study, alpha, options.contested),
        disagreement=disagreement_bins(patterns, nearness.credit),
        rare=None if ordered else _rare(*as_asked, found["gwet_ac1"].value, alpha),
        nearness=nearness,
        sets=set_agreement(ratings, plan) if ratings.layout.sets else None,
        notes=(
            *ratings.notes,
            *samples.notes,
            *_notes(study, scale, level, named, options.contested),
        ),
        collected=design.lines,
        plan=plan,
        samples=samples.plan,
        library=study.library,
    )


def _drawn(
    study: Study,
    patterns: Patterns,
    samples: Samples,
    named: NamedRatings | None,
    plan: Bootstrap,
    scale: Scale,
    progress: Progress,
) -> Drawn:
    """Every coefficient: of the data, of samples of items, and without each rater."""
    weights = label_weights(study.scale)
    clusters = None
    compared = int(patterns.items[patterns.raters > 1].sum())
    if samples.cluster is not None:
        groups = group_rows(study.judged.counts)
        patterns = Patterns(study.judged.counts[groups.first], groups.size)
        clusters = samples.clusters_of(groups.of_row)
    items, those = study.people(samples)
    found = in_samples(
        patterns,
        plan,
        partial(coefficients_of, scale=scale, weights=weights, nearness=study.nearness),
        samples.plan,
        clusters=clusters,
        design=study.design,
        everyone=items.judged.counts if study.design.kind == "answers" else None,
        tables=those.without(items.judged.counts) if samples.plan.counts_raters else (),
        part=None if samples.part is None else items.judged.counts,
        progress=progress,
    )
    habits = named is not None and named.n_raters * named.n_labels <= MOST_HABITS
    # Whom one met is no matter of chance where numbers of ratings hang on the item.
    if named is not None and habits and study.design.kind in ("full", "random"):
        found["conger_kappa"] = conger_in_samples(
            named,
            samples,
            plan,
            np.eye(named.n_labels),
            None if samples.part is None else _named(items.ratings),
        )
    totals = totals_of_patterns(patterns.counts, patterns.items[None, :])
    return Drawn(found, totals, weights, compared, scale.levels[0])


def patterns_of(patterns: Patterns, design: Design) -> tuple[Ints, Floats]:
    """Counts (K, L) that pairs are made of, and how many items each stands for, (K,)."""
    alike = design.alike(patterns.counts)
    if alike is None:
        return patterns.counts, patterns.items.astype(np.float64)
    return alike.first, alike.times(patterns.items[None, :])[0]


def _rare(counts: Ints, items: Floats, ac1: float | None, alpha: float | None) -> RareLabel | None:
    if ac1 is None or alpha is None:
        return None
    return rare_label(counts, items, ac1, alpha)


def _item_agreement(counts: Ints, items: Floats) -> float | None:
    share = item_agreement(totals_of_patterns(counts, items[None, :]))[0]
    return None if np.isnan(share) else float(share)


def _levels(ratings: Ratings, asked: Level | None) -> tuple[Level, ...]:
    """The level of alpha first, then the others that the labels allow."""
    kind, numbers = ratings.scale.kind, ratings.labels.numbers is not None
    found: tuple[Level, ...] = ("interval", "ordinal", "nominal") if numbers else ("nominal",)
    if kind == "ordered" and not numbers:
        found = ("ordinal", "nominal")
    if asked is None:
        # Numbers may be codes of names: then their distances come last.
        return found[::-1] if kind == "nominal" else found
    if asked not in found:
        cure = (
            "give the labels an order (order=, --order)"
            if asked == "ordinal"
            else "it needs labels that are numbers"
        )
        raise OptionError(f'level="{asked}" does not go with {kind} labels: {cure}.')
    return (asked, *(other for other in found if other != asked))


def _named(ratings: Ratings) -> NamedRatings | None:
    """Who said what, first answers only, or None where that is not known or too much."""
    if not ratings.named or ratings.n_ratings > size.RATER_TABLES:
        return None
    first = ratings.answers().first()
    return NamedRatings(
        first.item,
        first.rater,
        first.label,
        names=tuple(str(name) for name in first.raters),
        n_items=len(first.items),
        n_labels=ratings.labels.n,
    )


def _contested(study: Study, alpha: float | None, most: int) -> tuple[ContestedItem, ...]:
    ratings = study.ratings
    if alpha is None or most == 0 or study.in_groups or ratings.n_items > size.CONTESTED:
        return ()
    counted, near = ratings.item_counts(), study.nearness.credit
    found = most_contested(counted, ratings.labels.names, alpha, most, near)
    texts = ratings.item_columns().get("text") if ratings.layout.text else None
    if texts is None or not found:
        return found
    row = {str(item): place for place, item in enumerate(counted.items)}
    return tuple(replace(each, text=str(texts.names[texts.code[row[each.item]]])) for each in found)


def _notes(
    study: Study, scale: Scale, asked: Level | None, named: NamedRatings | None, contested: int
) -> list[str]:
    ratings, notes = study.ratings, []
    if asked is None and scale.levels[0] == "interval" and ratings.labels.n > 2:
        notes.append(
            "The labels are numbers, so alpha weighs how far apart they are; ask for "
            'level="ordinal" (headcount agreement --level ordinal) if only their order counts, '
            '"nominal" if they are codes for names.'
        )
    if study.design.kind == "answers":
        notes.append(
            "Tables of raters and of contested items are of all answers as they stand, in which "
            "contested items have more than their share."
        )
    if study.in_groups:
        notes.append(
            "Items were looked at in groups: neither the tables by rater nor the most contested "
            "items are there (two_way=True, --two-way, looks at them one by one)."
        )
        return notes
    if ratings.named and named is None:
        notes.append(
            f"With more than {size.RATER_TABLES:,} ratings the tables by rater are left out."
        )
    elif named is not None and named.n_raters > MOST_PAIRWISE:
        notes.append(
            f"With more than {MOST_PAIRWISE:,} raters the matrix of pairs of raters is left out."
        )
    if contested and ratings.n_items > size.CONTESTED:
        notes.append(
            f"With more than {size.CONTESTED:,} items the contested ones are not looked up."
        )
    return notes
