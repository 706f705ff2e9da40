"""Settings from a file: found upwards, refused where unknown, never applied in silence."""

import json
from pathlib import Path

import pytest

from headcount.cli.settings import nearest

RATINGS = "comment,who,verdict\n" + "".join(
    f"i{i},r{r},{'Yes' if (i + r) % 3 else 'no'}\n" for i in range(12) for r in range(4)
)
PREDICTIONS = "comment,model\n" + "".join(f"i{i},{'yes' if i % 3 else 'no'}\n" for i in range(12))
SETTINGS = """
[roles]
item = "comment"
rater = "who"
label = "verdict"

[labels]
order = ["no", "yes"]
mapping = { Yes = "yes" }

[options]
n_bootstrap = 20
seed = 7

[options.agreement]
contested = 1
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Files whose columns and labels need settings to be understood."""
    (tmp_path / "ratings.csv").write_text(RATINGS)
    (tmp_path / "predictions.csv").write_text(PREDICTIONS)
    (tmp_path / "headcount.toml").write_text(SETTINGS)
    return tmp_path


def _told(run, *words):
    code, out, err = run(*words, "--format", "json")
    assert code == 0, err
    return json.loads(out), err


@pytest.mark.usefixtures("data")
def test_roles_labels_and_options_apply_and_are_announced(run) -> None:
    told, said = _told(run, "agreement", "ratings.csv")
    assert (told["items"], told["raters"], told["labels"]) == (12, 4, ["no", "yes"])
    assert told["n_bootstrap"] == 20
    assert len(told["contested"]) == 1
    line = next(each for each in said.splitlines() if "settings" in each)
    assert "settings from headcount.toml: item, rater, label, order, mapping" in line


@pytest.mark.usefixtures("data")
def test_the_command_line_wins(run) -> None:
    told, _ = _told(run, "agreement", "ratings.csv", "--n-bootstrap", "30", "--contested", "2")
    assert told["n_bootstrap"] == 30
    assert len(told["contested"]) == 2


def test_settings_are_found_upwards(data: Path, run, monkeypatch) -> None:
    inner = data / "one" / "two"
    inner.mkdir(parents=True)
    (data / "one" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    monkeypatch.chdir(inner)
    told, said = _told(run, "agreement", "../../ratings.csv")
    assert told["n_bootstrap"] == 20
    assert str(data / "headcount.toml") in said


def test_pyproject_holds_them_too_and_the_nearer_file_wins(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "headcount.toml").write_text("[options]\nseed = 1\n")
    (inner / "pyproject.toml").write_text("[tool.headcount.options]\nseed = 2\n")
    assert nearest(inner).tables == {"options": {"seed": 2}}
    (inner / "headcount.toml").write_text("[options]\nseed = 3\n")
    assert nearest(inner).tables == {"options": {"seed": 3}}


def test_another_file_can_be_named_and_none_asked_for(data: Path, run) -> None:
    (data / "other.toml").write_text(SETTINGS.replace("n_bootstrap = 20", "n_bootstrap = 10"))
    told, _ = _told(run, "--settings", "other.toml", "agreement", "ratings.csv")
    assert told["n_bootstrap"] == 10
    code, _, said = run("--no-settings", "agreement", "ratings.csv")
    assert code == 1
    assert "settings from" not in said


def test_gates_hold_and_their_files_are_meant_from_the_settings(
    data: Path, run, monkeypatch
) -> None:
    inner = data / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    files = ("../ratings.csv", "../predictions.csv")
    code, out, _ = run("evaluate", *files, "--format", "json")
    assert code == 0
    (data / "last.json").write_text(out)
    (data / "headcount.toml").write_text(
        SETTINGS + '[gates]\nrequire = ["agree>=baseline+5%"]\nbaseline = "last.json"\n'
    )
    code, _, said = run("evaluate", *files, "--markdown")
    assert code == 3
    assert "model is not shown to be at least 5 points better than its baseline" in said
    code, _, _ = run("evaluate", *files, "--markdown", "--require", "model:agree>=1%")
    assert code == 0


@pytest.mark.usefixtures("data")
def test_doctor_shows_them(run) -> None:
    told, _ = _told(run, "doctor", "ratings.csv", "predictions.csv")
    assert told["settings"]["file"] == "headcount.toml"
    assert told["settings"]["labels.order"] == "no, yes"
    assert told["settings"]["options.agreement.contested"] == "1"


@pytest.mark.usefixtures("data")
def test_data_made_here_are_not_read_by_settings(run) -> None:
    code, out, said = run("simulate", "running-example", "-o", "made")
    assert code == 0, out
    assert "settings from" not in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[role]\n", "there is no setting 'role' here: did you mean 'roles'?"),
        ("[roles]\nlable = 'x'\n", "no setting 'lable' in [roles]: did you mean 'label'?"),
        ("[roles]\norder = ['a']\n", "no setting 'order' in [roles]: it belongs in [labels]."),
        ("[options]\nn-bootstrap = 3\n", "did you mean 'n_bootstrap'?"),
        ("[options.agreement]\nscorer = 'x'\n", "no setting 'scorer' in [options.agreement]"),
        ("[options.plan.pilot]\nmater = 1\n", "in [options.plan.pilot]: did you mean 'matters'?"),
        ("[gates]\nrequired = ['a']\n", "did you mean 'require'?"),
        ("[labels]\norder = ['a,b', 'c']\n", "order is taken apart at commas"),
        ("[labels.mapping]\n'a=b' = 'c'\n", "an answer with '=' in it ('a=b') cannot be mapped"),
        ("[labels]\norder = [['a']]\n", "order is a value or a list of values, not a table"),
        ("roles = 3\n", "roles is a table: write [roles] above it."),
        ("roles = \n", "headcount.toml cannot be read for settings"),
    ],
)
def test_what_is_not_understood_is_refused_in_a_sentence(
    data: Path, run, text: str, sentence: str
) -> None:
    (data / "headcount.toml").write_text(text)
    code, _, said = run("agreement", "ratings.csv")
    assert code == 1
    assert sentence in " ".join(said.split())


def test_a_value_of_the_wrong_kind_is_refused_by_its_option(data: Path, run) -> None:
    (data / "headcount.toml").write_text(SETTINGS.replace("n_bootstrap = 20", "n_bootstrap = 'x'"))
    code, _, said = run("agreement", "ratings.csv")
    assert code == 2
    assert "--n-bootstrap" in said
