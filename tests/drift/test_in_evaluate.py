"""Where a time is known an evaluation says what changed over it; else nothing is asked."""

import pyarrow as pa
from tests.drift.worlds import world

import headcount as hc
from headcount.report.writing import render


def test_an_evaluation_tells_what_changed():
    study = world(1, items=500, judge=0.45)
    found = hc.evaluate(study, n_bootstrap=60)
    assert found.drift["judge"].changed == "judge"
    assert "the judge changed" in found.first_answer().next[0]
    page = render(found)
    assert "Over time" in page
    assert "the judge changed, not the items" in page
    told = found.to_dict()["drift"]["judges"][0]
    alone = hc.drift(study, n_bootstrap=60).to_dict()["judges"][0]
    assert told == alone


def test_nothing_is_asked_where_no_time_is_known():
    made = hc.simulate.make("comments", items=60, seed=1)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    assert not found.drift
    assert "Over time" not in render(found)
    assert "drift" not in found.unavailable()


def test_numbers_called_time_may_be_durations():
    study = world(2, items=60)
    answers = study.ratings.answers()
    frame = pa.table(
        {
            "item": answers.items[answers.item],
            "rater": answers.raters[answers.rater],
            "label": answers.label,
            "time": range(len(answers.item)),
        }
    )
    found = hc.evaluate(hc.Ratings.from_frame(frame), study.predictions, n_bootstrap=20)
    assert "how long an answer took" in found.drift.reason
