"""`headcount plan watch`: whether labelling can stop."""

import sys
import time
from typing import Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.plan_shared import AIM, LABELS, under
from headcount.options.parsing import parts_of, share

Pair = Annotated[str | None, typer.Option("--pair", help="Which two, where there are more: a,b.")]
Error = Annotated[str, under(AIM, "Chance of a false stop, over all looks together.")]
WatchMatters = Annotated[str, under(AIM, "Stop too when they differ by less, such as 1%.")]
LabelsEach = Annotated[int, under(LABELS, "An item counts once it has so many labels.")]
Every = Annotated[
    float | None, typer.Option(help="Look again every so many seconds until labelling can stop.")
]


def watch(
    ratings: options.RatingsPath,
    predictions: options.PredictionsPath,
    pair: Pair = None,
    error: Error = "5%",
    matters: WatchMatters = "0%",
    labels_each: LabelsEach = 1,
    every: Every = None,
    item: options.Item = None,
    rater: options.Rater = None,
    label: options.Label = None,
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """Can labelling stop? Look at growing files as often as you like."""
    from headcount.data.reading import read_predictions, read_ratings
    from headcount.plan import watch as look

    told = read_predictions(predictions, item=item)
    while True:
        result = look(
            read_ratings(ratings, item=item, rater=rater, label=label),
            told,
            classifiers=None if pair is None else _pair(pair),
            error=share("error")(error),
            matters=share("matters")(matters),
            labels_each=labels_each,
            positive=positive,
            unknown=unknown,
        )
        if every is None or result.stop is not None:
            break
        print(result.verdict(), file=sys.stderr)
        time.sleep(every)
    emit(result, output, chart)


def _pair(text: str) -> tuple[str, str]:
    from headcount.errors import OptionError

    names = parts_of(text)
    if len(names) != 2:
        raise OptionError(f"--pair names two classifiers, a,b; it was {text!r}.")
    return names[0], names[1]
