"""What is said of data that once were said too much of: the sentences whole, numbers as #."""

import re

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.cli.first_screen import first_screen
from headcount.evaluation.influential import _words, worth_without


def asked(items, ratings, raters=None, right=0.85, seed=1):
    """A table of ratings, `ratings` an item of `raters` with names, and a judge's answers."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.4
    item, raters = np.repeat(np.arange(items), ratings), raters or ratings
    who = np.concatenate([rng.permutation(raters)[:ratings] for _ in range(items)])
    said = np.where(rng.random(items * ratings) < right, truth[item], ~truth[item])
    judge = np.where(rng.random(items) < 0.9, truth, ~truth)
    words = np.array(["no", "yes"])
    return (
        pa.table(
            {
                "item": item.astype(str),
                "rater": [f"r{each}" for each in who],
                "label": words[said.astype(int)],
            }
        ),
        pa.table({"item": np.arange(items).astype(str), "gpt": words[judge.astype(int)]}),
    )


def masked(*sentences):
    """The sentences with their numbers as #."""
    return [re.sub(r"-?\d[\d,]*(\.\d+)?", "#", each) for each in sentences]


def ranges(table, judge):
    return list(hc.evaluate(table, judge, n_bootstrap=60).first_answer().ranges)


def test_few_items_are_said_to_be_few_on_the_first_screen():
    assert "Only 25 items: take ranges from so few as rough, and rather too narrow." in ranges(
        *asked(25, 5, raters=9)
    )
    found = hc.evaluate(*asked(25, 5, raters=9), n_bootstrap=60)
    assert "take ranges from so few as" in " ".join(first_screen(found.first_answer()).split())
    assert not any("Only" in each for each in ranges(*asked(150, 3, raters=9)))


def test_one_person_is_not_people():
    table, judge = asked(300, 1)
    ratings, answers = hc.Ratings.from_frame(table), hc.Predictions.from_frame(judge)
    found = hc.deconvolve(ratings, n_bootstrap=30).score(answers)
    assert "what other people hold" in hc.deconvolve(ratings, n_bootstrap=30).verdict()
    assert masked(found.verdict()) == [
        "gpt decides as this one person would on # % (# % to # %) of items; what other people "
        "would say, one person's labels cannot tell."
    ]
    assert "people would agree" not in hc.evaluate(table, judge, n_bootstrap=60).verdict()


def test_three_people_with_names_have_two_ranges():
    table, judge = asked(400, 3)
    said = masked(hc.agreement(table, n_bootstrap=60).verdict().partition(";")[0])
    assert said == [
        "Two people asked about the same item agree # % (# % to # % for your three raters, # % to "
        "# % for people at large) of the time"
    ]
    assert masked(ranges(table, judge)[1]) == [
        "Three people say little about people at large: agreement of # to # % with gpt is "
        "possible; # to # % of your three alone."
    ]


def test_a_judge_that_runs_the_other_way_is_said_to_first():
    table, judge = asked(300, 3, raters=9)
    back = ["yes" if each == "no" else "no" for each in judge["gpt"].to_pylist()]
    found = hc.evaluate(table, judge.set_column(1, "gpt", [back]), n_bootstrap=60)
    said = masked(*found["gpt"].verdict)
    assert said[0] == (
        "gpt's answers run the other way: their correlation with people's is # (# to #)."
    )
    assert found["gpt"].stands_in == "no"
    assert found.first_answer().finding == "gpt's answers run the other way."


def test_no_difference_shown_is_not_shown_to_be_none():
    table, judge = asked(200, 3, raters=9)
    said = " ".join(hc.evaluate(table, judge, n_bootstrap=60).verdict())
    assert "owhere" not in said


def test_accuracy_is_a_bar_or_cannot_be_told():
    table, judge = asked(400, 3)
    found = hc.system_accuracy(table, judge, n_bootstrap=30)
    assert masked(found.verdict()) == [
        "gpt is right on at least # % of items, unless people are wrong together on more than # % "
        "of them."
    ]
    assert masked(hc.system_accuracy(table, n_bootstrap=30).verdict())[0] in (
        "The raters are right on at least # % of items, unless they are wrong together on more "
        "than # % of them.",
        "These data cannot tell how often the raters are right.",
    )
    poor = hc.system_accuracy(*asked(60, 3, raters=12, right=0.6), n_bootstrap=30)
    said = poor.verdict()
    assert said.startswith("gpt is right in a share of items that these data cannot tell: ")
    assert said.count("people may be wrong together") + said.count("so few ratings") == 1


class Left:
    """Worths without each of two raters, of a classifier that is worth 5.20 of two people."""

    def __init__(self, value, left):
        self.curve = type("Curve", (), {"most": 2, "asked": type("A", (), {"left_out": "ab"})})
        worth = hc.results.Estimate(value)
        self.classifiers = [
            type("C", (), {"name": "gpt", "worth": worth, "worth_without": np.array(left)})
        ]


@pytest.mark.parametrize(
    ("value", "left", "said"),
    [
        (5.2, [np.inf, 5.3], []),
        (5.2, [1.2, 5.3], ["Without a, gpt is worth 1.20 instead of 5.20."]),
        (1.4, [np.inf, 1.5], ["Without a, gpt is worth more than two raters instead of 1.40."]),
    ],
)
def test_more_than_two_is_no_news_of_five(value, left, said):
    assert list(worth_without(Left(value, left))) == said
    assert _words(np.inf, 2) == "more than two raters"
