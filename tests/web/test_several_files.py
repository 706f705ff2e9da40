"""A file a reader, and the right answers in a file of their own: as the command line takes them."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sameness import assert_same

import headcount as hc
from headcount.simulate import make
from headcount.web.record import Input, StudyRecord

OPTIONS = {"n_bootstrap": 20, "seed": 2}


@pytest.fixture(scope="module")
def simulated(tmp_path_factory) -> Path:
    """A folder with 120 simulated cases that five readers and a model have read."""
    folder = tmp_path_factory.mktemp("cases")
    make("fallible", seed=5, cases=120, labels=2, raters=5, accuracy=(0.8,)).write(folder)
    return folder


@pytest.fixture(scope="module")
def readers(simulated) -> dict[str, bytes]:
    """The ratings as a file a reader, without a column that names the reader."""
    rows = list(csv.DictReader((simulated / "ratings.csv").read_text("utf-8").splitlines()))
    found = {}
    for reader in sorted({row["rater"] for row in rows}):
        lines = [f"{row['item']},{row['label']}" for row in rows if row["rater"] == reader]
        found[f"{reader}.csv"] = "\n".join(["item,label", *lines]).encode()
    return found


@pytest.fixture(scope="module")
def gold(simulated) -> bytes:
    """The right answers of half of the cases."""
    rows = list(csv.DictReader((simulated / "truth.csv").read_text("utf-8").splitlines()))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["item", "gold"])
    for row in rows[::2]:
        writer.writerow([row["item"], row["truth"]])
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def parts(simulated, readers, gold) -> list[tuple[str, tuple[str, bytes]]]:
    """All files of one form."""
    predictions = (simulated / "predictions.csv").read_bytes()
    return [
        *(("ratings", (name, content)) for name, content in readers.items()),
        ("predictions", ("model.csv", predictions)),
        ("gold", ("panel.csv", gold)),
    ]


@pytest.fixture(scope="module")
def done(shared_site, parts) -> str:
    """All of them evaluated, as the page suggests to read them."""
    id = shared_site.client.post("/api/studies", files=parts).json()["id"]
    shared_site.wait(id)
    seen = shared_site.understood(id)
    assert not seen["understood"]
    assert "no column names the rater" in seen["sentence"]
    assert seen["remedy"] == {"rater_from": "file", "item": "item", "label": "label"}
    roles = {each["name"]: each["role"] for each in seen["ratings"]["columns"]}
    assert roles == {"item": "item", "label": "label"}
    page = shared_site.client.get(f"/studies/{id}").text
    assert "Whose answers are in each file?" in page
    assert '<option value="file" selected>' in page
    wish = {"reading": {"rater_from": "file"}}
    assert shared_site.client.post(f"/api/studies/{id}/look", json=wish).status_code == 202
    shared_site.wait(id)
    seen = shared_site.understood(id)
    assert seen["able"], seen["sentence"]
    assert "panel.csv has the right answer of 60 items, and people rated 60" in seen["notes"][0]
    assert shared_site.evaluate(id, OPTIONS)["state"] == "done"
    return id


def test_numbers_equal_those_of_the_command_line(shared_site, done, parts, tmp_path) -> None:
    command = shared_site.study(done)["command"]
    assert command == (
        "headcount --no-settings evaluate 'ratings/*' model.csv --rater-from file --gold panel.csv "
        "--n-bootstrap 20 --seed 2 --output report.html"
    )
    (tmp_path / "ratings").mkdir()
    for field, (name, content) in parts:
        (tmp_path / ("ratings" if field == "ratings" else ".") / name).write_bytes(content)
    run = subprocess.run(
        [sys.executable, "-m", "headcount", *shlex.split(command)[1:], "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": ""},
    )
    result = shared_site.client.get(f"/api/studies/{done}/files/result").json()
    assert_same(result, json.loads(run.stdout))
    assert "gold" in json.dumps(result["accuracy"])


def test_every_file_stays_with_the_study(shared_site, done, readers) -> None:
    told = shared_site.study(done)
    assert {each["name"] for each in told["ratings"]} == set(readers)
    assert told["gold"]["name"] == "panel.csv"
    assert told["title"] == "expert1.csv and 4 more"
    again = shared_site.client.post(f"/api/studies/{done}/again").json()
    assert shared_site.wait(again["id"])["state"] == "ready"
    assert (again["ratings"], again["gold"]) == (told["ratings"], told["gold"])
    refused = shared_site.client.post(f"/studies/{again['id']}/swap", data=shared_site.form())
    assert refused.status_code == 409
    assert "Two files can be swapped" in refused.text


def test_gold_of_other_items_is_refused_in_a_sentence(shared_site, demo_files) -> None:
    parts = {"ratings": demo_files[0], "predictions": demo_files[1],
             "gold": ("other.csv", b"item,gold\nsomebody-elses,toxic\n")}  # fmt: skip
    id = shared_site.client.post("/api/studies", files=parts).json()["id"]
    shared_site.wait(id)
    seen = shared_site.understood(id)
    assert not seen["understood"]
    assert "other.csv knows none of the items" in seen["sentence"]


NESTED = [
    {"id": f"i{item}", "annotations": [
        {"who": f"r{rater}", "said": {"label": "xy"[(item * rater) % 3 == 0]}} for rater in range(3)
    ]}
    for item in range(12)
]  # fmt: skip


def test_answers_deep_in_a_file_are_named_by_their_paths(shared_site) -> None:
    id = shared_site.upload(("nested.json", json.dumps(NESTED).encode()))
    assert not shared_site.understood(id)["understood"]
    with shared_site.browser() as client:
        page = client.get(f"/studies/{id}").text
        seen = re.search(r'name="seen" value="(\w+)"', page)
        paths = {"path-item": "id", "path-rater": "annotations[].who",
                 "path-label": "annotations[].said.label"}  # fmt: skip
        assert all(f'name="{name}"' in page for name in paths)
        form = shared_site.form(seen=seen[1], action="look", **paths)
        assert client.post(f"/studies/{id}/choices", data=form).status_code == 200
        shared_site.wait(id)
        assert shared_site.understood(id)["understood"]
        assert "path-item" not in client.get(f"/studies/{id}").text
    assert "--label 'annotations[].said.label'" in shared_site.study(id)["command"]


def test_too_many_files_are_refused_and_nothing_is_left(shared_site) -> None:
    known = len(list((shared_site.folder / "inputs").iterdir()))
    files = [("ratings", (f"{number}.csv", b"item,label\n1,x\n")) for number in range(101)]
    refused = shared_site.client.post("/api/studies", files=files)
    assert refused.status_code == 400
    assert "up to 100" in refused.json()["error"]
    assert shared_site.left_over() == []
    assert len(list((shared_site.folder / "inputs").iterdir())) == known


def test_links_of_several_files_differ() -> None:
    same = Input("Reader.csv", "0", 1)
    record = StudyRecord(
        id="20260101-000000-00000000", title="", created="",
        ratings=(same, Input("reader.CSV", "1", 1), same), predictions=Input("ratings", "2", 1),
        gold=Input("ratings", "3", 1),
    )  # fmt: skip
    assert record.links == (
        "ratings/Reader.csv", "ratings/reader-2.CSV", "ratings/Reader-3.csv", "ratings-2",
        "ratings-3",
    )  # fmt: skip
    assert record.files == {
        "ratings": "ratings/*",
        "predictions": "ratings-2",
        "gold": "ratings-3",
    }
