"""The same for scripts: JSON in and out, described by OpenAPI."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Security
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response

from headcount.web.choices import read_options, read_reading
from headcount.web.comparing import compared, pair, paired
from headcount.web.desk import Desk
from headcount.web.gates import MOST, MOST_LETTERS, read_gates
from headcount.web.limits import not_there
from headcount.web.pages import attachment
from headcount.web.record import ID
from headcount.web.uploads import Gate, receive_files

ABOUT = """\
What `headcount serve` does, for scripts. Every request has the key that the address ends in:
`Authorization: Bearer KEY`. What is refused comes with `{"error": "a sentence"}`.
"""
StudyId = Annotated[str, Path(pattern=f"^{ID.pattern}$", description="The id of a study.")]
ComparedId = Annotated[str, Query(pattern=f"^{ID.pattern}$", description="The id of a study.")]
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["ratings"],
                    "properties": {
                        "ratings": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                            "description": "What people said: one file or several.",
                        },
                        "predictions": {"type": "string", "format": "binary"},
                        "gold": {"type": "string", "format": "binary"},
                        "title": {"type": "string", "maxLength": 200},
                    },
                }
            }
        },
    }
}


class Refused(BaseModel):
    """Why nothing was done."""

    error: str = Field(description="One sentence: what is wrong, and what to do.")


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refused, "description": words}
    for status, words in {
        400: "Damaged",
        401: "Without the key",
        403: "Sent by another page",
        404: "Not here",
        409: "Not now",
        413: "Too large",
        415: "Not a form",
        422: "Not possible",
        429: "Too much at once",
        507: "No room",
    }.items()
}


class Progress(BaseModel):
    """How far the work on a study is."""

    step: str
    done: int
    of: int
    seconds: float
    before: int


class File(BaseModel):
    """A file as it came."""

    name: str
    sha256: str
    size: int


class Required(BaseModel):
    """A requirement, and what became of it."""

    text: str
    met: bool
    sentences: list[str] = Field(description="What is not met, a sentence a classifier.")


class Held(BaseModel):
    """What became of the requirements of a finished study."""

    sentence: str
    met: bool
    requirements: list[Required]
    since: dict[str, Any] | None = Field(description="What changed since the baseline, a table.")


class Study(BaseModel):
    """A study: its files, what was chosen, and how far it is."""

    id: str
    title: str
    created: str
    ratings: list[File]
    predictions: File | None
    gold: File | None
    reading: dict[str, Any]
    options: dict[str, Any]
    require: list[str]
    baseline: str | None
    state: str
    sentence: str
    seconds: float | None
    again_of: str | None
    command: str
    progress: Progress | None
    gates: Held | None


class Listed(BaseModel):
    """A study in a list."""

    id: str
    title: str
    created: str
    state: str
    files: str
    verdict: str
    again_of: str | None


class Studies(BaseModel):
    """Some of the studies, and how many there are in all."""

    found: int
    studies: list[Listed]


class _Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reading(_Wish):
    """What is said of the files, by the names of the command line's options."""

    reading: dict[str, Any] = Field(default_factory=dict)


class Choice(_Wish):
    """The options of an evaluation, by the names of the command line's options.

    `require` are requirements as `--require` has them; `baseline` is a finished study to compare
    with, which requirements may name.
    """

    options: dict[str, Any] = Field(default_factory=dict)
    require: list[Annotated[str, Field(max_length=MOST_LETTERS)]] = Field(
        default_factory=list, max_length=MOST, examples=[["gpt:>=3", "agree>=baseline-1%"]]
    )
    baseline: str | None = Field(default=None, pattern=f"^{ID.pattern}$")


class Title(_Wish):
    """Another title."""

    title: str = Field(min_length=1, max_length=200)


