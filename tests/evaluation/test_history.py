"""Saved results: what they keep of the judge, and how many of them become one table."""

import json

import pytest
from typer.testing import CliRunner

import headcount as hc
from headcount.cli.app import app
from headcount.errors import InputError, OptionError


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three saved results: two about the same items, one about others."""
    folder = tmp_path_factory.mktemp("history")
    for seed in (1, 2):
        hc.simulate.make("comments", items=80, seed=seed).write(folder / str(seed))
    for at, (seed, judge) in enumerate([(1, "v1"), (1, "v2"), (2, "v2")]):
        data = folder / str(seed)
        asked = ["evaluate", str(data / "ratings.csv"), str(data / "predictions.csv")]
        asked += ["--n-bootstrap", "20", "--markdown", "--judge-id", f"llm_judge={judge}"]
        asked += ["--save", str(folder / f"{at}.json")]
        done = CliRunner().invoke(app, asked)
        assert done.exit_code == 0, done.output
    dated = []
    for at in range(3):
        file = folder / f"{at}.json"
        told = json.loads(file.read_text())
        assert told["saved"]["judges"] == {"llm_judge": ["v1", "v2", "v2"][at]}
        told["saved"]["date"] = f"2025-0{at + 1}-01T00:00:00+00:00"
        file.write_text(json.dumps(told))
        dated.append(file)
    return dated


def test_results_stand_in_the_order_of_time_and_tell_their_data_apart(files):
    found = hc.history(files[::-1])
    own = found.of("llm_judge")
    assert [point.judge for point in own] == ["v1", "v2", "v2"]
    assert [point.data for point in own] == [1, 1, 2]
    assert own[0].agree.value == own[1].agree.value
    said = found.verdict()
    assert "it was v1 and is v2" in said
    assert "other items or ratings" in said
    assert "other items" not in hc.history(files[:2]).verdict()
    assert found.chart().to_dict()
    assert found.to_frame("pyarrow").num_rows == 9


def test_the_command_and_what_is_no_result(files, tmp_path):
    done = CliRunner().invoke(app, ["history", *map(str, files), "--format", "json"])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["points"]) == 9
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    with pytest.raises(InputError, match="not an earlier result"):
        hc.history([bad])
    with pytest.raises(InputError, match="cannot be read"):
        hc.history([tmp_path / "none.json"])
    with pytest.raises(OptionError, match="No saved result"):
        hc.history([])


def test_a_baseline_of_another_judge_is_said(files):
    data = files[0].parent / "1"
    asked = ["evaluate", str(data / "ratings.csv"), str(data / "predictions.csv"), "--markdown"]
    asked += ["--n-bootstrap", "20", "--judge-id", "llm_judge=v9", "--baseline", str(files[0])]
    done = CliRunner().invoke(app, asked)
    assert "llm_judge was 'v1' in the baseline and is 'v9' now" in done.stderr
    assert CliRunner().invoke(app, [*asked, "--judge-id", "nobody=v1"]).exit_code == 1
