"""Two finished studies side by side: what was chosen otherwise, and what that changed.

Two runs on the same ratings are compared item by item: a worker's task, and how it is asked for.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headcount.results import Estimate
from headcount.web.desk import Desk
from headcount.web.jobs import Job
from headcount.web.limits import RefusedError
from headcount.web.record import StudyRecord

# The numbers that are compared, by their names in a result.
NUMBERS = {
    "worth": "worth in raters",
    "agree": "people who agree",
    "of_ceiling": "of what any classifier could reach",
    "accuracy": "right, against a truth nobody has",
}
_ASKED = {"of_ceiling": "ceiling"}
MARKS = (" (first)", " (second)")


def compared(desk: Desk, first: str, second: str) -> dict[str, Any]:
    """What differs between two studies, and how their numbers changed from first to second."""
    if first == second:
        raise RefusedError(422, "A study does not differ from itself: choose two.")
    records = [_finished(desk, id) for id in (first, second)]
    results = [desk.folder.told(id, "result.json") for id in (first, second)]
    same = same_data(*records)
    gold = [record.gold and record.gold.sha256 for record in records]
    return {
        "first": _about(records[0], results[0]),
        "second": _about(records[1], results[1]),
        "same_ratings": same[0],
        "same_predictions": same[1],
        "options": _differing(records, results),
        "classifiers": _changes(*results, alike=all(same) and gold[0] == gold[1]),
        "can_be_paired": same[0] and not same[1] and bool(pairs_of(*results)),
    }


def same_data(first: StudyRecord, second: StudyRecord) -> tuple[bool, bool]:
    """Whether the ratings of two studies are the same, and whether the predictions are."""
    ours = {name: first.reading.get(name) for name in _of_ratings(first, second)}
    theirs = {name: second.reading.get(name) for name in _of_ratings(first, second)}
    content = [sorted(file.sha256 for file in each.ratings) for each in (first, second)]
    ratings = content[0] == content[1] and ours == theirs
    hashes = [each.predictions and each.predictions.sha256 for each in (first, second)]
    return ratings, hashes[0] == hashes[1] and first.reading == second.reading


def _of_ratings(*records: StudyRecord) -> set[str]:
    said = {name for record in records for name in record.reading}
    apart = all(record.predictions is not None for record in records)
    return said - {"prediction_item", "run", "runs"} - ({"classifiers"} if apart else set())


def pairs_of(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Which classifiers of two results belong together: the same name, or one of each."""
    ours, theirs = ([each["name"] for each in found["classifiers"]] for found in (first, second))
    if len(ours) == len(theirs) == 1:
        return [(ours[0], theirs[0])]
    return [(name, name) for name in ours if name in theirs]


def _finished(desk: Desk, id: str) -> StudyRecord:
    record = desk.folder.get(id)
    if record.state != "done":
        raise RefusedError(409, f"“{record.title}” is not finished: there is nothing to compare.")
    return record


def _about(record: StudyRecord, result: Mapping[str, Any]) -> dict[str, Any]:
    data = result["data"]
    return {
        "id": record.id,
        "title": record.title,
        "created": record.created,
        "files": [each.name for each in record.inputs],
        "items": data["items"],
        "ratings": data["ratings"],
    }


def _differing(records: list[StudyRecord], results: list[Any]) -> list[dict[str, Any]]:
    """Every choice that the two made otherwise."""
    settings = [dict(result["settings"]) for result in results]
    found = [
        {"name": name, "first": settings[0].get(name), "second": settings[1].get(name)}
        for name in dict.fromkeys((*settings[0], *settings[1]))
        if settings[0].get(name) != settings[1].get(name)
    ]
    # A file of gold beside the column that may be named for it.
    reading = [
        {**record.reading, **({"gold": record.gold.name} if record.gold else {})}
        for record in records
    ]
    return found + [
        {"name": name, "first": reading[0].get(name), "second": reading[1].get(name)}
        for name in dict.fromkeys((*reading[0], *reading[1]))
        if reading[0].get(name) != reading[1].get(name)
    ]


def _changes(
    first: Mapping[str, Any], second: Mapping[str, Any], *, alike: bool
) -> list[dict[str, Any]]:
    """Each number of the classifiers that both have: then, now, and the change."""
    from headcount.evaluation.baseline import independent_changes

    then = {each["name"]: each for each in first["classifiers"]}
    now = {each["name"]: each for each in second["classifiers"]}
    # The same answers of the same people: chance has no part in what differs.
    changed = independent_changes(
        {
            name: {_ASKED.get(number, number): estimate(numbers[number]) for number in NUMBERS}
            for name, numbers in now.items()
        },
        first,
    )
    found = []
    for name in dict.fromkeys((*now, *then)):
        for number, words in NUMBERS.items():
            change = changed[name][_ASKED.get(number, number)] if name in changed else None
            if change is not None and alike:
                change = Estimate(change.value, note=change.note)
            found.append(
                {
                    "classifier": name,
                    "number": number,
                    "words": words,
                    "first": then.get(name, {}).get(number),
                    "second": now.get(name, {}).get(number),
                    "change": change and change.to_dict(),
                }
            )
    return found


