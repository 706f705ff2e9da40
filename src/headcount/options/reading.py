"""What can be said of files and their columns, declared once for commands, pages and scripts."""

from typing import Any

from headcount.frozen import frozen
from headcount.options.declared import READING, Options, option


@frozen(kw_only=True)
class RatingsReading(Options):
    """The choices of `Ratings.read`, as they are typed on the command line."""

    item: Any = option(
        None,
        "Column with the item, or a path into nested JSON; repeated where several name it.",
        panel=READING,
        many=True,
    )
    rater: str | None = option(None, "Column with the rater.", panel=READING)
    label: str | None = option(None, "Column with the label, or a path: a[].b.", panel=READING)
    raters: Any = option(
        None,
        "Columns that are a rater each: names or patterns ('reader*'); may be repeated.",
        panel=READING,
        many=True,
    )
    classifiers: Any = option(
        None,
        "Columns that are a classifier each: names or patterns ('model*'); may be repeated.",
        panel=READING,
        many=True,
    )
    layout: str | None = option(
        None, "long, wide or counts, if the file does not tell.", panel=READING
    )
    text: str | None = option(None, "Column with the item's text.", panel=READING)
    slices: Any = option(
        None,
        "Column to look at parts of the items by; may be repeated.",
        panel=READING,
        many=True,
        flag="--slice",
    )
    cluster: str | None = option(
        None, "Column with what items come from: document, patient, prompt.", panel=READING
    )
    groups: Any = option(
        None,
        "Column with the rater's group; may be repeated.",
        panel=READING,
        many=True,
        flag="--group",
    )
    gold: str | None = option(
        None,
        "Column with the answer known to be right, or a file with item and gold.",
        panel=READING,
    )
    occasion: str | None = option(
        None, "Column that orders a rater's repeated answers.", panel=READING
    )
    time: str | None = option(
        None,
        "Column with the time of an answer: a date, a number, or an order.",
        panel=READING,
    )
    pool: str | None = option(None, "Column with the pool of raters.", panel=READING)
    weight: str | None = option(None, "Column with the answer's weight.", panel=READING)
    order: Any = option(None, "Labels from lowest to highest, separated by commas.", panel=READING)
    scale: str | None = option(
        None, "nominal, ordered or numeric, if detected wrongly.", panel=READING
    )
    mapping: Any = option(
        None,
        "Read an answer as another label: TOXIC=toxic, or a file of such pairs.",
        panel=READING,
        many=True,
        flag="--map",
    )
    fold_case: bool = option(False, "Upper and lower case are the same.", panel=READING, kind=bool)
    missing: Any = option(
        None, "Further spellings of no answer, separated by commas.", panel=READING
    )
    unrated: str = option(
        "error", "Items with only missing labels: error, or drop them.", panel=READING
    )
    stopped: str | None = option(
        None,
        "Why items have different numbers of ratings, if detected wrongly: answers (more where "
        "the first differ), before (known beforehand) or random.",
        panel=READING,
        choices=("answers", "before", "random"),
    )
    question: str | None = option(None, "Which question of an export with several.", panel=READING)
    rater_from: str | None = option(None, "file or folder: the rater is its name.", panel=READING)
    controls: str = option(
        "keep",
        "Control tasks of an export, whose answer was known: keep or drop.",
        panel=READING,
    )
    sheet: str | None = option(None, "Sheet of a workbook.", panel=READING)
    sets: Any = option(
        None,
        "Answers tick several options: what stands between them, list, rows, or their columns.",
        panel=READING,
        many=True,
    )
    offered: Any = option(
        None, "With --sets: column that lists what could be ticked on an item.", panel=READING
    )
    a: str | None = option(
        None, "Answers say which of two is better: column with the one system.", panel=READING
    )
    b: str | None = option(None, "Column with the other system.", panel=READING)
    winner: str | None = option(
        None, "Column with the better one: A, B, tie, graded, or its name.", panel=READING
    )
    system: str | None = option(
        None, "Column with the system that an item is of, to rank systems.", panel=READING
    )


@frozen(kw_only=True)
class PredictionsReading(Options):
    """What can be said of the predictions beside what was said of the ratings."""

    prediction_item: Any = option(
        None,
        "Column with the item in the predictions, where it differs; may be repeated.",
        panel=READING,
        many=True,
    )
    run: str | None = option(
        None, "Column of the predictions that numbers a classifier's runs.", panel=READING
    )
    variants: Any = option(
        None,
        "Column of the predictions that says in which way a classifier was asked.",
        panel=READING,
        many=True,
        flag="--variant",
    )
    runs: str = option("first", "Of several runs: first, or majority.", panel=READING)


# What is said of the ratings and holds for the predictions too.
SHARED = ("mapping", "missing", "question", "sheet", "time", "a", "b", "winner")
