"""One method a command: agreement, equivalence, together, population, scores, accuracy, rate, …"""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import gate
from headcount.cli import options as shared
from headcount.cli.options import chooses
from headcount.cli.output import bar, emit, remark
from headcount.cli.reading import reads
from headcount.errors import OptionError
from headcount.options import (
    AccuracyOptions,
    AgreementOptions,
    DeconvolutionCheckOptions,
    DeconvolutionOptions,
    DriftOptions,
    EquivalenceOptions,
    PopulationOptions,
    RankOptions,
    RateOptions,
    ScoreOptions,
    SoftLabelOptions,
    TogetherOptions,
)
from headcount.options.declared import METHOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headcount.data import Predictions, Ratings
    from headcount.deconvolution import PrimaryLabels
    from headcount.results import Requirement, Result
    from headcount.together import Policy


@reads()
@chooses(AgreementOptions)
def agreement(
    ratings: "Ratings",
    options: AgreementOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How much do people agree? Coefficients with intervals, raters, contested items."""
    from headcount.agreement import agreement as measure

    emit(measure(ratings, **options.as_given(), progress=bar), output, chart)


@reads(predictions="optional")
@chooses(EquivalenceOptions)
def equivalence(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: EquivalenceOptions,
    amateurs: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters who are surveyed, where another pool is to be predicted.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    experts: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters to be predicted (with --amateurs).", rich_help_panel=METHOD
        ),
    ] = None,
    require: Annotated[
        list[Any] | None,
        gate.require(
            "Exit with 3 unless met: 'low>=3' for every classifier, 'gpt:low>=3' for one, at the "
            "low end of the interval; '>=3' tests the value, which luck may meet. May be repeated.",
            "worth",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
    gain: Annotated[bool, typer.Option(help="Draw the chart as gain over asking nobody.")] = False,
) -> None:
    """How many raters is each classifier worth? The rater power curve and where they meet it.

    Without PREDICTIONS: the curve alone, or with two pools what amateurs are worth in experts.
    """
    from headcount.equivalence import expert_equivalence, power_curve, survey_equivalence

    _check_equivalence(predictions, amateurs, experts, require or (), options)
    surveyed = ratings if amateurs is None else ratings.pool(amateurs)
    predicted = None if experts is None else ratings.pool(experts)
    given: dict[str, Any] = {**options.as_given(), "progress": bar}
    if predictions is not None:
        result = survey_equivalence(surveyed, predictions, experts=predicted, **given)
        emit(result, output, chart, gain=gain)
        gate.hold(require, result.estimates())
        return
    for about_classifiers in ("unknown", "calibrate"):
        given.pop(about_classifiers)
    if predicted is None:
        emit(power_curve(surveyed, **given), output, chart, gain=gain)
        return
    for about_one_pool in ("engine", "two_way"):
        given.pop(about_one_pool)
    emit(expert_equivalence(surveyed, predicted, **given), output, chart, gain=gain)


def _check_equivalence(
    predictions: "Predictions | None",
    amateurs: str | None,
    experts: str | None,
    requirements: "Sequence[Requirement]",
    options: EquivalenceOptions,
) -> None:
    """Refuse what cannot be, before anything slow is done."""
    if (amateurs is None) != (experts is None):
        raise OptionError("--amateurs and --experts name two pools: give both or neither.")
    if predictions is None and (requirements or options.calibrate):
        option = "--require" if requirements else "--calibrate"
        raise OptionError(f"{option} is about classifiers: name a file of PREDICTIONS too.")
    for each in requirements:
        each.check_name(predictions.names if predictions else ())


@reads(predictions="required")
@chooses(DriftOptions)
def drift(
    ratings: "Ratings",
    predictions: "Predictions",
    options: DriftOptions,
    require: Annotated[
        list[str] | None,
        typer.Option(
            help="Exit with 3 unless met: 'gpt:steady' for one judge, 'steady' for all; may be "
            "looked at after every batch. May be repeated."
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Has it changed over time: the judge, the items or the people, and since when?"""
    from headcount.drift import drift as over_time
    from headcount.drift import steady_names

    steady = steady_names(require or (), predictions.names)
    found = over_time(ratings, predictions, **options.as_given(), progress=bar)
    emit(found, output, chart)
    gate.end(found.held(steady))


@reads(predictions="required")
@chooses(TogetherOptions)
def together(
    ratings: "Ratings",
    predictions: "Predictions",
    options: TogetherOptions,
    classifier: Annotated[
        str | None,
        typer.Option(help="Whose policy, or panel (default: of the classifier that adds most)."),
    ] = None,
    as_good_as: Annotated[
        int | None,
        typer.Option(help="Whom to ask, to be as good as so many people about every item."),
    ] = None,
    agree: Annotated[
        float | None, typer.Option(help="Whom to ask, so that such a share of people agree: .85.")
    ] = None,
    labels: Annotated[
        float | None, typer.Option(help="Whom to ask with so many labels an item: .5.")
    ] = None,
    price: Annotated[
        float | None,
        typer.Option(help="Whom to ask where a label costs so much of one person's agreement."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="The most labels an item is asked for.")] = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the policy's table: .json or .csv.")
    ] = None,
    route: Annotated[
        str | None,
        typer.Option(help="New predictions: print what to do with each item instead, as CSV."),
    ] = None,
    so_far: Annotated[
        str | None, typer.Option(help="What people said so far of the items to --route.")
    ] = None,
    require: Annotated[
        list[Any] | None,
        gate.require(
            "Exit with 3 unless met: 'gpt:adds low>=1', how many people it adds to those who are "
            "asked, 'gpt:saves>=50%', the share of labels. May be repeated.",
            "adds",
            "saves",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """What does a classifier add to people, and whom must one still ask?

    With one of --as-good-as, --agree, --labels and --price: the policy that keeps this promise.
    """
    from headcount.together import together as measure

    asked: dict[str, Any] = {
        "as_good_as": as_good_as,
        "agree": agree,
        "labels": labels,
        "price": price,
    }
    wanted = {name: value for name, value in asked.items() if value is not None}
    if not wanted and (table or route):
        raise OptionError("--table and --route need a policy: add --as-good-as 3.")
    result = measure(ratings, predictions, **options.as_given(), progress=bar)
    if not wanted:
        emit(result, output, chart)
        gate.hold(require, result.estimates())
        return
    member = result.best_first()[0] if classifier is None else result[classifier]
    policy = member.policy(**wanted, limit=limit)
    if table is not None:
        _write_policy(policy, table)
    if route is not None:
        panel = result.panel
        new = panel.predict(route) if panel is not None and panel.name == member.name else route
        typer.echo("item,asked,action")
        for row in policy.route(new, so_far).to_pylist():
            typer.echo(_csv_line(row.values()))
        return
    emit(policy, output, chart)
    gate.hold(require, result.estimates())


def _write_policy(policy: "Policy", path: Path) -> None:
    """The table of a policy as .json or .csv."""
    from headcount.results.files import check_writable, write_content

    check_writable(path, "The policy", (".json", ".csv"))
    text = policy.to_csv() if path.suffix.lower() == ".csv" else policy.to_json()
    write_content(path, text, "The policy")
    remark(f"Policy written to {path}")


def _csv_line(cells: Any) -> str:
    """Cells as one line of CSV."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _labels_writable(path: Path | None) -> Path | None:
    """Stop before the work where the labels could not be written after it."""
    if path is not None:
        from headcount.population import SoftLabels

        SoftLabels.check_target(path)
    return path


@reads()
@chooses(PopulationOptions)
def population(
    ratings: "Ratings",
    options: PopulationOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How much do people differ, and how good could a classifier be?"""
    from headcount.population import population as fit

    emit(fit(ratings, **options.as_given()), output, chart)


@reads()
@chooses(SoftLabelOptions)
def export_labels(
    ratings: "Ratings",
    options: SoftLabelOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    save: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--save",
            help="Write the labels and their data card: to a .csv, .parquet or .jsonl file, or to "
            "a folder that Hugging Face's datasets loads.",
            callback=_labels_writable,
        ),
    ] = None,
) -> None:
    """Which labels to train on? Soft labels, majority, weight and entropy of every item."""
    from headcount.population import soft_labels

    found = soft_labels(ratings, **options.as_given())
    if save is not None:
        found.save(save)
    emit(found, output, None)
    if save is not None:
        remark(f"Labels and their data card written to {save}")


@reads(predictions="optional")
@chooses(ScoreOptions)
def scores(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: ScoreOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How do scores compare with people's? Worth, bias, limits of agreement, reliability."""
    from headcount.scores import scores as measure

    emit(measure(ratings, predictions, **options.as_given()), output, chart)


@reads(predictions="optional")
@chooses(RankOptions)
def rank(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: RankOptions,
    require: Annotated[
        list[Any] | None,
        gate.require(
            "Exit with 3 unless met: 'gpt:worth low>=1' as a ranker, in people; 'gpt:flips<=10%'. "
            "May be repeated.",
            "worth",
            "soft_pairwise_accuracy",
            "flips",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Which system is best, and does a judge rank systems as people do?

    Answers that say which of two is better, or items that are each of one system.
    """
    from headcount.rank import rank as measure

    result = measure(ratings, predictions, **options.as_given(), progress=bar)
    emit(result, output, chart)
    gate.hold(require, result.estimates())


class Which(StrEnum):
    """Which estimate the truth file holds."""

    ALGEBRAIC = "algebraic"
    LATENT_CLASS = "latent_class"


@reads(predictions="optional", files=("gold",))
@chooses(AccuracyOptions)
def accuracy(
    ratings: "Ratings",
    predictions: "Predictions | None",
    gold: str | None,
    options: AccuracyOptions,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="Also write the probability of each label for each item: .csv, .parquet or .jsonl."
        ),
    ] = None,
    truth_from: Annotated[
        Which | None, typer.Option(help="Whose truth (default: the estimate that fits better).")
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(help="How gold was drawn: a --slice of the ratings, or a file with item."),
    ] = None,
    require: Annotated[
        list[Any] | None,
        gate.require(
            "Exit with 3 unless met: 'gpt:accuracy low>=80%'; without a name, for all. Without "
            "gold there are only the low and high ends of a span. May be repeated.",
            "accuracy",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How accurate is it against a truth nobody has, judged by experts who err?"""
    from headcount.accuracy import system_accuracy
    from headcount.results.files import FRAME_SUFFIXES, check_writable

    if truth is not None:
        check_writable(truth, "The truth probabilities", FRAME_SUFFIXES)
    result = system_accuracy(
        ratings, predictions, **options.as_given(), gold=gold, strata=strata, progress=bar
    )
    if truth is not None:
        result.save_truth(truth, estimate=None if truth_from is None else truth_from.value)
    emit(result, output, chart)
    if truth is not None:
        remark(f"Truth probabilities written to {truth}")
    gate.hold(require, {each.name: {"accuracy": each.accuracy} for each in result.classifiers})


@reads(predictions="required")
@chooses(RateOptions)
def rate(
    ratings: "Ratings",
    predictions: "Predictions",
    options: RateOptions,
    by: Annotated[
        str | None,
        typer.Option(help="A file with item and slice, for rates by slice (or use --slice)."),
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(help="How rated items were drawn: a --slice, or a file with item and slice."),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """What share of items would people call X, from a judge on all and people on some?"""
    from headcount.rate import true_rate

    result = true_rate(ratings, predictions, slices=by, strata=strata, **options.as_given())
    emit(result, output, chart)


class By(StrEnum):
    """How to take the scores apart."""

    LEVEL = "level"
    GROUP = "group"


@reads(predictions="optional")
@chooses(DeconvolutionOptions)
def deconvolve(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: DeconvolutionOptions,
    scorer: Annotated[
        str | None,
        typer.Option(
            help="accuracy, precision, recall, f1, auc, cross_entropy, brier …, separated by "
            "commas (default: the first six)."
        ),
    ] = None,
    by: Annotated[
        By | None, typer.Option(help="Scores by level of disagreement, or by group of raters.")
    ] = None,
    validate: Annotated[
        bool,
        typer.Option("--validate", help="Check the method on raters who were asked again."),
    ] = False,
    items: Annotated[
        bool,
        typer.Option(
            "--items", help="Print what people hold of every item, slips set aside, instead."
        ),
    ] = False,
    draw: Annotated[
        Path | None,
        typer.Option(
            help="Also write a test set: labels drawn from what people hold (.csv, .parquet)."
        ),
    ] = None,
    labels_per_item: Annotated[int, typer.Option(help="Labels to draw for each item.")] = 10,
    positive: shared.Positive = None,
    unknown: shared.Unknown = "error",
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """What share of people would agree with a classifier, once their slips are set aside?"""
    from headcount.deconvolution import deconvolve as compute
    from headcount.deconvolution import validate_deconvolution

    if validate + items + (by is not None) > 1:
        raise OptionError("--validate, --items and --by are different questions: ask one.")
    meeting: dict[str, Any] = {"positive": positive, "unknown": unknown}
    scorers = None if scorer is None else [name.strip() for name in scorer.split(",")]
    if validate:
        chosen = DeconvolutionCheckOptions.among(options.as_given() | meeting).as_given()
        chosen |= {} if scorers is None else {"scorer": scorers}
        emit(validate_deconvolution(ratings, predictions, **chosen, progress=bar), output, chart)
        return
    labels = compute(ratings, **options.as_given(), progress=bar)
    if draw is not None:
        written = labels.draw(labels_per_item, seed=options.seed).write(draw)
        typer.echo(f"Drawn labels written to {written}", err=True)
    emit(
        labels if items else _deconvolved(labels, predictions, scorers, by, meeting), output, chart
    )


def _deconvolved(
    labels: "PrimaryLabels",
    predictions: "Predictions | None",
    scorers: list[str] | None,
    by: By | None,
    meeting: dict[str, Any],
) -> "Result":
    if by is not None:
        split = labels.by_level if by is By.LEVEL else labels.by_group
        return split(predictions, scorers or "accuracy", **meeting)
    if predictions is None:
        return labels.oracle(scorers, positive=meeting["positive"], soft=True)
    return labels.score(predictions, scorers, **meeting)
