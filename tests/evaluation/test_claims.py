"""Who is worth more: claimed by scores, open where a worth is, and seldom of equals."""

import pyarrow as pa
import pytest
from scipy.stats import binom
from tests.evaluation.equal_classifiers import claims, study

import headcount as hc
from headcount.results import Estimate, Requirement
from headcount.sampling.differences import difference_of_intervals

MIDDLE = Estimate(2.0, 1.5, 2.5)
BEYOND = Estimate(None, 3.0, None, "above", "within", "above", floor=0.0, ceiling=4.0)
NOTHING = Estimate(None, None, 0.2, "below", "below", "within", floor=0.0, ceiling=4.0)


def test_two_intervals_are_joined_as_squares_against_theory() -> None:
    gap = difference_of_intervals(Estimate(3.0, 2.0, 5.0), Estimate(1.0, 0.5, 1.5), correlation=0.5)
    assert gap.low == pytest.approx(2 - (1 + 0.25 - 0.5) ** 0.5)
    assert gap.high == pytest.approx(2 + (4 + 0.25 - 1.0) ** 0.5)


@pytest.mark.parametrize(
    ("first", "second", "order", "said"),
    [
        (BEYOND, MIDDLE, Estimate(0.1, 0.02, 0.2), "at least 0.50"),
        (MIDDLE, BEYOND, Estimate(-0.1, -0.2, -0.02), "at most -0.50"),
        (BEYOND, BEYOND, Estimate(0.1, -0.02, 0.2), "these data set no limits"),
        (MIDDLE, MIDDLE, Estimate(0.01, -0.01, 0.03), "0.00 (-0.71 to 0.71)"),
        (NOTHING, NOTHING, Estimate(0.0, -0.1, 0.1), "0.00 (-0.20 to 0.20)"),
        (Estimate.undefined("why"), MIDDLE, None, "undefined"),
    ],
)
def test_what_is_beyond_the_curve_is_open(
    first: Estimate, second: Estimate, order: Estimate, said: str
) -> None:
    assert difference_of_intervals(first, second, order=order).text(2) == said


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("first", [MIDDLE, BEYOND, NOTHING])
@pytest.mark.parametrize("second", [MIDDLE, BEYOND, NOTHING])
def test_the_interval_holds_nought_just_where_that_of_the_scores_does(
    first: Estimate, second: Estimate, sign: int
) -> None:
    shown = Estimate(0.1 * sign, *sorted((0.02 * sign, 0.2 * sign)))
    open_ = Estimate(0.1 * sign, *sorted((-0.02 * sign, 0.2 * sign)))
    gap = difference_of_intervals(first, second, order=shown)
    assert (gap.low if sign > 0 else -(gap.high or 0.0)) > 0
    gap = difference_of_intervals(first, second, order=open_)
    assert gap.low is None or gap.low <= 0
    assert gap.high is None or gap.high >= 0


@pytest.fixture(scope="module")
def found() -> hc.evaluation.Evaluation:
    made = hc.simulate.make("comments", seed=1, items=300)
    return hc.evaluate(made.ratings, made.predictions, n_bootstrap=50)


def test_worth_is_claimed_just_where_the_score_is(found: hc.evaluation.Evaluation) -> None:
    for each in found.differences.pairs:
        if each.quantity == "worth":
            score = found.differences.of(each.first, each.second, "score")
            assert (each.p_value, each.adjusted) == (score.p_value, score.adjusted)
            assert each.adjusted >= each.p_value


def test_not_worse_in_worth_answers(found: hc.evaluation.Evaluation) -> None:
    pair = found.compare("fine_tuned", "word_list")
    assert pair.not_worse(0, "worth").shown is True
    assert pair.not_worse(0.5, "worth").shown is True
    back = found.compare("word_list", "fine_tuned")
    assert back.not_worse(0, "worth").shown is False
    assert back.not_worse(1, "worth").shown is False


def test_gates_on_worth_decide_by_the_scores(found: hc.evaluation.Evaluation) -> None:
    told, difference = found.estimates(), found.difference
    assert Requirement.parse("fine_tuned:worth>word_list").unmet(told, difference) == ()
    (unmet,) = Requirement.parse("word_list:worth>=fine_tuned").unmet(told, difference)
    assert unmet.startswith("word_list is not shown to be at least as good as fine_tuned")


def test_perfect_judges_of_whom_nobody_can_say_how_many_they_are_worth() -> None:
    rows = [(f"i{i}", f"r{r}", "xy"[(i % 2) ^ (i % 7 == r)]) for i in range(60) for r in range(3)]
    ratings = hc.Ratings.from_frame(
        pa.table(dict(zip(("item", "rater", "label"), zip(*rows, strict=True), strict=True)))
    )
    items = [f"i{i}" for i in range(60)]
    judges = pa.table(
        {
            "item": items,
            "one": ["xy"[i % 2] for i in range(60)],
            "other": ["xy"[i % 2] for i in range(60)],
        }
    )
    told = hc.evaluate(ratings, judges, n_bootstrap=40)
    assert not any(each.claimed for each in told.differences.pairs)
    assert told.compare("one", "other").worth.open_above


@pytest.mark.parametrize("cell", [(2, "anonymous"), (6, "raters")])
def test_equals_are_seldom_told_apart_small_coverage(cell: tuple[int, str]) -> None:
    """Of 12 data sets at most 3 by a binomial test at 1 %."""
    assert binom.sf(sum(bool(claims(study(*cell, run))) for run in range(12)) - 1, 12, 0.05) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize("shape", ["anonymous", "raters", "ragged", "documents"])
@pytest.mark.parametrize("classifiers", [2, 6, 20])
def test_equals_are_seldom_told_apart_coverage(classifiers: int, shape: str) -> None:
    """5 % of data sets may claim a difference in anything."""
    claimed = sum(bool(claims(study(classifiers, shape, run))) for run in range(200))
    assert binom.sf(claimed - 1, 200, 0.05) > 0.01
