"""The pages of studies: new ones, their columns and options, progress, results, the list."""

import hashlib
import json
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from headcount.errors import HeadcountError
from headcount.web.choices import (
    NAMED,
    PREDICTIONS_ROLES,
    RATINGS_ROLES,
    as_reading,
    evaluation_fields,
    read_options,
    read_reading,
    reading_fields,
    twice_chosen,
    with_answers,
)
from headcount.web.comparing import compared, number_text, pair, pair_name, paired
from headcount.web.desk import Desk
from headcount.web.folder import FILES
from headcount.web.gates import read_gates
from headcount.web.guard import Keys
from headcount.web.limits import RefusedError
from headcount.web.proposals import taken
from headcount.web.record import StudyRecord
from headcount.web.rendering import Pages
from headcount.web.uploads import Gate, read_form, receive_files

# Beside the report's own policy: it runs its charts, and reaches nothing of this server.
REPORT_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"

# Studies in one page of the list: a screen or two.
_A_PAGE = 50

# What may lie deep in a file of JSON, to be named by its path.
PATHS = ("item", "rater", "label")
_TYPES = {
    "report": "text/html; charset=utf-8",
    "result": "application/json",
    "classifiers": "text/csv; charset=utf-8",
    "summary": "text/markdown; charset=utf-8",
    "ratings": "application/vnd.apache.parquet",
    "baseline": "application/json",
}


def router(desk: Desk, pages: Pages, keys: Keys, gate: Gate) -> APIRouter:
    """The routes of the pages; none of them is part of the API's description."""
    routes = APIRouter(include_in_schema=False)

    def page(name: str, **told: Any) -> Response:
        return HTMLResponse(pages.show(name, **told))

    @routes.get("/")
    def home(q: str = "", start: int = 0) -> Response:
        desk.jobs.warm()
        start = max(0, min(start, 10**6))
        return page(
            "home",
            studies=desk.folder.index.search(q, limit=_A_PAGE, offset=start),
            found=desk.folder.index.count(q),
            q=q,
            start=start,
            a_page=_A_PAGE,
            limits=desk.limits,
        )

    @routes.post("/studies")
    async def add(request: Request) -> Response:
        with gate:
            received = await receive_files(request, desk.folder, desk.limits, keys=keys)
            try:
                record = await run_in_threadpool(
                    desk.add, received.files, received.fields.get("title", "")
                )
            finally:
                received.drop()
        return _to(record.id)

    @routes.get("/studies/{id}")
    def study(id: str, note: str = "") -> Response:
        return page("study", **_shown(desk, id), note=NOTES.get(note, ""))

    @routes.post("/studies/{id}/choices")
    async def choose(request: Request, id: str) -> Response:
        form = await read_form(request, keys)
        return _to(id, await run_in_threadpool(_choose, desk, id, form))

    @routes.post("/studies/{id}/{action}")
    async def act(request: Request, id: str, action: str) -> Response:
        form = await read_form(request, keys)
        if action == "again":
            return _to((await run_in_threadpool(desk.again, id)).id, "again")
        if action == "delete":
            await run_in_threadpool(desk.delete, id)
            return RedirectResponse("/", status_code=303)
        if action == "rename":
            await run_in_threadpool(desk.rename, id, form.get("title", ""))
        elif action == "cancel":
            await run_in_threadpool(desk.cancel, id)
        elif action == "swap":
            await run_in_threadpool(desk.swap, id)
        elif action == "look":
            await run_in_threadpool(desk.look, id, desk.folder.get(id).reading)
        else:
            raise RefusedError(404, "There is no such page here.")
        return _to(id)

    @routes.get("/studies/{id}/delete")
    def ask_to_delete(id: str) -> Response:
        return page("delete", study=desk.told(id))

    @routes.get("/studies/{id}/report")
    def report(id: str) -> Response:
        return FileResponse(
            desk.folder.file(id, "report"),
            media_type=_TYPES["report"],
            headers={"content-security-policy": REPORT_POLICY},
        )

    @routes.get("/studies/{id}/files/{what}")
    def download(id: str, what: str) -> Response:
        return attachment(desk, id, what)

    @routes.get("/compare")
    def compare(first: str, second: str) -> Response:
        return page(
            "compare",
            found=compared(desk, first, second),
            **paired(desk, first, second),
            cell=number_text,
        )

    @routes.post("/compare")
    async def compare_pairs(request: Request) -> Response:
        form = await read_form(request, keys)
        first, second = form.get("first", ""), form.get("second", "")
        if form.get("action") == "cancel":
            desk.jobs.cancel(pair_name(first, second))
        else:
            await run_in_threadpool(pair, desk, first, second)
        told = urlencode({"first": first, "second": second})
        return RedirectResponse(f"/compare?{told}", status_code=303)

    return routes


