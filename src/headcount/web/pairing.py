"""Two runs on the same ratings, item by item: a worker's task, and how it is asked for."""

import json
from pathlib import Path
from typing import Any

from headcount.web.comparing import MARKS, compared, pairs_of
from headcount.web.desk import Desk
from headcount.web.jobs import Job
from headcount.web.refusals import RefusedError


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
    from headcount.data.beside import beside
    from headcount.data.reading import read_both
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
