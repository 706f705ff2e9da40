"""Scorers of scikit-learn: the same numbers as `evaluate`, by metadata and by counts as y."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate

import headcount as hc
from headcount.adapters.scikit_learn import people_scorer
from headcount.errors import OptionError, UnanswerableError

LABELS = ["fine", "toxic"]


@pytest.fixture
def routed() -> Iterator[None]:
    """scikit-learn hands counts on to scorers."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def made(n: int = 400, labels: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, counts of labels by six people an item, and the label most of them gave."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(n, 3))
    logits = features @ rng.normal(size=(3, labels)) * 1.5 + rng.normal(size=(n, labels))
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    counts = np.stack([rng.multinomial(6, each) for each in shares])
    return features, counts, counts.argmax(axis=1)


def evaluated(columns: dict[str, Any], counts: np.ndarray, labels: list[str]) -> Any:
    items = [str(place) for place in range(len(counts))]
    predictions = hc.Predictions.from_frame(pa.table({"item": items, **columns}))
    people = hc.Ratings.from_counts(counts, labels=labels)
    return hc.evaluate(people, predictions, n_bootstrap=0).classifiers[0]


@pytest.mark.usefixtures("routed")
@pytest.mark.parametrize("probabilities", [False, True])
def test_cross_validate_gives_what_evaluate_gives(probabilities: bool) -> None:
    features, counts, most = made()
    y = np.asarray(LABELS)[most]
    asked = {"labels": LABELS, "probabilities": probabilities}
    scoring = {name: people_scorer(name, **asked) for name in ("worth", "agree")}
    folds = KFold(3, shuffle=True, random_state=0)
    found = cross_validate(
        LogisticRegression(), features, y, scoring=scoring, cv=folds, params={"counts": counts}
    )
    for fold, (train, test) in enumerate(folds.split(features)):
        model = LogisticRegression().fit(features[train], y[train])
        if probabilities:
            columns = {"m:toxic": model.predict_proba(features[test])[:, 1].tolist()}
        else:
            columns = {"m": model.predict(features[test]).tolist()}
        alone = evaluated(columns, counts[test], LABELS)
        assert found["test_worth"][fold] == pytest.approx(alone.worth.value, rel=0, abs=1e-9)
        assert found["test_agree"][fold] == pytest.approx(alone.agree.value, rel=0, abs=1e-9)


@pytest.mark.usefixtures("routed")
def test_labels_may_stand_in_any_order_and_be_numbers() -> None:
    features, counts, most = made(labels=3)
    model = LogisticRegression().fit(features, most)
    turned = people_scorer(labels=[2, 0, 1], probabilities=True, scale="nominal")
    found = turned(model, features, most, counts=counts[:, [2, 0, 1]])
    chances = model.predict_proba(features)
    columns = {f"m:{label}": chances[:, k].tolist() for k, label in enumerate("abc")}
    alone = evaluated(columns, counts, ["a", "b", "c"])
    assert found == pytest.approx(alone.worth.value, rel=0, abs=1e-9)


class ShareOfToxic(ClassifierMixin, BaseEstimator):
    """A model that is fitted to counts."""

    def __init__(self, power: float = 1.0) -> None:
        self.power = power

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ShareOfToxic":
        repeated = np.repeat(X, 2, axis=0)
        self.model_ = LogisticRegression(C=self.power).fit(
            repeated, np.tile(LABELS, len(X)), sample_weight=y.ravel()
        )
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict(X)


def test_counts_may_be_y_and_a_grid_is_searched_by_people() -> None:
    features, counts, _ = made()
    search = GridSearchCV(
        ShareOfToxic(),
        {"power": [1e-4, 1.0]},
        scoring=people_scorer("agree", labels=LABELS),
        cv=KFold(3),
    ).fit(features, counts)
    assert search.best_params_["power"] == 1.0


def test_what_cannot_be_is_said() -> None:
    features, counts, most = made()
    model = LogisticRegression().fit(features, np.asarray(LABELS)[most])
    with pytest.raises(OptionError, match="quantity is one of worth"):
        people_scorer("f1", labels=LABELS)
    with pytest.raises(OptionError, match="enable_metadata_routing"):
        people_scorer(labels=LABELS)(model, features, most)
    one = counts[:1] * 0 + [[1, 0]]
    with pytest.raises(UnanswerableError):
        people_scorer(labels=LABELS)(model, features[:1], one)
    with pytest.raises(OptionError, match="did not come in the items"):
        people_scorer(labels=["fine", "toxic", "vile"], probabilities=True)(
            model, features, np.column_stack([counts, counts[:, 0]])
        )
