"""Many ratings an item: models read enough of them, and nothing grows with the rest."""

import resource
import time

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data import ENOUGH, Patterns, enough, enough_of, full_block


def _counts(items: int, ratings: int, labels: int = 2, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(labels, 0.8), size=items)
    return np.array([rng.multinomial(ratings, share) for share in shares])


def _study(counts: np.ndarray) -> tuple[hc.Ratings, pa.Table]:
    labels = [f"l{j}" for j in range(counts.shape[1])]
    said = (counts + 1) ** 0.7
    said /= said.sum(axis=1, keepdims=True)
    columns = {f"soft:{name}": said[:, j] for j, name in enumerate(labels)}
    answers = pa.table(
        {
            "item": [str(i) for i in range(len(counts))],
            "hard": [labels[k] for k in counts.argmax(axis=1)],
            **columns,
        }
    )
    return hc.Ratings.from_counts(counts, labels=labels), answers


def test_few_ratings_are_all_read() -> None:
    counts = _counts(50, ENOUGH)
    assert enough(counts) is counts
    patterns = Patterns.of(counts)
    assert enough_of(patterns) is patterns


def test_what_is_drawn_depends_on_no_other_item() -> None:
    counts = _counts(60, 5_000, labels=3)
    order = np.random.default_rng(1).permutation(60)
    drawn = enough(counts)
    np.testing.assert_array_equal(enough(counts[order]), drawn[order])
    np.testing.assert_array_equal(enough(counts[:7]), drawn[:7])
    assert (drawn.sum(axis=1) == ENOUGH).all()
    assert (drawn <= counts).all()


def test_equal_items_are_drawn_from_one_by_one() -> None:
    patterns = Patterns(np.array([[1, 2], [500, 500]]), np.array([4, 300]))
    found = enough_of(patterns)
    assert found.n_items == patterns.n_items
    assert len(found.items) > 20


def test_drawn_counts_against_theory() -> None:
    """Hypergeometric: the mean, and the variance with its correction for a finite item."""
    n, yes, copies = 1_000, 300, 20_000
    drawn = enough(np.tile([n - yes, yes], (copies, 1)))[:, 1]
    share = yes / n
    variance = ENOUGH * share * (1 - share) * (n - ENOUGH) / (n - 1)
    assert drawn.mean() == pytest.approx(ENOUGH * share, abs=4 * np.sqrt(variance / copies))
    assert drawn.var() == pytest.approx(variance, rel=0.05)


def test_the_curve_ends_where_the_population_carries_it_on() -> None:
    assert full_block(np.array([10**9] * 30)).raters == ENOUGH
    assert full_block(np.array([300] * 30), raters=300).raters == 300


def test_the_curve_of_a_part_against_that_of_all() -> None:
    """What another sixty ratings an item would change is far below a rater's step."""
    ratings, _ = _study(_counts(60, 260))
    part = hc.power_curve(ratings, n_bootstrap=0, combiner="fitted").values
    all_ = hc.power_curve(ratings, n_bootstrap=0, combiner="fitted", max_raters=260).values
    step = all_[11] - all_[10]
    assert np.abs(part[5:11] - all_[5:11]).max() < step


def test_a_million_ratings_an_item_cost_as_much_as_a_thousand() -> None:
    ratings, answers = _study(_counts(200, 1_000_000))
    assert ratings.n_ratings == 200_000_000
    start = time.process_time()
    found = hc.evaluate(ratings, answers, n_bootstrap=50)
    assert time.process_time() - start < 20
    notes = found.equivalence.unchecked()
    assert any("drawn at random and always the same" in note for note in notes)
    assert found.agreement.ratings == 200_000_000


@pytest.mark.prove
@pytest.mark.parametrize("labels", [2, 5])
def test_a_thousand_items_of_a_million_ratings(labels: int) -> None:
    ratings, answers = _study(_counts(1_000, 1_000_000, labels=labels))
    start = time.process_time()
    hc.evaluate(ratings, answers)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{labels} labels: {seconds:.1f} s of CPU, peak {memory:.0f} MiB")
    assert seconds < (10 if labels == 2 else 30)
    assert memory < 1024