def estimate(told: Mapping[str, Any]) -> Estimate:
    """An estimate as a result told it."""
    known = ("value", "low", "high", "state", "low_state", "high_state", "note", "measured_to")
    return Estimate(**{name: told[name] for name in known if name in told})


def number_text(told: Mapping[str, Any] | None, number: str, *, change: bool = False) -> str:
    """An estimate for a cell of the page."""
    if told is None:
        return "–"
    found = estimate(told)
    if number == "worth":
        return found.text(1) if found.known else "–"
    return found.points_text() if change else found.share_text()


def pair_name(first: str, second: str) -> str:
    """What the work on two studies goes by."""
    return f"{first}+{second}"


def pair_file(first: str) -> str:
    """Where the second study keeps how it compares with the first."""
    return f"paired-{first}.json"


def pair(desk: Desk, first: str, second: str) -> None:
    """Compare two runs on the same items and people, in a process of its own."""
    if not compared(desk, first, second)["can_be_paired"]:
        raise RefusedError(
            409,
            "These two cannot be compared item by item: that takes the same ratings, read in the "
            "same way, and other answers of classifiers.",
        )
    ours, theirs = desk.folder.get(first), desk.folder.get(second)
    results = [desk.folder.told(id, "result.json") for id in (first, second)]
    place = desk.folder.workplace()
    sides = []
    for side, record in (("first", ours), ("second", theirs)):
        (place / side).mkdir()
        files = desk.lay(record, place / side)
        within = {kind: name and f"{side}/{name}" for kind, name in files.items()}
        sides.append({"files": within, "reading": record.reading})
    orders = {
        "task": "pair",
        "place": str(place.resolve()),
        "folder": str(desk.folder.study_path(second).resolve()),
        "file": pair_file(first),
        "sides": sides,
        "options": theirs.options,
        "pairs": pairs_of(*results),
        "memory": desk.limits.memory_in_use,
        "unpacked": desk.limits.unpacked,
    }
    (desk.folder.study_path(second) / pair_file(first)).unlink(missing_ok=True)
    desk.jobs.submit(Job(pair_name(first, second), "pair", orders, desk.pair_ended))


def paired(desk: Desk, first: str, second: str) -> dict[str, Any]:
    """How far the comparison is, and what it found."""
    job = desk.jobs.of(pair_name(first, second))
    progress = job and {"step": job.step, "done": job.done, "of": job.of, "before": 0}
    return {"progress": progress, "paired": desk.folder.told(second, pair_file(first))}


def compare_pairs(orders: dict[str, Any], tell: Any) -> None:
    """Evaluate the classifiers of both on the same items, and write the differences of pairs."""
    from headcount.data import beside, read_both
    from headcount.errors import UnanswerableError
    from headcount.evaluation import Unavailable, evaluate
    from headcount.options import EvaluateOptions
    from headcount.results.files import write_content
    from headcount.web.looking import complete
    from headcount.web.tasks import telling

    tell("reading the files", 0, 1)
    read = []
    for side in orders["sides"]:
        files = side["files"]
        read.append(read_both(files["ratings"], files["predictions"], *complete(side["reading"])))
    (people, ours), (_, theirs) = read
    if ours is None or theirs is None:
        raise UnanswerableError("One of the two has no classifiers.")
    options = EvaluateOptions(**orders["options"])
    found = evaluate(
        people, beside(ours, theirs, MARKS), **options.as_given(), progress=telling(tell)
    )
    if isinstance(found.differences, Unavailable):
        raise UnanswerableError(found.differences.reason)
    rows = []
    for first, second in orders["pairs"]:
        for quantity in ("worth", "agree"):
            each = found.differences.of(f"{second}{MARKS[1]}", f"{first}{MARKS[0]}", quantity)
            rows.append(
                {
                    "first": first,
                    "second": second,
                    "quantity": quantity,
                    "difference": each.difference.to_dict(),
                    "sentence": each.sentence(),
                }
            )
    told = {"pairs": rows, "items": found.data.items_judged, "about": found.samples.sentence()}
    text = json.dumps(told, ensure_ascii=False, allow_nan=False)
    write_content(Path(orders["folder"]) / orders["file"], text, "The comparison")
