"""Names, levels or numbers: what tells them apart, and what the user can say."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from headcount.data import Labels, Patterns, Ratings
from headcount.data.scale import Scale, declared_scale, detected_scale
from headcount.errors import OptionError


def _scores(levels: int, first: int, *, items: int = 400, seed: int = 0) -> Ratings:
    """Three ratings an item, each near the item's own level."""
    rng = np.random.default_rng(seed)
    middle = rng.uniform(0, levels - 1, size=(items, 1))
    given = np.clip(np.rint(middle + rng.normal(0, 0.7, size=(items, 3))), 0, levels - 1)
    return _counted(given.astype(int), levels, first)


def _classes(levels: int, first: int, *, items: int = 400, seed: int = 0) -> Ratings:
    """Three ratings an item, each wrong in any direction."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(levels, size=(items, 1))
    given = np.where(rng.random((items, 3)) < 0.7, truth, rng.integers(levels, size=(items, 3)))
    return _counted(given, levels, first)


def _counted(given: np.ndarray, levels: int, first: int) -> Ratings:
    counts = np.stack([(given == level).sum(axis=1) for level in range(levels)], axis=1)
    return Ratings.from_counts(counts, labels=[str(first + j) for j in range(levels)])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("levels", "first"), [(3, 1), (4, 1), (5, 1), (5, 0), (5, -2), (10, 1)])
def test_scores_have_an_order(levels: int, first: int, seed: int) -> None:
    found = _scores(levels, first, seed=seed).scale
    assert found.kind == "ordered"
    assert found.values == tuple(float(first + j) for j in range(levels))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("levels", "first"), [(2, 0), (2, 1), (3, 0), (3, 1), (5, 1), (5, 0), (10, 0), (10, 1)]
)
def test_codes_of_classes_have_none(levels: int, first: int, seed: int) -> None:
    assert _classes(levels, first, seed=seed).scale.kind == "nominal"


def test_codes_that_people_confuse_by_meaning_have_none() -> None:
    """Neighbouring codes are confused, but another order of the codes explains more."""
    rng = np.random.default_rng(3)
    place = np.array([0, 3, 1, 4, 2])  # where each class lies on what people see
    middle = rng.uniform(0, 4, size=(500, 1))
    seen = np.clip(np.rint(middle + rng.normal(0, 0.6, size=(500, 3))), 0, 4).astype(int)
    assert _counted(place[seen], 5, 0).scale.kind == "nominal"


@pytest.mark.parametrize("part", range(12))
def test_breeds_in_any_sample_are_names(part: int) -> None:
    """Two pairs of breeds that are confused lie side by side by luck; samples looked ordered."""
    rng = np.random.default_rng(part)
    alike = np.array([[70, 22, 4, 4], [22, 66, 6, 6], [4, 6, 68, 22], [4, 6, 22, 68]]) / 100
    truth = rng.integers(4, size=150)
    given = np.stack([[rng.choice(4, p=alike[t]) for t in truth] for _ in range(5)], axis=1)
    assert _counted(given, 4, 0).scale.kind == "nominal"


def test_many_whole_numbers_are_numbers_and_many_codes_are_not() -> None:
    assert _scores(40, 0, items=2000).scale.kind == "numeric"
    assert _classes(40, 0, items=2000).scale.kind == "nominal"


def test_decimals_are_numbers() -> None:
    labels = Labels.found(["0.5", "1", "1.5"])
    found = detected_scale(labels, Patterns.of(np.eye(3, dtype=np.int64)))
    assert (found.kind, found.values) == ("numeric", (0.5, 1.0, 1.5))


def test_with_little_disagreement_marks_from_one_have_an_order() -> None:
    few = Ratings.from_counts(np.eye(5, dtype=int) * 2, labels=list("12345"))
    assert few.scale.kind == "ordered"
    assert "too few items" in few.scale.sentence()
    codes = Ratings.from_counts(np.eye(5, dtype=int) * 2, labels=list("01234"))
    assert codes.scale.kind == "nominal"
    assert "--scale ordered" in codes.scale.sentence()


def test_what_the_user_says_counts() -> None:
    words = Labels(("bad", "fair", "good"))
    assert declared_scale(words, None, ordered=True) == Scale(
        "ordered", words.names, (1.0, 2.0, 3.0), "their order was given"
    )
    assert declared_scale(Labels(("no", "yes")), None, ordered=True) is None
    backwards = declared_scale(Labels(("3", "2", "1")), "ordered", ordered=True)
    assert backwards is not None
    assert backwards.values == (1.0, 2.0, 3.0)
    with pytest.raises(OptionError, match='"nominal", "ordered" or "numeric", not \'ordinal\''):
        declared_scale(words, "ordinal", ordered=False)
    with pytest.raises(OptionError, match="needs labels that are numbers"):
        declared_scale(words, "numeric", ordered=False)


REAL = {
    "cifar10h": "nominal",
    "credbank": "nominal",
    "entailment-rte": "nominal",
    "llm-rubric": "ordered",
    "offensiveness": "ordered",
    "pandalm-judges": "nominal",
    "pg13": "nominal",
    "sleep-stages": "nominal",
    "summeval": "ordered",
    "valence": "numeric",
    "word-sense": "nominal",
}


@pytest.mark.parametrize(("name", "kind"), REAL.items())
def test_real_data(name: str, kind: str, shared_data: Callable[[str], Path]) -> None:
    folder = shared_data(name)
    files = [*folder.glob("ratings.csv*"), *folder.glob("counts.csv*")]
    assert Ratings.read(files[0]).scale.kind == kind
