"""A judge whose answers run the other way is said to, before any worth, whatever it gives."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc

N, RNG = 200, np.random.default_rng(3)
SHARE = RNG.beta(1, 1, N)
YES = RNG.binomial(8, SHARE)
LEVEL = RNG.normal(3, 1, N)
NOISE = RNG.normal(0, 0.7, (N, 3))


def two_labels() -> hc.Ratings:
    return hc.Ratings.from_counts(np.column_stack([8 - YES, YES]), labels=["no", "yes"])


def on_a_scale(numbers: bool) -> hc.Ratings:
    said = LEVEL[:, None] + NOISE
    text = [f"{x:.2f}" if numbers else str(int(np.clip(round(x), 1, 5))) for x in said.ravel()]
    item, rater = np.divmod(np.arange(3 * N), 3)
    frame = pa.table({"item": item.astype(str), "rater": [f"r{r}" for r in rater], "label": text})
    return hc.Ratings.from_frame(frame)


WORLDS = {
    "labels": (two_labels, np.where(SHARE < 0.5, "yes", "no"), np.where(SHARE < 0.5, "no", "yes")),
    "probabilities": (two_labels, 1 - SHARE, SHARE),
    "levels": (
        lambda: on_a_scale(False),
        np.clip(np.round(6 - LEVEL), 1, 5).astype(int).astype(str),
        np.clip(np.round(LEVEL), 1, 5).astype(int).astype(str),
    ),
    "numbers": (lambda: on_a_scale(True), np.round(6 - LEVEL, 2), np.round(LEVEL, 2)),
}


@pytest.mark.parametrize("kind", WORLDS)
def test_it_is_said_first(kind: str) -> None:
    ratings, reversed_, straight = WORLDS[kind]
    judges = pa.table({"item": np.arange(N).astype(str), "back": reversed_, "good": straight})
    found = hc.evaluate(ratings(), judges, n_bootstrap=20)
    assert found["back"].turned_round.high < 0
    assert found["good"].turned_round is None
    first, *rest = found["back"].verdict
    assert first.startswith(
        "back's answers run the other way: their correlation with people's is -"
    )
    assert not any("run the other way" in said for said in (*rest, *found["good"].verdict))
    assert not any("neither higher nor lower" in said for said in rest)
    assert found["back"].stands_in == "no"


def test_a_worth_in_raters_says_it_too_and_who_turns_them() -> None:
    ratings, reversed_, _ = WORLDS["labels"]
    judge = pa.table({"item": np.arange(N).astype(str), "back": reversed_})
    found = hc.survey_equivalence(ratings(), judge, n_bootstrap=20)
    first, second, *_ = found["back"].sentences()
    assert "run the other way" in first
    assert second.startswith("Turned round, back is worth ")
    assert found.to_dict()["classifiers"][0]["turned_round"]["high"] < 0
