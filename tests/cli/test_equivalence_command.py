"""`headcount equivalence` as people type it."""

import json

import pytest


@pytest.fixture
def files(tmp_path):
    ratings, predictions = tmp_path / "ratings.csv", tmp_path / "predictions.csv"
    rows = ["item,no,yes", *(f"{i},{9 - i % 9},{1 + i % 9}" for i in range(90))]
    ratings.write_text("\n".join(rows))
    said = ["item,gpt,noise", *(f"{i},{0.1 + i % 9 / 10:.2f},{i % 7 / 7:.2f}" for i in range(90))]
    predictions.write_text("\n".join(said))
    return str(ratings), str(predictions)


@pytest.fixture
def run(run, files):
    return lambda *words, files=files: run("equivalence", *files, *words)


def test_table_says_the_verdict_first(run):
    code, out, _ = run("--n-bootstrap", "50")
    assert code == 0
    assert out.startswith("gpt is worth")
    assert "Rater power curve (abc + cross_entropy)" in out


def test_json_is_the_designed_shape(run):
    code, out, err = run("--format", "json", "--n-bootstrap", "20")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [each["name"] for each in found["classifiers"]] == ["gpt", "noise"]
    assert set(found["power_curve"][0]) >= {"raters", "score", "low", "high", "support"}


def test_csv_and_markdown_print(run):
    _, out, _ = run("--format", "csv", "--n-bootstrap", "0")
    assert out.splitlines()[0].startswith("name,score,score_low,score_high,worth,")
    _, out, _ = run("--format", "markdown", "--n-bootstrap", "0")
    assert "**What each classifier is worth**" in out


@pytest.mark.parametrize(
    ("requirement", "code"),
    [("gpt:>=3", 0), ("gpt:>=100", 3), (">=3", 3), ("noise:<1", 0), ("gpt:low>=1", 0)],
)
def test_gate_exits_three_when_not_met(run, requirement, code):
    found, _, err = run("--n-bootstrap", "40", "--require", requirement)
    assert found == code
    assert ("requirement not met" in err) == (code == 3)


def test_gate_that_cannot_be_read_or_met_by_nobody(run):
    code, _, err = run("--require", "at least three")
    assert code == 1
    assert "cannot be read" in err
    code, _, err = run("--require", "gp:>=1", "--n-bootstrap", "0")
    assert code == 1
    assert "names no classifier: there are gpt, noise" in err


def test_a_gate_that_cannot_be_read_ends_before_any_file_is_opened(run):
    code, _, err = run("--require", "gpt:agree>=80%", files=("nowhere.csv", "neither.csv"))
    assert (code, "choose worth" in err) == (1, True)


def test_wrong_combination_is_one_sentence(run):
    code, out, err = run("--combiner", "plurality")
    assert (code, out) == (1, "")
    assert err.startswith("headcount: The combiner 'plurality' gives labels")
    assert "Traceback" not in err


def test_every_option_is_taken(run):
    code, _, _ = run(
        *("--combiner", "frequency", "--scorer", "brier", "--max-raters", "8"),
        *("--reference-raters", "3", "--clip", "0.01", "--calibrate", "--no-refit"),
        *("--engine", "exact", "--positive", "yes"),
        *("--n-bootstrap", "10", "--confidence", "0.9", "--seed", "3", "--format", "json"),
    )
    assert code == 0


def test_without_predictions_it_is_the_curve(run, files):
    code, out, _ = run("--format", "json", "--n-bootstrap", "0", files=files[:1])
    assert code == 0
    assert "classifiers" not in json.loads(out)
    code, _, err = run("--require", ">=1", files=files[:1])
    assert code == 1
    assert "--require is about classifiers" in err


@pytest.fixture
def pools(tmp_path):
    rows = ["item,rater,label,pool"]
    for i in range(60):
        rows += [
            f"{i},c{j},{'yes' if (i * 7 + j * 3) % 10 < i % 10 else 'no'},crowd" for j in range(6)
        ]
        rows += [f"{i},d{j},{'yes' if i % 10 > 4 + j % 2 else 'no'},doctors" for j in range(3)]
    path = tmp_path / "pools.csv"
    path.write_text("\n".join(rows))
    return str(path)


def test_two_pools_give_what_amateurs_are_worth(run, pools, files):
    chosen = ("--amateurs", "crowd", "--experts", "doctors", "--n-bootstrap", "20")
    code, out, _ = run(*chosen, "--format", "json", files=(pools,))
    assert code == 0
    found = json.loads(out)
    assert len(found["amateurs"]) == 7
    assert len(found["experts"]) == 3
    assert found["expert_equivalence"][5]["amateurs"] == 6
    code, out, _ = run(*chosen, files=(pools,))
    assert out.startswith("One amateur is worth")
    code, out, _ = run(*chosen, "--format", "json", files=(pools, files[1]))
    assert code == 0
    assert len(json.loads(out)["power_curve"]) == 7
    code, _, err = run("--experts", "doctors", files=(pools,))
    assert code == 1
    assert "both or neither" in err


def test_the_chart_can_be_of_gains(run, tmp_path):
    code, _, err = run("--n-bootstrap", "0", "--chart", str(tmp_path / "gain.svg"), "--gain")
    assert (code, err.startswith("Chart written to")) == (0, True)
    assert "gain in cross-entropy" in (tmp_path / "gain.svg").read_text()