def router(desk: Desk, gate: Gate) -> APIRouter:
    """The routes for scripts."""
    key = HTTPBearer(auto_error=False, description="The key in the address that was printed.")
    routes = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Security(key)])

    @routes.get("/studies", tags=["studies"], response_model=Studies)
    def studies(
        search: Annotated[str, Query(max_length=200)] = "",
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    ) -> dict[str, Any]:
        """The studies in which all words of a text occur, newest first."""
        index = desk.folder.index
        found = index.search(search, limit=limit, offset=offset)
        return {"found": index.count(search), "studies": [vars(each) for each in found]}

    @routes.post(
        "/studies", tags=["studies"], status_code=201, response_model=Study, openapi_extra=_FORM
    )
    async def add(request: Request) -> dict[str, Any]:
        """Upload ratings, and predictions and gold where they are apart; they are looked at."""
        with gate:
            received = await receive_files(request, desk.folder, desk.limits, keys=None)
            try:
                record = await run_in_threadpool(
                    desk.add, received.files, received.fields.get("title", "")
                )
            finally:
                received.drop()
        return desk.told(record.id)

    @routes.get("/studies/{id}", tags=["studies"], response_model=Study)
    def study(id: StudyId) -> dict[str, Any]:
        """A study, and how far the work on it is."""
        return desk.told(id)

    @routes.patch("/studies/{id}", tags=["studies"], response_model=Study)
    def rename(id: StudyId, wish: Title) -> dict[str, Any]:
        """Give a study another title."""
        return desk.told(desk.rename(id, wish.title).id)

    @routes.delete("/studies/{id}", tags=["studies"], status_code=204)
    def delete(id: StudyId) -> Response:
        """Delete a study for good."""
        desk.delete(id)
        return Response(status_code=204)

    @routes.get("/studies/{id}/understood", tags=["studies"])
    def understood(id: StudyId) -> dict[str, Any]:
        """How the files of a study were understood: columns, roles, or the refusal."""
        found = desk.folder.told(desk.folder.get(id).id, "look.json")
        if not isinstance(found, dict):
            raise not_there("look at the files")
        return found

    @routes.post("/studies/{id}/look", tags=["studies"], status_code=202, response_model=Study)
    def look(id: StudyId, wish: Reading) -> dict[str, Any]:
        """Look at the files anew, with other things said of them."""
        return desk.told(desk.look(id, read_reading(wish.reading)).id)

    @routes.post("/studies/{id}/evaluate", tags=["studies"], status_code=202, response_model=Study)
    def evaluate(id: StudyId, wish: Choice) -> dict[str, Any]:
        """Evaluate a study in a process of its own; ask for the study to see how far it is."""
        gates = read_gates(wish.require, wish.baseline)
        return desk.told(desk.evaluate(id, read_options(wish.options), gates).id)

    @routes.post("/studies/{id}/cancel", tags=["studies"], response_model=Study)
    def cancel(id: StudyId) -> dict[str, Any]:
        """Stop what is being done on a study."""
        return desk.told(desk.cancel(id).id)

    @routes.post("/studies/{id}/again", tags=["studies"], status_code=201, response_model=Study)
    def again(id: StudyId) -> dict[str, Any]:
        """A new study of the same files, to be run with other options."""
        return desk.told(desk.again(id).id)

    @routes.get("/studies/{id}/files/{what}", tags=["studies"], response_class=FileResponse)
    def file(id: StudyId, what: str) -> Response:
        """A file of a finished study: report, result, classifiers, summary, ratings, baseline."""
        return attachment(desk, id, what)

    @routes.get("/compare", tags=["compare"])
    def compare(first: ComparedId, second: ComparedId) -> dict[str, Any]:
        """Two finished studies side by side: what was chosen otherwise, what that changed."""
        return {**compared(desk, first, second), **paired(desk, first, second)}

    @routes.post("/compare", tags=["compare"], status_code=202)
    def compare_pairs(first: ComparedId, second: ComparedId) -> dict[str, Any]:
        """Compare two runs on the same ratings item by item, in a process of its own."""
        pair(desk, first, second)
        return paired(desk, first, second)

    return routes
