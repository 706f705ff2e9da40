"""How accurate, against a truth nobody has? Check, compute, pack."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.accuracy_plan import judge_precision
from headcount.accuracy.accuracy_result import GoldFacts, SystemAccuracy, TruthTable
from headcount.accuracy.algebra import Algebraic, estimate
from headcount.accuracy.checks import (
    GOLD_AT_RANDOM,
    Check,
    judge_assumptions,
    which_to_believe,
)
from headcount.accuracy.classifiers import (
    ClassifierAccuracy,
    classifier_accuracies,
    column,
    estimated,
)
from headcount.accuracy.gold import GoldLabels, gold_labels, misled_share, reading_gold
from headcount.accuracy.items import Items, RaterModel, group_items
from headcount.accuracy.latent_classes import (
    LatentClasses,
    LatentFits,
    choose_rater_model,
    fit_everyone,
    is_rater_model,
    latent_classes,
)
from headcount.accuracy.rating_models import (
    EQUAL,
    EVEN,
    INDEPENDENT,
    Assumption,
    RatingsAlone,
    Sweep,
    ratings_alone,
)
from headcount.accuracy.reliability import MOST_RATINGS, rater_reliability
from headcount.accuracy.simulation import Setting, listable_raters
from headcount.accuracy.sources import (
    Latent,
    Sources,
    algebraic_draws,
    draws_for_spans,
    latent_draws,
    names_of,
    sources_of,
    sweeps_of,
)
from headcount.accuracy.span import RatersSpan, raters_span
from headcount.data import Named, Study, as_study, enough
from headcount.errors import UnanswerableError
from headcount.options import AccuracyOptions
from headcount.results import Estimate, Progress, no_progress
from headcount.sampling import Bootstrap
from headcount.sampling.threads import one_thread


def system_accuracy(
    ratings: Any,
    predictions: Any = None,
    *,
    positive: str | None = AccuracyOptions.positive,
    unknown: str = AccuracyOptions.unknown,
    latent_class: str = AccuracyOptions.latent_class,
    restarts: int = AccuracyOptions.restarts,
    precision: float = AccuracyOptions.precision,
    misled: float = AccuracyOptions.misled,
    gold: Any = None,
    strata: Any = None,
    two_way: bool | None = AccuracyOptions.two_way,
    n_bootstrap: int = AccuracyOptions.n_bootstrap,
    confidence: float = AccuracyOptions.confidence,
    seed: int = AccuracyOptions.seed,
    progress: Progress = no_progress,
) -> SystemAccuracy:
    """How accurate classifiers are against a truth nobody has, from raters who err.

    Without gold the answer is a span and no number: several models explain the same ratings, and
    people may be wrong together, which their labels alone cannot tell. Each model's estimate
    stands under its own name; `accuracy` spans those that the data do not reject. With the true
    labels of a random sample of items (`gold`) it is an estimate, sharpened by all ratings.

    Parameters
    ----------
    ratings
        What people said: a Study, Ratings, a frame or a path. Ragged is fine, named raters are
        not needed.
    predictions
        What classifiers said: Predictions, a frame or a path; soft ones answer by their most
        probable label. Without any the raters alone are judged, and ``.truth()`` is still there.
    positive, unknown
        The label whose probability a bare number is, and what an answer outside the labels is:
        "error", "wrong" or "drop".
    latent_class
        "each" (a confusion matrix a rater), "shared" (one for all), "auto" (each where raters
        are named and rated enough, else shared) or "off".
    restarts
        More starts than one for fitting the latent classes.
    precision
        The half-width wanted of an accuracy: a check says whether the items suffice for it.
    misled
        The share of items on which everyone may be misled together. No data without gold can
        bound it, so it is yours to say; the span at 0 stands beside the one at this share.
    gold
        True labels of some items, drawn at random: the name of a column of the ratings, a mapping
        of items to labels, a file or a frame with item and gold. By default the gold column of
        the ratings, if they were read with one.
    strata
        How items were divided before gold was drawn at random within each part, if they were: the
        name of a slice of the ratings, a mapping of items to strata, a file or a frame. Each part
        counts by its share of all items.
    two_way
        Whether raters are a sample too, so that the span is about other people like these: by
        default where at least three are named. Items that have a cluster are counted by it.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps the loops over batches of samples, such as a progress bar.

    Returns
    -------
    SystemAccuracy
        ``found["name"].accuracy`` is the span (or the estimate by gold) of a classifier,
        ``.algebraic``, ``.latent_class``, ``.shared_errors`` what each model says, ``.span`` all
        of it with the sensitivity curve; the raters, the assumptions with what the data say of
        them, and ``.truth()``, the probability of each label for each item.

    Notes
    -----
    For N labels and raters of accuracy P_c whose errors are spread evenly, two ratings agree with
    chance P_a = P_c² + (1 − P_c)²/(N − 1), which is solved for the larger root. Bayes' rule then
    gives each item its truth probabilities. Where the most probable label has probability g and
    a system gives it in a share a of items, its accuracy is ((N − 1)a − 1 + g)/(N g − 1).

    The other models are latent classes with error rates free for each label, whose raters err
    independently or together (a Dirichlet around the error rates, item by item, of correlation ρ
    up to .6), and a classifier that errs on its own or along with them. Each has the interval of
    its profile likelihood, the span is the hull, and a share x of items on which everyone is
    misled widens it by x on either side. Where raters are a sample too, each model is fitted
    again without each of them: t² of what that moves it more than answers dealt out at random
    would is added to the squared distance of its ends.

    References
    ----------
    Albert, P. S. and Dodd, L. E. A cautionary note on the robustness of latent class models for
    estimating diagnostic error without a gold standard. Biometrics 60, 2004.

    Angelopoulos, A. N. and others. Prediction-powered inference. Science 382, 2023.

    Dawid, A. P. and Skene, A. M. Maximum likelihood estimation of observer error-rates using the
    EM algorithm. Applied Statistics 28, 1979.

    Examples
    --------
    >>> import headcount as hc
    >>> counts = [[3, 0], [0, 3], [2, 1], [3, 0], [1, 2], [0, 3]] * 20
    >>> found = hc.system_accuracy(hc.Ratings.from_counts(counts, labels=["no", "yes"]))
    >>> print(found.agreement)
    0.778 (0.717 to 0.829)
    >>> made = hc.simulate.make("fallible", cases=400, labels=2, accuracy=(0.8,), seed=2)
    >>> found = hc.system_accuracy(made.ratings, made.predictions, n_bootstrap=100)
    >>> found["system"].accuracy.value is None
    True
    >>> found["system"].accuracy.low < 0.9 < found["system"].accuracy.high
    True
    """
    options = AccuracyOptions(
        positive=positive,
        unknown=unknown,
        latent_class=latent_class,
        restarts=restarts,
        precision=precision,
        misled=misled,
        two_way=two_way,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        seed=seed,
    )
    ratings, gold = reading_gold(ratings, gold)
    study = as_study(
        ratings,
        predictions,
        positive=positive,
        unknown=unknown,
        item_by_item=two_way or gold is not None,
    )
    with one_thread():
        return _measured(study, gold_labels(study, gold, strata), options, progress)


def unanswerable(study: Study) -> str | None:
    """Why this study cannot say how accurate anyone is; None where it can."""
    labels = study.labels
    if labels.n < 2:
        return (
            f"There is only one label ({labels.listing()}): accuracy needs at least two; "
            "name all labels in order= if raters could have chosen others."
        )
    if not (study.judged.counts.sum(axis=1) >= 2).any():
        return (
            "No item has two ratings, so raters' agreement and hence their accuracy cannot be "
            "known: collect a second rating for at least some items."
        )
    return None


def check_assumptions(study: Study) -> tuple[Check, ...]:
    """What the data of a study say of every assumption, without estimating anything else."""
    named, _ = names_of(study)
    items = group_items(study.judged, None, study.design)
    found = estimate(items, items.size[None].astype(float))
    tail = Bootstrap.of(AccuracyOptions()).tail(items.n_items)
    sources = sources_of(
        study, items, found, {}, {}, Latent(""), tail, named, None, AccuracyOptions()
    )
    return _checks(study, sources, sweeps_of(sources), _alone(sources, tail.confidence), named)


def _measured(
    study: Study, gold: GoldLabels | None, options: AccuracyOptions, progress: Progress
) -> SystemAccuracy:
    reason = unanswerable(study)
    if reason is not None:
        raise UnanswerableError(reason)
    plan = Bootstrap.of(options)
    named, unnamed = names_of(study)
    model = choose_rater_model(options.latent_class, study.judged, named)
    items = group_items(study.judged, named if model == "each" else None, study.design)
    found = estimate(items, items.size[None].astype(float))
    draws = algebraic_draws(items, plan, progress)
    for_spans = draws_for_spans(items, plan, draws)
    latent = _latent(items, found, model, named, plan, options.restarts, progress)
    tail = plan.tail(items.n_items)
    sources = sources_of(study, items, found, draws, for_spans, latent, tail, named, gold, options)
    sweeps = sweeps_of(sources)
    alone = _alone(sources, tail.confidence)
    checks = _checks(study, sources, sweeps, alone, named)
    believe, why = which_to_believe(checks, latent.told)
    classifiers = classifier_accuracies(sources, sweeps)
    enough = _enough_items(classifiers, items, found, options)
    # What no data can answer comes last.
    every = (*checks, *enough, *(() if gold is None else (GOLD_AT_RANDOM,)))
    by_algebra = estimated(found.rater_accuracy[0], draws.get("rater_accuracy"), tail)
    independent = by_algebra
    if believe == "latent_class" and isinstance(latent.told, LatentClasses):
        independent = latent.told.rater_accuracy
    return SystemAccuracy(
        labels=items.labels.names,
        items=items.n_items,
        ratings=int(study.judged.counts.sum(axis=1) @ study.judged.size),
        agreement=estimated(found.agreement[0], draws.get("agreement"), tail),
        kappa=estimated(found.kappa()[0], draws.get("kappa"), tail),
        rater_accuracy=by_algebra,
        raters_span=_raters_span(sources, alone, independent),
        base_rates={
            label: estimated(found.base_rates[0, code], column(draws, "base_rates", code), tail)
            for code, label in enumerate(items.labels.names)
        },
        label_shares=_label_shares(items),
        classifiers=classifiers,
        latent_class=latent.told,
        raters=()
        if named is None or len(named.item) > MOST_RATINGS
        else rater_reliability(named, items.n_items, items.n_labels, confidence=options.confidence),
        gold=_gold_facts(sources, options.confidence),
        misled=options.misled,
        samples=sources.elsewhere.plan,
        checks=tuple(sorted(every, key=lambda check: check.kind == "design")),
        believe=believe,
        why=why,
        confidence=plan.confidence,
        n_bootstrap=plan.samples,
        notes=(*study.notes, *unnamed, *sources.notes),
        truths=_truths(items, found, latent.fits),
        library=study.library,
        collected=study.design.lines,
    )


def _gold_facts(sources: Sources, confidence: float) -> GoldFacts | None:
    if sources.gold is None:
        return None
    labels, truth = sources.gold.labels, sources.gold.truth
    found = misled_share(truth[labels.rows], labels.codes, confidence=confidence)
    share = (
        Estimate.undefined("no gold item has ratings that point clearly to one label")
        if found is None
        else Estimate(found.share, found.low, found.high)
    )
    return GoldFacts(
        items=len(labels.rows),
        of=len(truth),
        misled=share,
        sure=0 if found is None else found.sure,
        wrong=0 if found is None else found.wrong,
        stratified=labels.strata is not None,
    )


def _latent(
    items: Items,
    found: Algebraic,
    model: RaterModel | str,
    named: Named | None,
    plan: Bootstrap,
    restarts: int,
    progress: Progress,
) -> Latent:
    """The latent classes with their bootstrap samples, of which there may be fewer."""
    if not np.isfinite(found.base_rates).all():
        return Latent("agreement between raters is not above chance")
    if not is_rater_model(model):
        return Latent(model)
    fits = fit_everyone(items, restarts=restarts, samples=plan.samples, seed=plan.seed)
    draws = latent_draws(items, fits, plan, progress)
    return Latent(latent_classes(fits, draws, model, items, named, plan), fits, draws)


def _alone(sources: Sources, confidence: float) -> RatingsAlone | None:
    """The raters judged by the ratings alone, where there are ratings enough."""
    if not sources.sweeps:
        return None
    items = sources.items
    by_pattern = items.by_pattern(items.size[:, None].astype(float))[0]
    counts = enough(items.counts)
    return ratings_alone(counts, by_pattern, confidence=confidence, seed=sources.seed)


def _raters_span(sources: Sources, alone: RatingsAlone | None, told: Estimate) -> RatersSpan | None:
    """What the raters' own accuracy lies between; `told` is the one of independent errors."""
    ends = []
    if told.low is not None and told.high is not None:
        ends.append((told.low, told.high))
    if alone is not None:
        ends.append((alone.low, alone.high))
    if not ends:
        return None
    again = partial(_raters_span_at, sources, told)  # a second process hands it over
    return replace(raters_span(ends, sources.misled), reread=again)


