"""Requirements on an evaluation."""

import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import OptionError
from headcount.evaluation import Evaluation, evaluate
from headcount.results import Requirement


@pytest.mark.parametrize(
    "text",
    [
        "fine_tuned:>=1",
        "fine_tuned:low>=0.5",
        "oracle>=50%",
        "fine_tuned:agree>=50%",
        "fine_tuned:accuracy low>10%",
        "fine_tuned:oracle>=0.8",
        "fine_tuned : ceiling low > 70 %",
    ],
)
def test_what_holds_is_met(evaluation: Evaluation, text: str) -> None:
    assert Requirement.parse(text).unmet(evaluation.estimates()) == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word_list:>=5", "word_list is worth"),
        ("oracle>=99%", "of what any classifier could reach"),
        ("llm_judge:oracle high<0.2", "high end of the interval is < 20 %"),
    ],
)
def test_what_does_not_hold_is_said(evaluation: Evaluation, text: str, sentence: str) -> None:
    assert sentence in Requirement.parse(text).unmet(evaluation.estimates())[0]


def test_without_a_name_it_is_for_all(evaluation: Evaluation) -> None:
    assert len(Requirement.parse("oracle>=100%").unmet(evaluation.estimates())) == 3


def test_a_name_that_is_not_there_is_an_error(evaluation: Evaluation) -> None:
    for text in ("nobody:oracle>=90%", "nobody:>=1"):
        with pytest.raises(OptionError, match="nobody"):
            Requirement.parse(text).unmet(evaluation.estimates())


def test_an_unavailable_worth_does_not_meet_anything() -> None:
    items = [str(i) for i in range(20)]
    said = ["x" if i % 3 else "y" for i in range(20)]
    found = evaluate(
        hc.Ratings.from_frame(pa.table({"item": items, "rater": ["r"] * 20, "label": said})),
        hc.Predictions.from_frame(pa.table({"item": items, "model": said})),
        n_bootstrap=0,
    )
    assert "not known" in Requirement.parse(">=0").unmet(found.estimates())[0]
