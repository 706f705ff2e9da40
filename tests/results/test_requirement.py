"""Requirements: how they are written, and when they hold."""

from statistics import NormalDist

import pytest

from headcount.errors import OptionError
from headcount.results import Estimate, Requirement, hold
from headcount.stats.intervals import Tail, estimate_from_draws

WORTH = Estimate(3.5, 2.8, 4.4, "within", "within", "within", floor=0, ceiling=9)
FOUND = {
    "gpt": {"worth": WORTH, "agree": Estimate(0.8, 0.7, 0.9)},
    "noise": {"worth": Estimate(None, None, 0.4, "below", "below", "within", 0, 9),
              "agree": Estimate.undefined("nobody was asked")},
    "ideal": {"worth": Estimate(None, 8.0, None, "above", "within", "above", 0, 9),
              "agree": Estimate(0.9)},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (">=3", (None, "worth", "estimate", ">=", 3.0)),
        ("worth>3", (None, "worth", "estimate", ">", 3.0)),
        (" gpt : low > 2.5 ", ("gpt", "worth", "low", ">", 2.5)),
        ("a:b:<=1", ("a:b", "worth", "estimate", "<=", 1.0)),
        ("worth:>=1", ("worth", "worth", "estimate", ">=", 1.0)),
        ("gpt (calibrated):high<4", ("gpt (calibrated)", "worth", "high", "<", 4.0)),
        ("gpt:ceiling>=95%", ("gpt", "ceiling", "estimate", ">=", 0.95)),
        ("gpt:oracle low>=0.5", ("gpt", "ceiling", "low", ">=", 0.5)),
        ("gpt:agree >= 80 %", ("gpt", "agree", "estimate", ">=", 0.8)),
        ("gpt:accuracy high>=90%", ("gpt", "accuracy", "high", ">=", 0.9)),
    ],
)
def test_requirements_are_read(text, parts):
    assert Requirement.parse(text) == Requirement(*parts)


@pytest.mark.parametrize(
    "text",
    ["", "gpt", "ceiling>=", "gpt=3", ">= many", "gpt:>=-1", "gpt:nothing>=3", "at least three"],
)
def test_what_cannot_be_read_is_told_with_an_example(text):
    with pytest.raises(OptionError, match="cannot be read: write it like 'gpt:low>=3'"):
        Requirement.parse(text)


def test_numbers_must_fit_what_they_are_about():
    with pytest.raises(OptionError, match="more than everything"):
        Requirement.parse("ceiling>=90")
    with pytest.raises(OptionError, match="number of raters"):
        Requirement.parse("gpt:>=3%")
    with pytest.raises(OptionError, match="choose worth"):
        Requirement.parse("gpt:agree>=80%", among=("worth",))


@pytest.mark.parametrize(
    "text",
    ["gpt:>=3", "gpt:low>2.5", "gpt:high<5", "gpt:agree>=80%", "ideal:>=9", "noise:<=0",
     "noise:high<1", "ideal:low>=8", "ideal:agree>0.85"],
)  # fmt: skip
def test_what_holds_is_met(text):
    assert Requirement.parse(text).unmet(FOUND) == ()


@pytest.mark.parametrize(
    "text",
    ["gpt:>=4", "gpt:low>=3", "ideal:>=10", "ideal:<=10", "noise:>=0", "noise:low>=0",
     "noise:agree>=0%", "ideal:agree low>=10%"],
)  # fmt: skip
def test_what_does_not_surely_hold_is_not_met(text):
    assert len(Requirement.parse(text).unmet(FOUND)) == 1


def test_without_a_name_it_is_for_all_and_says_whom():
    said = Requirement.parse("agree>=85%").unmet(FOUND)
    assert said[0].startswith("80.0 % of people (70.0 % to 90.0 %) would agree with gpt, and")
    assert said[1].endswith("of noise is not known: nobody was asked")
    assert len(said) == 2


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(OptionError, match="names no classifier: there are gpt, noise, ideal"):
        Requirement.parse("nobody:>=1").unmet(FOUND)


