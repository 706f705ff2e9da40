"""scikit-learn: scorers that hold a model against what several people said of each item."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from headcount.data import Predictions, Ratings
from headcount.equivalence import survey_equivalence
from headcount.errors import MissingExtraError, OptionError
from headcount.evaluation import evaluate
from headcount.evaluation.gates import QUANTITIES
from headcount.results import Estimate

MODEL = "model"
"""What the classifier is called in the evaluation behind a score."""


def people_scorer(
    quantity: str = "worth",
    *,
    labels: Sequence[Any],
    probabilities: bool = False,
    order: Sequence[str] | None = None,
    scale: str | None = None,
    **options: Any,
) -> Any:
    """A scorer for `cross_validate`, `GridSearchCV` and the like that asks what people said.

    What people said are counts, a row an item and a column a label. They come as the metadata
    `counts` where scikit-learn routes metadata (``sklearn.set_config(
    enable_metadata_routing=True)``), so that the model is fitted to labels as ever, and else as `y`
    itself, for models that are fitted to counts.

    Parameters
    ----------
    quantity : str
        What `evaluate` calls it: "worth", "agree", "ceiling", "ideal" or "accuracy".
    labels : sequence
        The labels of the columns of counts.
    probabilities : bool
        Whether the model is asked for probabilities and not for labels. They are those of the
        labels in the order of `numpy.unique`, as scikit-learn's classes are.
    order, scale
        What the labels are, as in `Ratings.from_counts`.
    **options
        Of `evaluate`. Intervals are left out: a scorer gives one number.

    Returns
    -------
    callable
        ``scorer(model, X, y, counts=…)``. Where these items cannot answer, such as a worth beyond
        all that was measured, it raises the reason, which `cross_validate` turns into its
        `error_score`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> counts = np.array([[3, 1], [0, 4], [2, 2], [4, 0]] * 10)
    >>> agree = people_scorer("agree", labels=["fine", "toxic"])
    >>> model = DummyClassifier(strategy="constant", constant="fine")
    >>> round(agree(model.fit(counts, ["fine"] * 40), counts, counts), 4)
    0.5625
    """
    try:
        import sklearn
        from sklearn.metrics import make_scorer
    except ImportError as error:
        raise MissingExtraError(
            "scikit-learn is not installed: pip install 'headcount[sklearn]'."
        ) from error
    if quantity not in QUANTITIES:
        raise OptionError(f"quantity is one of {', '.join(QUANTITIES)}; it was {quantity!r}.")
    scorer = make_scorer(
        _score,
        response_method="predict_proba" if probabilities else "predict",
        quantity=quantity,
        labels=tuple(labels),
        probabilities=probabilities,
        order=order,
        scale=scale,
        options=options,
    )
    if sklearn.get_config()["enable_metadata_routing"]:
        scorer.set_score_request(counts=True)
    return scorer


def _score(
    y: Any,
    answers: Any,
    *,
    quantity: str,
    labels: tuple[Any, ...],
    probabilities: bool,
    order: Sequence[str] | None,
    scale: str | None,
    options: dict[str, Any],
    counts: Any = None,
) -> float:
    """One number of one model on one set of items."""
    people = np.asarray(y if counts is None else counts)
    if people.ndim != 2 or people.shape[1] != len(labels):
        raise OptionError(
            f"The scorer reads counts of {len(labels)} labels, a row an item, and was given an "
            f"array of shape {people.shape}: pass params={{'counts': counts}} after "
            "sklearn.set_config(enable_metadata_routing=True), or counts as y."
        )
    names = [str(label) for label in labels]
    ratings = Ratings.from_counts(people, labels=names, order=order, scale=scale)
    given = _chances(np.asarray(answers), labels) if probabilities else _labels(answers)
    items = [str(place) for place in range(len(people))]
    predictions = Predictions.from_frame(pa.table({"item": items, **given}))
    options = {**options, "n_bootstrap": 0}
    if quantity == "worth":  # the same as in an evaluation, without all the rest of it
        return float(survey_equivalence(ratings, predictions, **options)[MODEL].worth)
    estimates: dict[str, Estimate] = evaluate(ratings, predictions, **options).estimates()[MODEL]
    return float(estimates[quantity])


def _labels(answers: Any) -> dict[str, list[str]]:
    """The model's labels as a column."""
    return {MODEL: [str(answer) for answer in np.asarray(answers).tolist()]}


def _chances(answers: Any, labels: tuple[Any, ...]) -> dict[str, list[float]]:
    """The model's probabilities as a column a label."""
    classes = np.unique(np.asarray(labels)).tolist()
    if answers.ndim == 1:  # of two classes scikit-learn hands over the second one's
        answers = np.column_stack([1 - answers, answers])
    if answers.shape[1] != len(classes):
        raise OptionError(
            f"The model gives probabilities of {answers.shape[1]} labels and the counts are of "
            f"{len(classes)}: a label did not come in the items it was fitted to."
        )
    return {f"{MODEL}:{label}": answers[:, k].tolist() for k, label in enumerate(classes)}
