"""Comparisons count with their mirror images: nothing hangs on which system is called the first."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data.mirrored import turned


def _world(names: tuple[str, str], seed: int = 0) -> tuple[hc.Ratings, hc.Predictions]:
    """One strong system meets one weak one on every prompt; a judge knows who is who, no more."""
    rng = np.random.default_rng(seed)
    strong, weak = names
    rows: dict[str, list[object]] = {
        name: [] for name in ("prompt_id", "rater", "model_a", "model_b", "winner")
    }
    for prompt in range(250):
        lean = rng.beta(4, 1.5)
        for rater in range(4):
            won = strong if rng.random() < lean else weak
            for name, cell in zip(rows, (prompt, f"r{rater}", strong, weak, won), strict=True):
                rows[name].append(cell)
    people = hc.Ratings.from_frame(pa.table(rows))
    always = {
        "prompt_id": list(range(250)),
        "judge": ["loyal"] * 250,
        "model_a": [strong] * 250,
        "model_b": [weak] * 250,
        "winner": [strong] * 250,
    }
    return people, hc.Predictions.from_frame(pa.table(always))


@pytest.mark.parametrize("names", [("new", "old"), ("old", "new")])
def test_nobody_knows_nothing_against_theory(names: tuple[str, str]) -> None:
    people, _ = _world(names)
    curve = hc.power_curve(people, n_bootstrap=0)
    # Win and win are equally likely: one bit, less what an item's own answers take off.
    assert curve.points[0].score.value == pytest.approx(-1, abs=0.01)


def test_who_is_called_the_first_does_not_matter() -> None:
    found = [
        hc.survey_equivalence(*_world(names), n_bootstrap=0)["loyal"]
        for names in (("new", "old"), ("old", "new"))
    ]
    assert found[0].score.value == pytest.approx(found[1].score.value, abs=1e-9)
    # A judge that knows the better system is worth something: without the mirror, nothing.
    assert found[0].gain.value > 0.05


def test_mirror_images_stand_in_the_cluster_of_their_prompt() -> None:
    people, judge = _world(("new", "old"))
    study = hc.Study(people, judge).symmetric
    assert study.ratings.n_items == 2 * people.n_items
    assert study.sampled().plan.clusters == 250
    counts = study.judged.counts
    assert counts.sum(axis=0)[0] == counts.sum(axis=0)[1] == people.n_ratings
    assert any("mirror image" in note for note in study.notes)
    plain = hc.Study(hc.simulate.make("comments", items=20).ratings)
    assert plain.symmetric is plain


def test_soft_answers_are_turned_by_label() -> None:
    people, _ = _world(("new", "old"))
    items = people.item_counts().items
    soft = pa.table({"item": items, "j:first": [0.7] * 250, "j:second": [0.3] * 250})
    study = hc.Study(people, hc.Predictions.from_frame(soft)).symmetric
    shares = study.judged.classifiers[0].probabilities
    assert shares is not None
    assert sorted(set(shares[:, 0].round(6))) == [0.3, 0.7]
    assert shares[:, 0].mean() == pytest.approx(0.5)


def test_answers_turned_twice_are_as_they_were() -> None:
    for label in ("first", "second", "tie", "2", "-1", "0", "0.5", None):
        assert turned(turned(label)) == label