def test_a_span_is_held_to_its_ends_and_never_to_a_value() -> None:
    found = {"gpt": {"accuracy": Estimate.span(0.83, 0.92, "there is no gold")}}
    assert Requirement.parse("gpt: accuracy low >= 80%").unmet(found) == ()
    assert Requirement.parse("accuracy high <= 95%").unmet(found) == ()
    (low,) = Requirement.parse("accuracy low >= 85%").unmet(found)
    assert "of gpt lies between 83.0 % and 92.0 %, and the requirement on the low end" in low
    (value,) = Requirement.parse("gpt: accuracy >= 50%").unmet(found)
    assert "that span is all there is (there is no gold)" in value


def test_a_gate_on_a_value_says_how_often_luck_meets_it_against_theory() -> None:
    """With an error of one, as much of a normal curve lies past 3.5 where its middle is at 3."""
    draws = NormalDist(3.5).quantiles(10_000)
    found = {"gpt": {"worth": estimate_from_draws(3.5, draws, Tail(0.95, 10**9))}}
    said = str(Requirement.parse("gpt:>=3").luck(found))
    assert "Where the truth is 3, luck meets it in about half of samples like this one" in said
    assert "looks as good as here in about 31 %" in said
    assert "in about 16 %" in str(Requirement.parse("<=4.5").luck(found))
    assert Requirement.parse("gpt:>=4").luck(found) is None  # not met
    assert Requirement.parse("gpt:>=1.5").luck(found) is None  # met by the low end too


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("gpt:>=3", "'gpt:low>=3' holds the low end"),
        (" agree estimate >= 80 %", "'agree low>=80 %' holds the low end"),
        ("gpt : worth < 4", "'gpt:worth high<4' holds the high end"),
    ],
)
def test_what_would_not_hang_on_luck_is_said(text: str, advice: str) -> None:
    found = {"gpt": FOUND["gpt"]}
    held = hold([Requirement.parse(text)], found)
    assert held.unmet == ()
    assert advice in held.luck[0]
    assert "in about half of samples" in held.luck[0]
    better = Requirement.parse(advice.split("'")[1])
    assert better.luck(found) is None
    assert better.part in advice


def test_gates_on_ends_and_differences_say_nothing_of_luck() -> None:
    def difference(*_: str) -> Estimate:
        return Estimate(0.1, 0.05, 0.15)

    for text in ("gpt:low>=1", "gpt:high<=9", "gpt:agree>=noise-1%"):
        assert hold([Requirement.parse(text)], FOUND, difference) == hold([], FOUND)


@pytest.mark.parametrize(
    ("requirement", "asked", "may"),
    [
        (">=old", "at least as good as old", "up to 10.7 points worse"),
        (">=old-1%", "at most 1 point worse than old", "up to 10.7 points worse"),
        (">=old+2%", "at least 2 points better than old", "up to 10.7 points worse"),
        ("<=old", "no better than old", "up to 6.5 points better"),
        ("<=old-1%", "at least 1 point worse than old", "up to 6.5 points better"),
        (" estimate>=old", "at least as good as old", None),
    ],
)
def test_a_difference_is_told_without_double_negation(
    requirement: str, asked: str, may: str | None
) -> None:
    gap = Estimate(-0.021, -0.107, 0.065)
    found = dict.fromkeys(("new", "old"), FOUND["gpt"])
    (said,) = Requirement.parse(f"new:agree{requirement}").unmet(found, lambda *_: gap)
    left_open = "" if may is None else f" (it may be {may})"
    assert said == (
        f"new is not shown to be {asked}{left_open}: "
        "new less old is -2.1 (-10.7 to +6.5) points in share of people who would agree."
    )


def test_a_difference_that_is_only_too_small_says_so() -> None:
    found = dict.fromkeys(("new", "old"), FOUND["gpt"])
    (said,) = Requirement.parse("new:agree>=old+5%").unmet(
        found, lambda *_: Estimate(0.1, 0.03, 0.2)
    )
    assert "at least 5 points better than old (it may be only 3 points better): " in said
