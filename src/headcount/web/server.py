"""The server: one app, bound to this machine, with a key in its address."""

import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp

from headcount._version import __version__
from headcount.errors import HeadcountError, InputError, OptionError
from headcount.frozen import frozen
from headcount.results import Table
from headcount.results.files import write_content
from headcount.web import api as scripts
from headcount.web import calculators, pages
from headcount.web.connections import BoundedConnection, most_connections
from headcount.web.desk import Desk
from headcount.web.folder import Folder
from headcount.web.guard import Guard, Keys, Place, is_loopback, wants_json
from headcount.web.jobs import Jobs
from headcount.web.limits import Limits, RefusedError
from headcount.web.rendering import SCRIPTS, Pages, asset
from headcount.web.uploads import Gate

# Registered for nothing that is in use; where it is taken any free one is.
PORT = 8731
_NOT_HERE = "There is no such page here."


@frozen
class Serving:
    """An app with what it is made of."""

    app: ASGIApp
    api: FastAPI
    keys: Keys
    place: Place
    desk: Desk

    @property
    def address(self) -> str:
        """What to open in a browser, with the key."""
        return f"{self.place.address}/?key={self.keys.key}"

    def close(self) -> None:
        """Stop all work and let go of the folder."""
        self.desk.jobs.close()
        self.desk.folder.close()


def create(
    folder: Path,
    *,
    place: Place | None = None,
    limits: Limits | None = None,
    key: str | None = None,
) -> Serving:
    """An app on a folder of studies, guarded."""
    place, limits = place or Place("127.0.0.1", PORT), limits or Limits()
    keys = Keys() if key is None else Keys(key)
    desk = Desk(Folder(folder, most=limits.studies), Jobs(limits), limits)
    shown, gate = Pages(keys), Gate(limits.uploads_at_once)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.jobs.close()

    api = FastAPI(
        title="headcount",
        description=scripts.ABOUT,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    api.include_router(pages.router(desk, shown, keys, gate))
    api.include_router(scripts.router(desk, gate))
    api.include_router(calculators.router(shown, limits))
    _add_assets(api)
    _add_description(api, shown, place)
    _add_refusals(api, shown)
    return Serving(Guard(api, keys, place, limits), api, keys, place, desk)


def _add_assets(api: FastAPI) -> None:
    @api.get("/static/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        if name not in SCRIPTS:
            raise RefusedError(404, _NOT_HERE)
        headers = {"cache-control": "private, max-age=600"}
        return Response(asset(name), media_type=SCRIPTS[name], headers=headers)


def _add_description(api: FastAPI, shown: Pages, place: Place) -> None:
    @api.get("/scripts", include_in_schema=False)
    def described() -> Response:
        rows = tuple(
            (method.upper(), path, _first_line(about))
            for path, methods in api.openapi()["paths"].items()
            for method, about in methods.items()
        )
        columns = ("how", "address", "what it does")
        table = Table("What can be asked for", columns, rows, id="routes")
        return HTMLResponse(shown.show("scripts", routes=table, address=place.address))


def _first_line(about: dict[str, Any]) -> str:
    return str(about.get("description", "")).partition("\n")[0]


def _add_refusals(api: FastAPI, shown: Pages) -> None:
    """Whatever is refused: a sentence, as JSON for scripts and as a page for people."""

    def answer(request: Request, status: int, sentence: str) -> Response:
        if wants_json(request.scope):
            return JSONResponse({"error": sentence}, status)
        return HTMLResponse(shown.show("refused", sentence=sentence), status)

    @api.exception_handler(HeadcountError)
    async def refused(request: Request, error: HeadcountError) -> Response:
        status = 422 if isinstance(error, OptionError) else 400
        return answer(request, getattr(error, "status", status), str(error))

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        return answer(request, 422, f"{where[:100]}: {first['msg']}.")

    @api.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        known = {404: _NOT_HERE, 405: "This cannot be asked for in this way."}
        sentence = known.get(error.status_code, str(error.detail))
        response = answer(request, error.status_code, sentence)
        response.headers.update(error.headers or {})
        return response

    @api.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        return answer(
            request,
            500,
            "This stopped at an error that headcount did not foresee "
            f"({type(error).__name__}): please report it.",
        )


def default_folder() -> Path:
    """Where studies are kept where nothing else is said: the user's data folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "headcount"


def bound(host: str, port: int | None) -> socket.socket:
    """A socket to listen on: the port asked for; without one the usual, or any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for attempt in (PORT, 0) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, attempt))
            return listening
        except (OSError, OverflowError) as error:
            listening.close()
            problem = error
    raise InputError(
        f"Port {port or PORT} of {host} cannot be used ({problem}): name another with --port."
    )


def _leading_to(address: str) -> str:
    """A page that leads on to the address: a browser's command line, which every user of the
    machine can read, then holds the name of a private file and not the key.
    """
    return (
        '<!doctype html><meta charset="utf-8"><title>headcount</title>'
        f'<meta http-equiv="refresh" content="0; url={address}">'
        f'<a href="{address}">Open headcount</a>\n'
    )


def serve(
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    folder: Path | None = None,
    open_browser: bool = True,
    expose: bool = False,
    limits: Limits | None = None,
) -> None:
    """Serve until stopped; print the address first, and open it unless told not to."""
    if not is_loopback(host) and not expose:
        raise OptionError(
            f"--host {host} would let other machines in, with everything in the folder: say "
            "--expose too if that is what you want."
        )
    listening = bound(host, port)
    os.umask(0o077)  # what this server and its workers write is for its user alone
    try:
        place = Place(host, listening.getsockname()[1])
        serving = create(folder or default_folder(), place=place, limits=limits)
    except BaseException:
        listening.close()
        raise
    if not place.loopback:
        print(
            "Warning: other machines can reach this. Whoever has the address can read and delete "
            "every study, and the connection is not encrypted.",
            file=sys.stderr,
        )
    print(f"headcount is at {serving.address}", flush=True)
    print(f"Studies are kept in {serving.desk.folder.path}. Stop with Ctrl-C.", flush=True)
    config = uvicorn.Config(
        serving.app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=30,
        http=type("Connection", (BoundedConnection,), {"most": most_connections()}),
    )
    door = serving.desk.folder.path / "open.html"
    try:
        if open_browser:
            write_content(door, _leading_to(serving.address), "The page that opens headcount")
            webbrowser.open(door.resolve().as_uri())
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        door.unlink(missing_ok=True)
        serving.close()
        listening.close()
    print("Stopped.", flush=True)
