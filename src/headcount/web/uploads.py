"""Forms, with files and without: read as they come, each file straight to disk, all bounded."""

import threading
from dataclasses import dataclass, field
from itertools import chain
from types import TracebackType
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from headcount.results import plain
from headcount.web.folder import Folder, Incoming, no_room
from headcount.web.guard import FORM_FIELD, Keys, too_large
from headcount.web.limits import Limits, RefusedError

# The fields that hold files; the first may hold several.
FILES = ("ratings", "predictions", "gold")

# How many files of ratings a study may have.
MOST_FILES = 100

# Bytes of a field that is no file: a long list of names.
_MOST_FIELD = 64 << 10

# Parts of a form: its files, and a few fields beside them.
_MOST_PARTS = MOST_FILES + 20

# Bytes of a part's header, which has a name in it and no more.
_MOST_HEADER = 8 << 10

# Letters of a file's name that are kept: file systems take 255 bytes.
_MOST_NAME = 200


class Gate:
    """Lets in so many uploads at once; further ones are told to come again."""

    def __init__(self, most: int) -> None:
        self._most, self._free = most, threading.BoundedSemaphore(most)

    def __enter__(self) -> None:
        if not self._free.acquire(blocking=False):
            raise RefusedError(
                429, f"{self._most} uploads are under way already: try again in a moment."
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._free.release()


@dataclass
class Received:
    """What a form brought: texts by name, and files that are still to be kept."""

    fields: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[Incoming]] = field(default_factory=dict)

    def drop(self) -> None:
        """Leave nothing behind of what was not kept."""
        for each in chain(*self.files.values()):
            each.drop()


async def receive_files(
    request: Request, folder: Folder, limits: Limits, *, keys: Keys | None
) -> Received:
    """Read a form with files. `keys` are given where the form must prove to be ours.

    Nothing is left behind where anything goes wrong; else the caller keeps or drops the files.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 200:
        raise RefusedError(415, "Send the files as a form (multipart/form-data).")
    reading = _Reading(folder, limits, keys)
    parser = MultipartParser(boundary, reading.callbacks())  # type: ignore[arg-type]
    try:
        async for piece in request.stream():
            parser.write(piece)
        parser.finalize()
        reading.check_whole()
    except FormParserError as error:
        reading.received.drop()
        raise RefusedError(400, "The form arrived damaged: send it again.") from error
    except ClientDisconnect as error:
        reading.received.drop()
        raise RefusedError(400, "The upload was broken off.") from error
    except OSError as error:
        reading.received.drop()
        raise no_room(folder.path) from error
    except BaseException:
        reading.received.drop()
        raise
    return reading.received


class _Reading:
    """The parts of one form, as the parser finds them."""

    def __init__(self, folder: Folder, limits: Limits, keys: Keys | None) -> None:
        self._folder, self._limits, self._keys = folder, limits, keys
        self.received = Received()
        self._parts = 0
        self._whole = False
        self._header = bytearray()
        self._value = bytearray()
        self._headers: dict[str, str] = {}
        self._name = ""
        self._text = bytearray()
        self._file: Incoming | None = None

    def callbacks(self) -> dict[str, object]:
        """What the parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, a, b: self._grow(self._header, data[a:b], _MOST_HEADER),
            "on_header_value": lambda data, a, b: self._grow(self._value, data[a:b], _MOST_HEADER),
            "on_header_end": self._header_end,
            "on_headers_finished": self._start,
            "on_part_data": lambda data, a, b: self._more(data[a:b]),
            "on_part_end": self._end,
            "on_end": self._all,
        }

    def check_whole(self) -> None:
        """Stop at a form that was cut off."""
        if not self._whole:
            raise RefusedError(400, "The form arrived damaged: send it again.")

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise RefusedError(400, f"A form has at most {_MOST_PARTS} parts.")
        self._headers, self._file = {}, None
        self._header, self._value, self._text = bytearray(), bytearray(), bytearray()

    def _grow(self, buffer: bytearray, piece: bytes, most: int) -> None:
        if len(buffer) + len(piece) > most:
            raise RefusedError(400, "A part of the form has too long a name.")
        buffer += piece

    def _header_end(self) -> None:
        name = self._header.decode("latin-1").strip().lower()
        self._headers[name] = self._value.decode("latin-1")
        self._header, self._value = bytearray(), bytearray()

    def _start(self) -> None:
        kind, options = parse_options_header(self._headers.get("content-disposition", ""))
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        if kind != b"form-data" or not self._name:
            raise RefusedError(400, "A part of the form has no name.")
        filename = options.get(b"filename")
        if filename is None:
            return
        before = self.received.files.setdefault(self._name, [])
        most = {FILES[0]: MOST_FILES}.get(self._name, 1)
        if self._name not in FILES or len(before) >= most:
            raise RefusedError(
                400,
                f"Files are sent as ratings (up to {MOST_FILES} of them), predictions and gold.",
            )
        if self._keys and not self._keys.is_form(self.received.fields.get(FORM_FIELD)):
            raise RefusedError(403, "This form is not headcount's own: open the page again.")
        shown = plain(filename.decode("utf-8", "replace"))[-_MOST_NAME:]
        if shown:  # a field that was left empty has no name
            from headcount.door.files import check_kind  # loads Arrow: a server starts without it

            check_kind(shown)
        self._file = self._folder.incoming(shown)
        before.append(self._file)

    def _more(self, piece: bytes) -> None:
        if self._file is None:
            self._grow(self._text, piece, _MOST_FIELD)
        elif self._file.size + len(piece) > self._limits.upload:
            raise too_large(self._limits)
        else:
            self._file.write(piece)

    def _end(self) -> None:
        if self._file is None:
            self.received.fields[self._name] = self._text.decode("utf-8", "replace")
        elif self._file.size == 0:
            # A browser sends a file of no size for a field that was left empty.
            self.received.files[self._name].pop().drop()

    def _all(self) -> None:
        self._whole = True


# Fields of a form without files: one for each column, and the options.
_MOST_FIELDS = 2_000


async def read_form(request: Request, keys: Keys) -> dict[str, str]:
    """The fields of a form that one of our pages sent."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedError(415, "Send this as a form.")
    try:
        text = (await request.body()).decode("utf-8", "replace")
        found = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except (ValueError, ClientDisconnect) as error:
        raise RefusedError(400, "The form arrived damaged: send it again.") from error
    if not keys.is_form(found.pop(FORM_FIELD, None)):
        raise RefusedError(403, "This form is not headcount's own: open the page again.")
    return found
