"""What stands around the package says what the code says: workflows, container, citation."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from headcount import __version__
from headcount.cli.app import app

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda each: each.stem)
def test_workflows_ask_what_there_is_and_use_others_by_their_hash(workflow: Path) -> None:
    told = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert told["permissions"] == {"contents": "read"}  # more is granted job by job
    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
        for target in re.findall(r"\bmake (\w+)", step.get("run", "")):
            assert target in TARGETS


def test_every_python_is_tried() -> None:
    asked = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    known = [
        each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if ":: 3." in each
    ]
    assert asked == known


def test_a_release_is_what_was_built_and_carries_no_password() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    publish = yaml.safe_load(text)["jobs"]["publish"]
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in text


def test_the_recipe_asks_for_what_the_project_asks_for() -> None:
    recipe = read("conda/recipe.yaml")
    assert recipe["context"]["version"] == __version__
    names = {"duckdb": "python-duckdb"}
    asked = [re.split(r"(?=>=)", each) for each in PROJECT["project"]["dependencies"]]
    expected = [f"{names.get(name, name)} {bound}" for name, bound in asked]
    python = f"python {PROJECT['project']['requires-python']}"
    assert recipe["requirements"]["run"] == [python, *expected]
    (command,) = recipe["build"]["python"]["entry_points"]
    assert command == f"headcount = {PROJECT['project']['scripts']['headcount']}"


def test_the_citation_is_of_this_version() -> None:
    cited = read("CITATION.cff")
    assert cited["version"] == __version__
    assert cited["license"] == PROJECT["project"]["license"]
    assert cited["authors"] == PROJECT["project"]["authors"]
    assert {"title", "abstract", "message", "keywords", "references"} <= set(cited)


def test_the_container_starts_the_page_as_nobody_special() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    told = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0].isupper()]
    copied = [
        words.split()[:-1] for name, words in told if name == "COPY" and "--from" not in words
    ]
    shipped = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for each in (name for names in copied for name in names):
        assert (ROOT / each).exists()
        assert f"!{each}" in shipped
    assert set(re.findall(r"\[(\w+),(\w+)\]", text)[0]) <= set(
        PROJECT["project"]["optional-dependencies"]
    )
    user = [words for name, words in told if name == "USER"]
    assert user == ["headcount"]
    (command,) = [json.loads(words) for name, words in told if name == "CMD"]
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    parsed = serve.make_context("serve", command[2:], resilient_parsing=True).params
    assert command[:2] == ["headcount", "serve"]
    assert parsed["expose"] is True
    assert str(parsed["folder"]) in [words for name, words in told if name == "VOLUME"]
    assert str(parsed["port"]) in [words for name, words in told if name == "EXPOSE"]


def test_hooks_and_the_dev_container_run_what_make_runs() -> None:
    (local,) = read(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    tools = {each["entry"].split()[0] for each in local["hooks"]}
    assert tools == {".venv/bin/ruff", ".venv/bin/mypy", ".venv/bin/lint-imports"}
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"].removeprefix("make ") in TARGETS


def test_pages_are_built_from_what_is_there() -> None:
    told = read(".readthedocs.yaml")
    assert (ROOT / told["sphinx"]["configuration"]).exists()
    assert told["sphinx"]["fail_on_warning"] is True
    assert "docs" in PROJECT["dependency-groups"]


def test_all_is_made_of_extras_that_there_are() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (named,) = extras["all"]
    assert set(named.removeprefix("headcount[").removesuffix("]").split(",")) < set(extras)
