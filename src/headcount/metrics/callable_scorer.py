"""Any metric that takes `sample_weight` as a scorer: scikit-learn's as they are."""

import inspect
import math
import warnings
from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.metrics.scorer import Prediction, Scorer, Takes, Task

Metric = Callable[..., Any]

_PROBABILITY_ARGUMENTS = {"y_score", "y_proba", "y_prob", "probas_pred", "y_pred_proba"}
_PROBABILITY_METRICS = {"log_loss", "d2_log_loss_score"}  # older releases call theirs y_pred
_NUMBER_METRICS = "sklearn.metrics._regression"


@frozen
class CustomScorer(Scorer):
    """A callable `metric(y_true, y_pred, sample_weight=…)`, fed as scikit-learn's are.

    Takes "labels": `y_true` and `y_pred` are label positions; of two labels the positive one
    is 1 and the other 0, and an answer outside the label set is the label that is wrong there
    (with more labels it is −1). Takes "probabilities": `y_true` as before and (R, L)
    probabilities in label order, of two labels (R,) the positive one's. Takes "numbers":
    both are numbers. Rows without weight are left out. Probabilities are not clipped.
    A metric where lower is better is negated.
    """

    metric: Metric = field(kw_only=True, repr=False)
    negate: bool = field(kw_only=True)
    wants_labels: bool = field(kw_only=True, default=False)

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The metric under each weight vector, one call each."""
        truth, guess = self._fed(prediction, label, task)
        extra = {"labels": np.arange(task.n_labels)} if self.wants_labels else {}
        return np.array([self._once(truth, guess, row, extra) for row in weight], dtype=np.float64)

    def _fed(
        self, prediction: Prediction, label: Ints, task: Task
    ) -> tuple[Prediction, Prediction]:
        if self.takes == "numbers":
            return task.values[label], prediction
        if task.n_labels != 2:
            return label, prediction
        truth = (label == task.focus).astype(np.int64)
        if self.takes == "probabilities":
            return truth, prediction[:, task.focus]
        guess = np.where(prediction < 0, 1 - truth, prediction == task.focus)
        return truth, guess.astype(np.int64)

    def _once(
        self, truth: Prediction, guess: Prediction, weight: Floats, extra: dict[str, Any]
    ) -> float:
        held = weight > 0
        if not held.any():
            return math.nan
        # scikit-learn says by a warning, not by its value, that a score is undefined.
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                answer = self.metric(truth[held], guess[held], sample_weight=weight[held], **extra)
            except (ValueError, TypeError, IndexError, ZeroDivisionError) as error:
                raise OptionError(
                    f"The scorer {self.name!r} could not score predictions given as {self.takes}: "
                    f"{error} (set what it is fed with takes=)."
                ) from error
        undefined = _pass_on(caught)
        value = _number(answer, self.name)
        if undefined or not math.isfinite(value):
            return math.nan
        return -value if self.negate else value


def custom_scorer(
    metric: Metric,
    *,
    takes: Takes | None = None,
    higher_is_better: bool | None = None,
    name: str | None = None,
) -> CustomScorer:
    """A callable as a scorer.

    What it is fed is read off its second argument (`y_score` or `y_proba`: probabilities)
    and its home (scikit-learn's regression metrics: numbers), labels otherwise; that lower is
    better from a name ending in `_loss` or `_error`. `takes` and `higher_is_better` say so
    where that guess would be wrong.
    """
    known = name or metric_name(metric)
    parameters = _parameters(metric, known)
    keywords = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    if "sample_weight" not in parameters and not keywords:
        raise OptionError(
            f"The scorer {known!r} takes no sample_weight, which is how surveys are scored: "
            "give a callable metric(y_true, y_pred, sample_weight=…), such as the functions of "
            "sklearn.metrics."
        )
    if takes is None:
        takes = _guess_takes(metric, known, list(parameters))
    if takes not in ("labels", "probabilities", "numbers"):
        raise OptionError(f'takes is "labels", "probabilities" or "numbers", not {takes!r}.')
    if higher_is_better is None:
        higher_is_better = not known.endswith(("_loss", "_error"))
    return CustomScorer(
        name=known if higher_is_better else f"neg_{known}",
        takes=takes,
        about=f"the metric {known}" + ("" if higher_is_better else ", negated"),
        bounds=(None, None),
        undefined="the metric has no value for these rows",
        hard_too=takes == "probabilities",
        scale_free="y_score" in parameters,
        metric=metric,
        negate=not higher_is_better,
        wants_labels=takes == "probabilities" and "labels" in parameters,
    )


def metric_name(metric: Metric) -> str:
    """A callable's own name, that of the function inside a partial, or its type's."""
    inner = getattr(metric, "func", metric)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _parameters(metric: Metric, name: str) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(metric).parameters)
    except (ValueError, TypeError) as error:
        raise OptionError(
            f"The arguments of the scorer {name!r} cannot be read: wrap it in a function "
            "metric(y_true, y_pred, sample_weight)."
        ) from error


def _guess_takes(metric: Metric, name: str, parameters: list[str]) -> Takes:
    second = parameters[1] if len(parameters) > 1 else ""
    if second in _PROBABILITY_ARGUMENTS or name in _PROBABILITY_METRICS:
        return "probabilities"
    home = getattr(getattr(metric, "func", metric), "__module__", "")
    return "numbers" if home == _NUMBER_METRICS else "labels"


def _pass_on(caught: list[warnings.WarningMessage]) -> bool:
    """Whether the metric said it is undefined; its other warnings are passed on."""
    undefined = False
    for warning in caught:
        if warning.category.__name__ == "UndefinedMetricWarning":
            undefined = True
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    return undefined


def _number(answer: Any, name: str) -> float:
    if np.ndim(answer) != 0:
        raise OptionError(
            f"The scorer {name!r} gave {np.size(answer)} numbers where one is needed: "
            "choose how it averages, for instance functools.partial(f1_score, average='macro')."
        )
    return float(answer)
