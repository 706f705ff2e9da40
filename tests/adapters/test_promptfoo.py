"""promptfoo: its assertion and its results give what `evaluate` gives."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import headcount as hc
from headcount.adapters.promptfoo import get_assert, read_results
from headcount.errors import InputError

SAID = [{"fine": 3, "toxic": 1}, {"fine": 0, "toxic": 4}, {"fine": 2, "toxic": 2}] * 20
ANSWERS = ["fine", "toxic", "toxic"] * 20


def written(path: Path) -> Path:
    """Results as promptfoo writes them."""
    results = [
        {
            "testIdx": place,
            "promptIdx": 0,
            "provider": {"id": "echo", "label": ""},
            "response": {"output": ANSWERS[place] + "\n"},
            "testCase": {"vars": {}, "metadata": {"people": SAID[place]}},
        }
        for place in range(len(SAID))
    ]
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": results}}))
    return path


def expected() -> hc.Evaluation:
    people = hc.Ratings.from_counts(
        [list(each.values()) for each in SAID], labels=["fine", "toxic"]
    )
    answers = {"item": [str(place) for place in range(len(SAID))], "echo": ANSWERS}
    import pandas as pd

    return hc.evaluate(people, hc.Predictions.from_frame(pd.DataFrame(answers)), n_bootstrap=50)


def same(found: hc.Evaluation) -> None:
    one, other = found["echo"], expected()["echo"]
    assert one.worth.value == pytest.approx(other.worth.value, abs=1e-9)
    assert one.worth.low == pytest.approx(other.worth.low, abs=1e-9)
    assert one.agree.value == pytest.approx(other.agree.value, abs=1e-9)


def test_results_give_what_evaluate_gives(tmp_path: Path) -> None:
    same(hc.evaluate(*read_results(written(tmp_path / "results.json")), n_bootstrap=50))


def test_the_mean_of_the_assertion_is_the_share_who_agree() -> None:
    graded = [
        get_assert(answer, {"test": {"metadata": {"people": said}}})
        for answer, said in zip(ANSWERS, SAID, strict=True)
    ]
    mean = sum(each["score"] for each in graded) / len(graded)
    assert mean == pytest.approx(expected()["echo"].agree.value, abs=1e-9)
    assert [each["pass"] for each in graded[:3]] == [True, True, False]


def test_an_assertion_asks_for_what_its_config_says() -> None:
    test = {"metadata": {"people": ["fine", "toxic", "toxic", "toxic"]}}
    assert get_assert("fine", {"test": test, "config": {"least": 0.25}})["pass"]
    assert get_assert("rude", {"test": test, "config": {"least": 0.25}})["score"] == 0


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not say how many people"):
        get_assert("fine", {"test": {}})
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(InputError, match="is not what promptfoo"):
        read_results(tmp_path / "other.json")


def test_promptfoo_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("promptfoo"):
        pytest.skip("promptfoo, a package of Node.js of 700 others, is not installed")
    (tmp_path / "people.py").write_text("from headcount.adapters.promptfoo import get_assert\n")
    tests = [
        {
            "vars": {"text": answer},
            "metadata": {"people": said},
            "assert": [{"type": "python", "value": "file://people.py"}],
        }
        for said, answer in zip(SAID[:6], ANSWERS, strict=False)
    ]
    config = {"prompts": ["{{text}}"], "providers": ["echo"], "tests": tests}
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(config))
    for name in ("TELEMETRY", "UPDATE", "REMOTE_GENERATION"):
        monkeypatch.setenv(f"PROMPTFOO_DISABLE_{name}", "1")
    monkeypatch.setenv("PROMPTFOO_PYTHON", sys.executable)
    monkeypatch.setenv("PROMPTFOO_CONFIG_DIR", str(tmp_path / "config"))
    asked = ["promptfoo", "eval", "--no-cache", "--no-write", "-o", "results.json"]
    subprocess.run(
        [*asked, "-c", "promptfooconfig.json"], cwd=tmp_path, check=False, capture_output=True
    )
    ratings, predictions = read_results(tmp_path / "results.json")
    assert ratings.n_ratings == 24
    assert predictions.names == ("echo",)
    results = json.loads((tmp_path / "results.json").read_text())["results"]["results"]
    assert [each["score"] for each in sorted(results, key=lambda each: each["testIdx"])] == [
        0.75, 1.0, 0.5, 0.75, 1.0, 0.5
    ]  # fmt: skip
