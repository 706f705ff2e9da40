"""The steps of action.yml, run here as a runner would run them, with variables of our own."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
COMMAND = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT / "src")!r})
from headcount.cli import main
main()
"""
RECORDER = """#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
"""
FORGE = (
    RECORDER
    + """
for filter; do :; done  # the last argument
case "$*" in
  *viewer*--jq*) printf '{"data": {"viewer": {"login": "github-actions[bot]"}}}' | jq -r "$filter";;
  *--jq*) printf '%s' "$COMMENTS" | jq -r "$filter";;
esac
"""
)
OURS = {"id": 77, "user": {"login": "github-actions[bot]"}, "body": "<!-- headcount -->\nOld."}


@dataclass
class Runner:
    """As much of a runner as these steps see: files for outputs, inputs, an event."""

    folder: Path
    inputs: dict[str, str]
    outputs: dict[str, str] = field(default_factory=dict)
    comments: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inputs = {
            name: str(told.get("default", "")) for name, told in ACTION["inputs"].items()
        } | self.inputs
        programs = self.folder / "programs"
        programs.mkdir(parents=True)
        for name, text in (("headcount", COMMAND), ("gh", FORGE), ("python", RECORDER)):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)

    def variables(self) -> dict[str, str]:
        """What the environment of a step holds beside its own."""
        return os.environ | {
            "PATH": f"{self.folder / 'programs'}:{os.environ['PATH']}",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": "someone/something",
            "GITHUB_STEP_SUMMARY": str(self.folder / "step_summary"),
            "GITHUB_OUTPUT": str(self.folder / "step_output"),
            "CALLS": str(self.folder / "calls"),
            "COMMENTS": json.dumps(self.comments),
        }

    def expression(self, found: re.Match[str]) -> str:
        """What an expression stands for."""
        words = found[1].strip().split(".")
        if words[0] == "inputs":
            return self.inputs[words[1]]
        if words[:2] == ["steps", "evaluate"]:
            return self.outputs.get(words[3], "")
        return {"github.event.pull_request.number": "12", "github.token": "secret"}[
            found[1].strip()
        ]

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run a step by its name."""
        step: dict[str, Any] = STEPS[name]
        assert step["shell"] == "bash"
        own = {
            key: re.sub(r"\$\{\{(.*?)\}\}", self.expression, value)
            for key, value in step.get("env", {}).items()
        }
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env=self.variables() | own,
            capture_output=True,
            text=True,
            check=False,
        )
        written = self.folder / "step_output"
        if written.exists():
            pairs = (line.split("=", 1) for line in written.read_text().splitlines())
            self.outputs |= dict(pairs)
        return done

    def read(self, name: str) -> str:
        """A file that a step wrote."""
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder with ratings and predictions, small enough to be quick."""
    from headcount.simulate import make

    folder = tmp_path_factory.mktemp("data")
    make("running-example", items=40, raters=4, seed=1).write(folder)
    return folder


@pytest.fixture
def runner(data: Path, tmp_path: Path):
    """A runner with the files of `data` and further inputs."""

    def made(**inputs: str) -> Runner:
        files = {
            "ratings": str(data / "ratings.csv"),
            "predictions": str(data / "predictions.csv"),
            "arguments": "--n-bootstrap\n20",
        }
        return Runner(tmp_path, files | inputs)

    return made


def test_it_evaluates_and_keeps_all_that_others_need(runner) -> None:
    found = runner(require="ideal:agree>=10%\n")
    assert found.step("Evaluate").returncode == 0
    assert found.outputs["met"] == "true"
    assert "is worth" in found.read("step_summary")
    assert found.read("step_summary") == found.read(found.outputs["comment"])
    assert found.read(found.outputs["report"]).startswith("<!doctype html>")
    names = [
        each["name"] for each in json.loads(found.read(found.outputs["result"]))["classifiers"]
    ]
    assert names == ["hard", "calibrated", "ideal"]
    assert found.step("Hold the gates").returncode == 0


def test_a_gate_that_is_not_met_is_told_first_and_fails_last(runner) -> None:
    found = runner(require="ideal:agree>=10%\nhard:agree>=99%")
    assert found.step("Evaluate").returncode == 0  # so that the report is kept and commented
    assert found.outputs["met"] == "false"
    comment = found.read(found.outputs["comment"])
    assert comment.index("**Not met:**") < comment.index("is worth")
    assert "hard" in comment.splitlines()[3]
    assert found.step("Hold the gates").returncode == 3


def test_an_earlier_result_is_a_baseline_once_there_is_one(runner, tmp_path: Path) -> None:
    found = runner(baseline="last.json", require="agree>=baseline-50%")
    said = found.step("Evaluate")
    assert said.returncode == 0
    assert "::notice::There is no last.json yet" in said.stdout
    Path(tmp_path / found.outputs["result"]).rename(tmp_path / "last.json")
    assert found.step("Evaluate").returncode == 0
    assert found.outputs["met"] == "true"


def test_files_that_cannot_be_read_fail_at_once_with_the_sentence(runner) -> None:
    done = runner(ratings="nowhere.csv").step("Evaluate")
    assert done.returncode == 1
    assert "::error::nowhere.csv does not exist" in done.stdout


