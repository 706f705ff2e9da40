"""Two studies side by side: other options, other answers, other ratings."""

import csv
import io
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.conftest import OPTIONS
from tests.web.site import Site, running

import headcount as hc


def _improved(predictions: bytes, truth: bytes) -> bytes:
    """The predictions with the hard classifier set right on every other item."""
    rows = list(csv.DictReader(io.StringIO(predictions.decode())))
    known = {row["item"]: row for row in csv.DictReader(io.StringIO(truth.decode()))}
    shares = [name for name in next(iter(known.values())) if name.startswith("share:")]
    for row in rows[::2]:
        best = max(shares, key=lambda name: float(known[row["item"]][name]))
        row["llm_judge"] = best.removeprefix("share:")
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def shared_site(finished, tmp_path_factory) -> Iterator[Site]:
    """A server on a folder with a finished study."""
    folder = shutil.copytree(finished[0], tmp_path_factory.mktemp("compare") / "studies")
    with running(folder) as found:
        yield found


@pytest.fixture(scope="module")
def studies(shared_site, finished, demo, demo_files):
    """The demo; the same with another seed; and with a better judge."""
    first = finished[1]
    again = shared_site.client.post(f"/api/studies/{first}/again").json()["id"]
    shared_site.wait(again)
    shared_site.evaluate(again, {**OPTIONS, "seed": 7, "scorer": "brier"})
    ratings, predictions = demo_files
    better = _improved(predictions[1], (demo / "truth.csv").read_bytes())
    second = shared_site.upload(ratings, ("new.csv", better), title="new", evaluate=OPTIONS)
    return first, again, second


def compared(site, first, second):
    answer = site.client.get("/api/compare", params={"first": first, "second": second})
    assert answer.status_code == 200, answer.text
    return answer.json()


def worth_of(told):
    """Its number; what predicts people no better than asking nobody is worth nobody."""
    return 0.0 if told.get("state") == "below" else told["value"]


def test_other_options_on_the_same_data(shared_site, studies) -> None:
    first, again, _ = studies
    found = compared(shared_site, first, again)
    assert (found["same_ratings"], found["same_predictions"]) == (True, True)
    assert {each["name"] for each in found["options"]} == {"seed", "scorer"}
    assert not found["can_be_paired"]
    for each in found["classifiers"]:
        if each["change"] and each["change"]["value"] is not None:
            expected = worth_of(each["second"]) - worth_of(each["first"])
            assert each["change"]["value"] == pytest.approx(expected)
            assert each["change"]["low"] is None  # chance has no part in it
    page = shared_site.client.get("/compare", params={"first": first, "second": again}).text
    assert "comes from the options" in page


def test_other_answers_are_paired_item_by_item(shared_site, studies, demo, tmp_path) -> None:
    first, _, second = studies
    found = compared(shared_site, first, second)
    assert (found["same_ratings"], found["same_predictions"]) == (True, False)
    assert found["can_be_paired"]
    asked = {"first": first, "second": second}
    assert shared_site.client.post("/api/compare", params=asked).status_code == 202
    for _ in range(2000):
        told = compared(shared_site, first, second)
        if told["progress"] is None:
            break
        time.sleep(0.1)
    pairs = {(each["second"], each["quantity"]): each for each in told["paired"]["pairs"]}
    judge = pairs["llm_judge", "agree"]
    assert judge["difference"]["value"] > 0
    # The same by hand: both answers in one file, evaluated and compared as Python does it.
    new = shared_site.folder / "inputs" / shared_site.study(second)["predictions"]["sha256"]
    old, after = (_rows(path) for path in (demo / "predictions.csv", new))
    path = tmp_path / "both.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = list(next(iter(old.values())))[1:]
        writer.writerow(["item", *map(_marked_first, names), *map(_marked_second, names)])
        for item, row in old.items():
            writer.writerow([item, *(each[name] for each in (row, after[item]) for name in names)])
    both = hc.evaluate(demo / "ratings.csv", path, **OPTIONS)
    difference = both.difference("llm_judge (second)", "llm_judge (first)", "agree")
    assert judge["difference"]["value"] == pytest.approx(difference.value)
    assert judge["difference"]["low"] == pytest.approx(difference.low)
    page = shared_site.client.get("/compare", params=asked).text
    assert "llm_judge (second)" in page
    assert shared_site.left_over() == []


def _rows(path: Path) -> dict[str, dict[str, str]]:
    text = path.read_text(encoding="utf-8")
    return {row["item"]: row for row in csv.DictReader(io.StringIO(text))}


def _marked_first(name: str) -> str:
    return _marked(name, " (first)")


def _marked_second(name: str) -> str:
    return _marked(name, " (second)")


def _marked(name: str, mark: str) -> str:
    start, colon, label = name.partition(":")
    return f"{start}{mark}{colon}{label}"


def test_what_cannot_be_compared_is_refused(shared_site, studies, demo_files) -> None:
    first, again, _ = studies
    get = shared_site.client.get
    assert get("/api/compare", params={"first": first, "second": first}).status_code == 422
    assert get("/api/compare", params={"first": first, "second": "x"}).status_code == 422
    same = shared_site.client.post("/api/compare", params={"first": first, "second": again})
    assert same.status_code == 409
    unfinished = shared_site.upload(*demo_files)
    answer = get("/api/compare", params={"first": first, "second": unfinished})
    assert answer.status_code == 409
    assert "not finished" in answer.json()["error"]
