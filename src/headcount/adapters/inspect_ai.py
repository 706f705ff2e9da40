"""Inspect: a metric that holds a scorer against people, and logs as ratings and predictions."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from headcount.adapters.people import MODEL, answers_of, evaluated, figures, people_of
from headcount.data import Predictions, Ratings
from headcount.errors import InputError, MissingExtraError

PEOPLE = "people"
"""The key of a sample's metadata that says what people said of it."""
_GRADES = {1.0: "C", 0.0: "I"}
"""Correct and incorrect, as Inspect turns them into numbers."""


def people_metric(*, people: str = PEOPLE, **options: Any) -> Any:
    """A metric for a scorer that gives labels: what the scorer is worth, in people.

    Inspect takes the mean of epochs before it asks a metric, by which a value that is text becomes
    0: say the label as the score's `answer` (``Score(value=…, answer="toxic")``). Grades that
    Inspect knows (C and I) and numbers may be values.

    Parameters
    ----------
    people : str
        The key of each sample's metadata with what people said: `{"fine": 3, "toxic": 1}`, or the
        labels themselves. Samples without it are left out.
    **options
        Of `evaluate`, and `order` and `scale` of the labels.

    Returns
    -------
    Metric
        For ``@scorer(metrics=[people_metric()])``. It gives several numbers: `worth`, `agree`,
        `ceiling` and whatever else `evaluate` knows of a classifier, each with `_low` and `_high`;
        a number that these data cannot give is not there.
    """
    try:
        from inspect_ai.scorer import SampleScore, metric
    except ImportError as error:
        raise MissingExtraError(
            "Inspect is not installed: pip install 'headcount[inspect]'."
        ) from error

    def people_figures() -> Any:
        def measured(scores: list[SampleScore]) -> dict[str, float]:
            rated = [each for each in scores if (each.sample_metadata or {}).get(people)]
            if not rated:
                raise InputError(
                    f"No sample's metadata says what people said under {people!r}: add, for "
                    f'instance, metadata={{"{people}": {{"fine": 3, "toxic": 1}}}}.'
                )
            said = [(each.sample_metadata or {})[people] for each in rated]
            labels = {str(label) for each in said for label in each}
            answers = [label_of(each.score, labels) for each in rated]
            found = evaluated(said, answers, **options)
            return figures(found.estimates()[MODEL])

        return measured

    return metric(name="people")(people_figures)()


def read_logs(
    *logs: Any, people: str | Sequence[str] = PEOPLE, **declared: Any
) -> tuple[Ratings, Predictions]:
    """Inspect's logs as ratings and predictions, for `evaluate` and every other method.

    Parameters
    ----------
    *logs : str, path or EvalLog
        Logs of the same samples: a classifier is a scorer, and where there are several logs its
        name begins with the model's.
    people : str or sequence of str
        Who the people are: a key of the samples' metadata with what people said, or the names of
        scorers that hold a person's score each.
    **declared
        `order` and `scale` of the labels, as in `Ratings.from_frame`.

    Returns
    -------
    Ratings, Predictions
        By sample, and by epoch where there are several.
    """
    try:
        from inspect_ai.log import EvalLog, read_eval_log
    except ImportError as error:
        raise MissingExtraError(
            "Inspect is not installed: pip install 'headcount[inspect]'."
        ) from error
    read = [each if isinstance(each, EvalLog) else read_eval_log(str(each)) for each in logs]
    said: dict[str, Any] = {}
    scored: dict[str, dict[str, Any]] = {}
    for log in read:
        several = len({sample.epoch for sample in log.samples or ()}) > 1
        for sample in log.samples or ():
            item = f"{sample.id}/{sample.epoch}" if several else str(sample.id)
            scores = dict(sample.scores or {})
            if isinstance(people, str):
                said[item] = (sample.metadata or {}).get(people)
            else:
                given = {name: scores.pop(name, None) for name in people}
                said[item] = {name: str(s.value) for name, s in given.items() if s is not None}
            for name, score in scores.items():
                column = f"{log.eval.model}/{name}" if len(read) > 1 else name
                scored.setdefault(column, {})[item] = score
    ratings = _people(said, people, declared)
    return ratings, _predictions(scored, set(ratings.labels.names))


def label_of(score: Any, labels: set[str]) -> str:
    """The label that a score gives: its value, its answer, or the grade that its number stands for.

    `labels` are people's: what a score gives has to be one of them.
    """
    value = score.value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    candidates = [str(value), str(score.answer)]
    if number:
        candidates += [f"{value:g}", _GRADES.get(float(value), "")]
    for each in candidates:
        if each.strip() in labels:
            return each.strip()
    raise InputError(
        f"A score has the value {value!r} and the answer {score.answer!r}, and people said "
        f"{', '.join(sorted(labels))}: give the label as the answer, Score(value=…, "
        'answer="…"), since Inspect turns a value that is text into 0.'
    )


def _people(said: dict[str, Any], people: str | Sequence[str], declared: dict[str, Any]) -> Ratings:
    rated = {item: each for item, each in said.items() if each}
    if not isinstance(people, str):
        rows = [
            (item, rater, str(label))
            for item, each in rated.items()
            for rater, label in each.items()
        ]
        if rows:
            columns = [list(column) for column in zip(*rows, strict=True)]
            table = pa.table(columns, names=["item", "rater", "label"])
            return Ratings.from_frame(table, **declared)
    elif rated:
        return people_of(list(rated.values()), list(rated), **declared)
    named = people if isinstance(people, str) else ", ".join(people)
    raise InputError(
        f"Nobody of {named} said anything in these logs: name the key of the samples' metadata "
        "that holds what people said, or the scorers that are people (people=)."
    )


def _predictions(scored: dict[str, dict[str, Any]], labels: set[str]) -> Predictions:
    if not scored:
        raise InputError("These logs hold no scores: name fewer scorers as people.")
    items = list(dict.fromkeys(item for each in scored.values() for item in each))
    columns = {
        name: [label_of(each[i], labels) if i in each else None for i in items]
        for name, each in scored.items()
    }
    return answers_of(columns, items)