def test_the_installed_version_is_the_one_the_action_came_with(runner) -> None:
    found = runner()
    assert found.step("Install headcount").returncode == 0
    assert found.read("calls").split()[-1] == str(ROOT)
    found.inputs["install"] = "headcount==0.1.0"
    found.step("Install headcount")
    assert found.read("calls").split()[-1] == "headcount==0.1.0"


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq stands in for the one in gh")
@pytest.mark.parametrize(
    ("comments", "call"),
    [
        ([], "--method POST repos/someone/something/issues/12/comments"),
        ([OURS], "--method PATCH repos/someone/something/issues/comments/77"),
        (
            [OURS | {"id": 5, "user": {"login": "stranger"}}],
            "--method POST repos/someone/something/issues/12/comments",
        ),
        (
            [
                OURS | {"id": 5, "user": {"login": "stranger"}},
                OURS | {"id": 6, "body": "Hi."},
                OURS,
            ],
            "--method PATCH repos/someone/something/issues/comments/77",
        ),
    ],
)
def test_one_comment_is_written_and_then_only_our_own_is_rewritten(
    runner, comments: list[dict[str, Any]], call: str
) -> None:
    found = runner()
    found.comments = comments
    found.outputs["comment"] = "headcount-report/comment.md"
    done = found.step("Comment")
    assert done.returncode == 0, done.stderr
    assert call in found.read("calls")
    assert "body=@headcount-report/comment.md" in found.read("calls")


def test_what_others_wrote_is_pinned_by_hash() -> None:
    used = [step["uses"] for step in STEPS.values() if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in used)


def test_only_gates_that_compare_with_the_baseline_wait_for_it(
    runner, data: Path, tmp_path
) -> None:
    """`baseline_model` is a classifier like any other: its gate is held whatever there is."""
    text = (data / "predictions.csv").read_text()
    named = tmp_path / "named.csv"
    named.write_text(text.replace("hard", "baseline_model", 1))
    gates = "baseline_model:>=100\nbaseline_model: agree >= baseline - 1%"
    found = runner(predictions=str(named), baseline="last.json", require=gates)
    assert found.step("Evaluate").returncode == 0
    assert found.outputs["met"] == "false"
    summary = found.read("step_summary").replace("\\", "").replace("&gt;", ">")
    assert "**Not met:** baseline_model is worth" in summary
    waits = "**Waits:** 'baseline_model: agree >= baseline - 1%' waits for a baseline: last.json"
    assert waits in summary
    assert found.step("Hold the gates").returncode == 3
    found = Runner(
        tmp_path / "second",
        found.inputs | {"require": gates.partition("\n")[2]},
    )
    assert found.step("Evaluate").returncode == 0
    assert found.outputs["met"] == "true"
    assert "**Waits:**" in found.read("step_summary")


@pytest.mark.parametrize("arguments", ["--help", "--n-bootstrap\n20\n--help"])
def test_a_run_that_evaluated_nothing_is_a_failure(runner, arguments: str) -> None:
    """Also where an earlier run left its files in the folder."""
    found = runner(require="hard:>=100", arguments=arguments)
    before = found.folder / "headcount-report"
    before.mkdir()
    for name in ("report.html", "result.json", "summary.md"):
        (before / name).write_text("yesterday's")
    done = found.step("Evaluate")
    assert done.returncode == 1
    assert "::error::Nothing was evaluated" in done.stdout
    assert "met" not in found.outputs
    assert [each.name for each in before.iterdir() if each.name.startswith(".")] == []


MARKUP = "<img src=x onerror=alert(1)> [click](https://a.example) @everyone #1 *b* `c`"


def test_names_that_are_markup_are_text_in_the_comment(runner, data: Path, tmp_path: Path) -> None:
    from markdown_it import MarkdownIt

    named = tmp_path / "named.csv"
    named.write_text((data / "predictions.csv").read_text().replace("hard", MARKUP, 1))
    gates = f"{MARKUP}:agree low>=99%\n{MARKUP}:>=1\n{MARKUP}:agree>=baseline-1%"
    found = runner(predictions=str(named), baseline="last.json", require=gates)
    assert found.step("Evaluate").returncode == 0
    comment = found.read(found.outputs["comment"])
    assert all(f"**{said}:**" in comment for said in ("Not met", "Luck", "Waits"))
    page = MarkdownIt("commonmark").enable("table").render(comment)
    assert page.count("&lt;img src=x onerror=alert(1)&gt; [click](https://a.example)") >= 4
    for tag in ("<img", "<a ", "<em>", "<code>"):
        assert tag not in page
    assert "@everyone" not in page
    assert "#1" not in page


def test_every_output_is_one_that_a_step_writes() -> None:
    written = set(re.findall(r'echo "(\w+)=', (ROOT / "action/evaluate.sh").read_text()))
    asked = {re.search(r"outputs\.(\w+)", told["value"])[1] for told in ACTION["outputs"].values()}
    assert asked <= written
    assert STEPS["Hold the gates"]["env"]["HEADCOUNT_CODE"].count("outputs.code") == 1
