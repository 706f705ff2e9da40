"""The pytest plugin: a fixture that evaluates, reports that stay, no cost where it is unused."""

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import headcount as hc
from headcount.simulate import make

pytest_plugins = ["pytester"]

TESTS = """
def test_worth(headcount):
    judge = headcount.evaluate("ratings.csv", "predictions.csv", n_bootstrap=20)["fine_tuned"]
    assert judge.worth.low >= 1

def test_gates(headcount):
    found = headcount.evaluate("ratings.csv", "predictions.csv", n_bootstrap=20)
    again = headcount.evaluate("ratings.csv", "predictions.csv", n_bootstrap=20)
    headcount.require(found, "fine_tuned:low>=1", "word_list:agree low>=99%")
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with data, and tests that evaluate them."""
    make("comments", seed=3, items=150).write(pytester.path)
    if not any(each.name == "headcount" for each in entry_points(group="pytest11")):
        pytester.makeconftest('pytest_plugins = ["headcount.adapters.pytest_plugin"]')
    pytester.makepyfile(TESTS)
    return pytester


def test_an_evaluation_in_a_test_is_the_same_and_its_report_is_kept(
    project: pytest.Pytester,
) -> None:
    result = project.runpytest_subprocess("--headcount-reports=kept", "-W", "error")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*people*would agree with word_list*requirement*>= 99 %*",
            "*= headcount =*",
            "*::test_worth: *fine_tuned is worth*kept/*test_worth/report.html",
        ]
    )
    worth, gates = sorted((project.path / "kept").iterdir(), reverse=True)
    assert {each.name for each in worth.iterdir()} == {"report.html", "result.json", "summary.md"}
    assert (gates / "report-2.html").exists()
    told = json.loads((worth / "result.json").read_text(encoding="utf-8"))
    files = project.path / "ratings.csv", project.path / "predictions.csv"
    found = hc.evaluate(*files, n_bootstrap=20)
    assert [each["worth"]["value"] for each in told["classifiers"]] == pytest.approx(
        [each.worth.value for each in found.classifiers], rel=0, abs=1e-9
    )


def test_without_a_folder_nothing_is_left_beside_the_tests(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-k", "worth").assert_outcomes(passed=1, deselected=1)
    (report,) = project.path.rglob("report.html")
    assert report.parts[-3:-1] == ("test_worth0", "headcount")  # the test's own tmp_path


def test_a_run_that_does_not_ask_for_it_imports_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    loaded = {name for name in sys.modules if name.startswith('headcount.')}\n"
        "    assert loaded <= {'headcount._version', 'headcount.adapters', "
        "'headcount.adapters.pytest_plugin'}\n"
        "    assert not {'numpy', 'pyarrow', 'scipy'} & set(sys.modules)\n",
        encoding="utf-8",
    )
    words = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    if not any(each.name == "headcount" for each in entry_points(group="pytest11")):
        words += ["-p", "headcount.adapters.pytest_plugin"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
