"""Requirements and baselines on the page: decided as the command line decides, in its words."""

import csv
import io
import json
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sameness import assert_same
from tests.web.conftest import OPTIONS
from tests.web.site import Site, running

import headcount as hc
from headcount.evaluation.gates import QUANTITIES
from headcount.results import Requirement
from headcount.web.gates import MOST, MOST_LETTERS
from headcount.web.record import new_id

REQUIRED = ["fine_tuned:>=0.5", "word_list:agree>=99%", "agree>=baseline-1%"]


@pytest.fixture(scope="module")
def shared_site(finished, tmp_path_factory) -> Iterator[Site]:
    """A server on a folder with a finished study."""
    folder = shutil.copytree(finished[0], tmp_path_factory.mktemp("gates") / "studies")
    with running(folder) as found:
        yield found


@pytest.fixture(scope="module")
def worse(demo_files) -> bytes:
    """The predictions with the judge's answers of every other item those of its neighbour."""
    rows = list(csv.DictReader(io.StringIO(demo_files[1][1].decode())))
    said = [row["llm_judge"] for row in rows]
    for place in range(0, len(rows) - 1, 2):
        rows[place]["llm_judge"] = said[place + 1]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def study(shared_site, finished, demo_files, worse) -> str:
    """The worse judge, with requirements, one of them beside the finished study."""
    id = shared_site.upload(demo_files[0], ("new.csv", worse), title="A worse judge")
    answer = evaluate(shared_site, id, require=REQUIRED, baseline=finished[1])
    assert answer.status_code == 202, answer.text
    shared_site.wait(id)
    return id


def evaluate(site: Site, id: str, **gates):
    return site.client.post(f"/api/studies/{id}/evaluate", json={"options": OPTIONS, **gates})


def test_a_study_says_which_requirements_are_met(shared_site, study) -> None:
    told = shared_site.study(study)
    assert told["state"] == "done"
    assert (told["require"], told["gates"]["met"]) == (REQUIRED, False)
    assert [each["met"] for each in told["gates"]["requirements"]] == [True, False, False]
    assert told["gates"]["sentence"] == "2 of 3 requirements are not met."
    assert "Paired: the same items" in told["gates"]["since"]["caption"]
    page = shared_site.client.get(f"/studies/{study}").text
    assert "2 of 3 requirements are not met." in page
    assert "agree&gt;=baseline-1%" in page
    assert "Since the baseline" in page
    assert "A first study" in page
    listed = shared_site.client.get("/api/studies", params={"search": "not met"}).json()
    assert [each["id"] for each in listed["studies"]] == [study]


def test_the_command_ends_with_three_and_says_the_same(
    shared_site, study, demo, worse, tmp_path
) -> None:
    told = shared_site.study(study)
    (tmp_path / "ratings.csv").write_bytes((demo / "ratings.csv").read_bytes())
    (tmp_path / "new.csv").write_bytes(worse)
    saved = shared_site.client.get(f"/api/studies/{study}/files/baseline")
    (tmp_path / "baseline.json").write_bytes(saved.content)
    run = subprocess.run(
        [sys.executable, "-m", "headcount", *shlex.split(told["command"])[1:], "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": ""},
    )
    assert run.returncode == 3, run.stderr
    prefix = "headcount: requirement not met: "
    printed = [line.removeprefix(prefix) for line in run.stderr.splitlines() if prefix in line]
    on_page = [said for each in told["gates"]["requirements"] for said in each["sentences"]]
    assert printed == on_page
    result = shared_site.client.get(f"/api/studies/{study}/files/result")
    assert_same(result.json(), json.loads(run.stdout))


def test_what_cannot_be_decided_is_refused_before_any_work(shared_site, demo_files) -> None:
    id = shared_site.upload(*demo_files)

    def refusal(status: int = 422, **gates) -> str:
        answer = evaluate(shared_site, id, **gates)
        assert answer.status_code == status, answer.text
        told = shared_site.study(id)
        assert (told["state"], told["require"], told["baseline"]) == ("ready", [], None)
        return answer.json()["error"]

    with pytest.raises(hc.errors.OptionError) as refused:
        Requirement.parse("at least three", among=QUANTITIES)
    assert refusal(require=["at least three"]) == str(refused.value)
    assert "names no classifier" in refusal(require=["gpt:>=3"])
    assert "there is none" in refusal(require=["agree>=baseline-1%"])
    assert "one line" in refusal(require=[">=3\n>=4"])
    assert refusal(require=[">=3"] * (MOST + 1))
    assert refusal(require=["x" * (MOST_LETTERS + 1)])
    assert "choose another" in refusal(409, baseline=new_id())
    assert "choose another" in refusal(409, baseline=id)
    assert refusal(baseline="../../etc")


def test_a_form_is_read_line_by_line(shared_site, finished, demo_files) -> None:
    id = shared_site.upload(*demo_files)
    page = shared_site.client.get(f"/studies/{id}").text
    seen = page.split('name="seen" value="')[1].split('"')[0]
    form = {"seen": seen, "action": "evaluate", "option-n_bootstrap": "0"}
    with shared_site.browser() as browser:
        bad = shared_site.form(**form, require=">=1\n<b>", baseline="")
        refused = browser.post(f"/studies/{id}/choices", data=bad)
        assert refused.status_code == 422
        assert "&lt;b&gt;" in refused.text
        assert "cannot be read" in refused.text
        good = shared_site.form(**form, require=" >=0.1 \r\n\r\nagree>=1%", baseline=finished[1])
        assert browser.post(f"/studies/{id}/choices", data=good).status_code == 200
    told = shared_site.wait(id)
    assert (told["require"], told["baseline"]) == ([">=0.1", "agree>=1%"], finished[1])
    assert told["gates"]["sentence"] == "All 2 requirements are met."
    assert "--require '>=0.1' --require 'agree>=1%' --baseline baseline.json" in told["command"]


def test_a_requirement_of_spaces_is_refused_at_once() -> None:
    begun = time.process_time()
    for text in (
        " " * 400 + "x",
        "a:" + " " * 400 + "x",
        "agree" + " " * 400,
        "a:>=" * 99 + "b\nx",
    ):
        with pytest.raises(hc.errors.OptionError):
            Requirement.parse(text)
    assert time.process_time() - begun < 1.0


def test_the_baseline_outlives_the_study_it_came_from(shared_site, study, finished) -> None:
    # The last test here, since the others compare with that study.
    assert shared_site.client.delete(f"/api/studies/{finished[1]}").status_code == 204
    assert shared_site.client.get(f"/api/studies/{study}/files/baseline").status_code == 200
    assert "a study that was deleted since" in shared_site.client.get(f"/studies/{study}").text
    again = shared_site.client.post(f"/api/studies/{study}/again").json()
    assert (again["require"], again["baseline"]) == (REQUIRED, None)
    shared_site.wait(again["id"])
    page = shared_site.client.get(f"/studies/{again['id']}").text
    assert "agree&gt;=baseline-1%" in page
    assert finished[1] not in page
    assert shared_site.left_over() == []