def _raters_span_at(sources: Sources, told: Estimate, confidence: float) -> RatersSpan:
    found = _raters_span(sources, _alone(sources, confidence), told.at(confidence))
    assert found is not None  # what had ends at one confidence has them at every other
    return found


def _checks(
    study: Study,
    sources: Sources,
    sweeps: tuple[Sweep, ...],
    alone: RatingsAlone | None,
    named: Named | None,
) -> tuple[Check, ...]:
    items, found = sources.items, sources.found
    by_pattern = items.by_pattern(items.size[:, None].astype(float))[0]
    moved: dict[str, list[tuple[str, Assumption]]] = {EVEN: [], INDEPENDENT: [], EQUAL: []}
    if alone is not None:
        for test in alone.assumptions:
            moved[test.name].append(("the raters", test))
    for name, sweep in zip(items.systems, sweeps, strict=False):
        for test in sweep.assumptions:
            moved[test.name].append((name, test))
    return tuple(
        judge_assumptions(
            items.labels,
            items.counts,
            by_pattern.astype(np.int64),
            found.raw_base_rates[0],
            study.judged.counts,
            named,
            moved,
            classifiers=bool(items.systems),
        )
    )


def _enough_items(
    classifiers: tuple[ClassifierAccuracy, ...],
    items: Items,
    found: Algebraic,
    options: AccuracyOptions,
) -> tuple[Check, ...]:
    """The planner's word on the classifier whose accuracy is known least well."""
    known = [each for each in classifiers if each.algebraic.value is not None]
    if not known:
        return ()
    # The one known least well decides whether there are items enough.
    widest = max(known, key=lambda each: (each.algebraic.high or 1) - (each.algebraic.low or 0))
    per_item = np.repeat(items.counts.sum(axis=1)[items.pattern], items.size)
    setting = Setting(
        listable_raters(max(2, int(np.median(per_item))), items.n_labels),
        items.n_labels,
        float(found.rater_accuracy[0]),
        found.base_rates[0],
    )
    check = judge_precision(
        widest.algebraic,
        classifier=widest.name,
        setting=setting,
        items=items.n_items,
        half_width=options.precision,
        confidence=options.confidence,
        seed=options.seed,
    )
    return (check,)


def _label_shares(items: Items) -> dict[str, float]:
    weights = items.by_pattern(items.size[:, None].astype(float))
    people = items.people
    pairs, often = (items.counts, weights)
    if people is not None:
        pairs, often = people.first, people.times(weights)
    shares = algebra.label_shares(pairs, often)[0]
    return dict(zip(items.labels.names, shares.tolist(), strict=True))


def _truths(items: Items, found: Algebraic, fits: LatentFits | None) -> TruthTable:
    if not len(items.ids):
        return TruthTable()
    known = np.isfinite(found.base_rates).all()
    return TruthTable(
        items=items.ids,
        group=items.group,
        algebraic=found.truth[0][items.pattern] if known else None,
        latent_class=None if fits is None else fits.raters.fit.posterior[fits.raters.row],
    )