def attachment(desk: Desk, id: str, what: str) -> Response:
    """A file of a finished study, to be saved."""
    path = desk.folder.file(id, what)
    return FileResponse(
        path,
        media_type=_TYPES[what],
        filename=FILES[what],
        headers={"content-security-policy": "sandbox"},
    )


# What a page says once, after something was done.
NOTES = {
    "read": "The files were read anew with your changes: evaluate when this is right.",
    "again": "A new study of the same files: choose other options, then evaluate.",
    "elsewhere": "The files were read anew in another tab: look at this first.",
}


def _to(id: str, note: str = "") -> Response:
    return RedirectResponse(f"/studies/{id}" + (f"?note={note}" if note else ""), status_code=303)


def _shown(desk: Desk, id: str) -> dict[str, Any]:
    """What the page of a study shows."""
    study = desk.told(id)
    look = desk.folder.told(id, "look.json")
    done = study["state"] == "done"
    others = [each for each in desk.folder.index.search(limit=200) if each.state == "done"]
    questions = ((look or {}).get("ratings") or {}).get("questions", [])
    questions = questions if len(questions) > 1 else []
    return {
        "study": study,
        "record": desk.folder.get(id),
        "busy": study["progress"] is not None,
        "look": look,
        "seen": seen_columns(look),
        "summary": desk.folder.told(id, "summary.json") if done else None,
        "ratings_roles": RATINGS_ROLES,
        "predictions_roles": PREDICTIONS_ROLES,
        "questions": questions,
        "paths": PATHS if _may_be_nested(desk.folder.get(id), look) else (),
        "reading_fields": [
            each
            for each in reading_fields(study["reading"])
            if not (questions and each.name == "question")
        ],
        "option_fields": evaluation_fields(study["options"]),
        "others": [each for each in others if each.id != id],
        "before": next((each for each in others if each.id == study["baseline"]), None),
    }


def _may_be_nested(record: StudyRecord, look: dict[str, Any] | None) -> bool:
    """Whether a file that was not understood may hold its answers deeper than in columns."""
    name = record.ratings[0].link.lower()
    deep = name.endswith((".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".parquet"))
    return deep and bool(look) and not (look or {})["understood"]


def seen_columns(look: dict[str, Any] | None) -> str:
    """What tells whether a form was made from this look at the files."""
    files = [(look or {}).get(name) or {} for name in ("ratings", "predictions")]
    names = [[each["name"] for each in file.get("columns", [])] for file in files]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]


def _choose(desk: Desk, id: str, form: dict[str, str]) -> str:
    """Take in the roles and options of a form, then look or evaluate; the note to show."""
    record, look = desk.folder.get(id), desk.folder.told(id, "look.json") or {}
    if form.get("seen") != seen_columns(look):
        return "elsewhere"
    if "proposal" in form:
        offered = {str(place): each for place, each in enumerate(look.get("proposals", []))}
        if form["proposal"] not in offered:
            raise RefusedError(422, "This was proposed for files that were read otherwise.")
        desk.look(id, taken(offered[form["proposal"]], record.reading, (*NAMED, "sets")))
        return "read"
    reading = _reading(form, look, record.reading)
    if reading != record.reading or form.get("action") == "look":
        desk.look(id, reading)
        return "read"
    options = read_options(
        {
            name.removeprefix("option-"): value
            for name, value in form.items()
            if name.startswith("option-")
        }
    )
    gates = read_gates(form.get("require", "").splitlines(), form.get("baseline"))
    desk.evaluate(id, options, gates)
    return ""


def _reading(form: dict[str, str], look: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What a form says of the files."""
    said = {
        name.removeprefix("reading-"): value
        for name, value in form.items()
        if name.startswith("reading-")
    }
    kept = {name: value for name, value in before.items() if name not in said}
    try:
        reading = kept | read_reading(said)
    except HeadcountError as error:
        raise RefusedError(422, str(error)) from error
    of_ratings = _roles(form, look, "ratings", RATINGS_ROLES)
    problem = twice_chosen(of_ratings)
    if problem:
        raise RefusedError(422, problem)
    # A path into nested JSON says more than a role of what was seen as a column.
    paths = {name: path for name in PATHS if (path := form.get(f"path-{name}", "").strip())}
    reading = as_reading(of_ratings, look, reading) | read_reading(paths)
    return with_answers(_roles(form, look, "predictions", PREDICTIONS_ROLES), look, reading)


def _roles(
    form: dict[str, str], look: dict[str, Any], file: str, known: dict[str, str]
) -> dict[str, str]:
    columns = (look.get(file) or {}).get("columns", [])
    given = {
        each["name"]: form[f"{file}-{place}"]
        for place, each in enumerate(columns)
        if f"{file}-{place}" in form
    }
    if not set(given.values()) <= set(known):
        raise RefusedError(422, "A column has a role that there is not.")
    return given
