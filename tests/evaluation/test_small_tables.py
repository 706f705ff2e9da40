"""Small and degenerate tables: an answer or a refusal, no warning, and nothing absurd is said."""

import pytest
from tests.evaluation.small_tables import attack, wrong_words

from headcount.results import Estimate
from headcount.results.words import about_people, in_people, least, tells, worth_digits, worth_text

FAR = Estimate(0.6, None, None, "within", "below", "above", 0.0, 428.0, measured_to=1)
"""Between nothing and more people than anybody asked: nothing is known."""
OPEN = Estimate(16.5, 1.3, None, "within", "within", "above", 0.0, 203.0, measured_to=7)


@pytest.mark.parametrize("seed", range(40))
def test_no_crash_no_warning_and_nothing_absurd(seed: int) -> None:
    kind, wrong = attack(seed, page=seed % 4 == 0)
    assert wrong == []
    assert kind in ("answered", "one person", "refused")


@pytest.mark.prove
def test_two_thousand_tables() -> None:
    broken = {seed: wrong for seed in range(2000) if (wrong := attack(seed, page=True)[1])}
    assert broken == {}


def test_what_is_wrong_would_be_seen() -> None:
    said = "worth more than 428 raters (0.6 to more than 428, modelled: beyond the 0 raters)"
    assert len(list(wrong_words(said, most=2))) == 3
    assert list(wrong_words("right in between 0.0 % and 100.0 % of items", most=2))
    assert not list(wrong_words("None of the five is worth more than 9 raters", most=10))
    assert not list(wrong_words("100 raters; 10.0 % to 100.0 %", most=2))


def test_no_limit_is_told_by_the_low_end_and_nothing_by_words() -> None:
    assert not tells(FAR)
    assert (worth_text(FAR), worth_text(FAR, "")) == ("an unknown number of raters", "not known")
    assert (worth_digits(FAR), about_people(FAR), in_people(FAR, 2)) == ("not known", "", "")
    assert worth_text(OPEN) == "at least 1.3 raters (these data set no upper limit)"
    assert (worth_text(OPEN, ""), worth_digits(OPEN)) == ("at least 1.3", "at least 1.3")
    assert about_people(OPEN) == "at least one person"
    assert in_people(OPEN, 7) == "better than one person"
    above = Estimate(None, None, None, "above", "above", "above", 0.0, 800.0, measured_to=2)
    assert worth_text(above) == "more than 6 raters"
    assert least(above) == 6
