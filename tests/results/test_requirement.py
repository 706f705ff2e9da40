"""Requirements: how they are written, and when they hold."""

import pytest

from headcount.errors import OptionError
from headcount.results import Estimate, Requirement

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
    with pytest.raises(OptionError, match="cannot be read: write it like 'gpt:>=3'"):
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
