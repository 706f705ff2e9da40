"""Labels on a scale through every method: no sentence takes a level for a name."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.conftest import DATA

import headcount as hc
from headcount.evaluation import Unavailable
from headcount.report.writing import render

NAMES_ONLY = re.compile(
    r"would agree|people who agree|agrees? with (?:a person|its|labels)|two people agree|"
    r"pairs that disagree|right in|accuracy|majority|commonest view|on its side|their side|"
    r"contradicts|precision|equals the|how often do they say the same|percent agreement",
    re.IGNORECASE,
)
"""What is said of labels that are names, and never of levels or numbers."""


def said(found: hc.Evaluation) -> str:
    """Every word of a report but the settings, which tell what could have been chosen."""
    page = render(found)
    page = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    page = page[: page.index('id="settings"')]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def read(folder: Path) -> tuple[hc.Ratings, Any]:
    """A data set; where there is no classifier, one is made: what one of the raters says."""
    ratings = hc.Ratings.read(next(folder.glob("ratings.csv*")))
    files = [*folder.glob("predictions.csv*")]
    if files:
        return ratings, hc.Predictions.read(files[0])
    if (folder / "gold.csv").is_file():
        return ratings, hc.Predictions.read(folder / "gold.csv")
    counted = ratings.item_counts()
    level = np.array(ratings.labels.names)[counted.counts.argmax(axis=1)]
    return ratings, pa.table({"item": counted.items.astype(str), "judge": level})


@pytest.mark.parametrize(
    ("name", "kind", "n_bootstrap"),
    [
        ("summeval", "ordered", 12),
        ("llm-rubric", "ordered", 0),
        ("offensiveness", "ordered", 0),
        ("valence", "numeric", 12),
    ],
)
def test_no_nominal_sentence_in_the_report(
    name: str, kind: str, n_bootstrap: int, shared_data: Callable[[str], Path]
) -> None:
    found = hc.evaluate(*read(shared_data(name)), n_bootstrap=n_bootstrap, two_way=False)
    assert found.data.scale == kind
    assert not any(part.failed for part in vars(found).values() if isinstance(part, Unavailable))
    words = said(found)
    assert not NAMES_ONLY.findall(words)
    assert "within" in words
    assert not NAMES_ONLY.findall(found.verdict())
    told = json.loads(json.dumps(found.to_dict()))
    for each in told["classifiers"]:
        assert each["bias"]["value"] is not None
        assert each["distance"]["value"] > 0
        assert each["worth"]["state"] in ("within", "above", "below")


@pytest.fixture(scope="module")
def summeval() -> tuple[hc.Evaluation, Path]:
    folder = DATA / "summeval"
    if not folder.is_dir():
        pytest.skip(f"real data not in reach: {folder} (set HEADCOUNT_DATA)")
    predictions = pa.table(_with_constant(folder))
    return hc.evaluate(read(folder)[0], predictions, n_bootstrap=20), folder


def _with_constant(folder: Path) -> dict[str, Any]:
    import pandas as pd

    said = pd.read_csv(folder / "predictions.csv.gz", dtype=str)
    columns = {name: said[name].tolist() for name in ("item", "gpt-4o", "mistral-v03")}
    return columns | {"always_4": ["4"] * len(said), "always_5": ["5"] * len(said)}


def test_bias_on_summeval_against_independent_computation(summeval: Any) -> None:
    import pandas as pd

    found, folder = summeval
    people = pd.read_csv(folder / "ratings.csv.gz")
    judge = pd.read_csv(folder / "predictions.csv.gz").set_index("item")["gpt-4o"]
    mean = people.groupby("item")["label"].mean()
    bias = float((judge.reindex(mean.index) - mean).mean())
    assert round(bias, 2) == -0.84
    assert found["gpt-4o"].bias.value == pytest.approx(bias, abs=1e-9)
    assert found["gpt-4o"].bias.low < bias < found["gpt-4o"].bias.high
    near = (people["label"] - judge.reindex(people["item"]).to_numpy()).abs()
    assert found["gpt-4o"].agree.value == pytest.approx((near <= 1).mean(), abs=1e-9)
    assert found["gpt-4o"].distance.value == pytest.approx(near.mean(), abs=1e-9)


def test_worth_on_summeval_has_an_interval(summeval: Any) -> None:
    found, _ = summeval
    assert found.equivalence.curve.asked.scorer == "rps"
    worth = found["gpt-4o"].worth
    assert 0.4 < worth.low < worth.value < worth.high < 1.0


def test_a_constant_judge_is_worth_nothing_under_every_reading(summeval: Any) -> None:
    found, _ = summeval
    assert set(found.readings.scorers) == {"rps", "cross_entropy", "squared_error"}
    for name in ("always_4", "always_5"):
        for scorer in found.readings.scorers:
            reading = found.readings.of(name, scorer)
            assert reading.worth.state == "below", scorer
            assert reading.as_it_stands is None or reading.as_it_stands.state == "below"
        assert found[name].verdict[0] == (
            f"{name} predicts people no better than asking nobody would."
        )


def test_the_scale_can_be_changed(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("llm-rubric")
    predictions = hc.Predictions.read(folder / "predictions.csv")
    names = hc.Ratings.read(folder / "ratings.csv", scale="nominal")
    found = hc.survey_equivalence(names, predictions, n_bootstrap=0)
    assert found.curve.asked.scorer == "cross_entropy"
    levels = hc.Ratings.read(folder / "ratings.csv")
    found = hc.survey_equivalence(levels, predictions, n_bootstrap=0)
    assert found.curve.asked.scorer == "rps"
    other = hc.survey_equivalence(levels, predictions, n_bootstrap=0, scorer="brier")
    assert other.curve.asked.scorer == "brier"


def test_named_levels_in_their_order() -> None:
    """What is said of names in an order is what is said of the numbers 1 to 5."""
    made = hc.simulate.make("scores", items=120, seed=4)
    names = {str(level): f"grade {'abcde'[level - 1]}" for level in range(1, 6)}
    answers = made.ratings.answers()
    label = [made.ratings.labels.names[code] for code in answers.label]
    rows = {"item": answers.items[answers.item], "rater": answers.raters[answers.rater]}
    judge = [str(1 + i % 5) for i in range(len(answers.items))]
    both = [
        hc.evaluate(
            hc.Ratings.from_frame(
                pa.table(rows | {"label": [to(each) for each in label]}), order=order
            ),
            pa.table({"item": answers.items.astype(str), "judge": [to(each) for each in judge]}),
            n_bootstrap=10,
            two_way=False,
        )
        for to, order in (
            (lambda each: each, ["1", "2", "3", "4", "5"]),
            (lambda each: names[each], list(names.values())),
        )
    ]
    one, other = (found["judge"] for found in both)
    for field in ("worth", "agree", "distance", "bias"):
        assert list(getattr(one, field)) == pytest.approx(list(getattr(other, field))), field
    assert not NAMES_ONLY.findall(said(both[1]))
