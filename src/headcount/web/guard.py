"""Who may ask at all: the key, the Host header, the page that sends a form, the size of a request.

Another page in the same browser knows neither the key nor the form's token, and its requests say
where they come from; a name that an attacker points at this machine is not in the Host header.
"""

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import secrets
import socket
import time
from dataclasses import field
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headcount.frozen import frozen
from headcount.web.limits import Limits, RefusedError, size_text

# The name of the key in an address.
KEY = "key"

FORM_FIELD = "form_token"
FORM_HEADER = "x-headcount-form"

# Bytes of a refused body that are read on, so that the browser gets to see why.
_MOST_DRAINED = 4 << 30

# Seconds that reading on may take in all.
_PATIENCE = 30.0

# Seconds that a body which was announced may stand still before it is given up.
_SILENCE = 10.0
_SAFE = ("GET", "HEAD", "OPTIONS")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

# What the browser may do for our pages: run our scripts, and ask nobody but this server.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@frozen
class Keys:
    """The secrets of one server: the key in the address, and what is made from it."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def made(self, purpose: str) -> str:
        """A secret for one purpose, from which the key cannot be told."""
        return hmac.new(self.key.encode(), purpose.encode(), hashlib.sha256).hexdigest()

    @property
    def session(self) -> str:
        """What the cookie holds."""
        return self.made("session")

    @property
    def form(self) -> str:
        """What every form of ours holds."""
        return self.made("form")

    def is_form(self, given: str | None) -> bool:
        """Whether a form is ours."""
        return same(given, self.form)


def same(given: str | None, secret: str) -> bool:
    """Whether a text is the secret, in a time that tells nothing of it."""
    return given is not None and hmac.compare_digest(given.encode(), secret.encode())


@frozen
class Place:
    """Where a server listens, and by which names it may be called."""

    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """The address for a browser on this machine."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{_bracketed(host)}:{self.port}"

    def is_called(self, header: str) -> bool:
        """Whether a Host header names this server."""
        try:
            parts = urlsplit(f"//{header}")
            name, port = (parts.hostname or "").lower(), parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.path or parts.username is not None:
            return False
        if name in _LOOPBACK or name == self.host.lower():
            return True
        # A name can be pointed at us by anyone; a number or our own name cannot.
        return not self.loopback and (_is_number(name) or name == socket.gethostname().lower())


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Guard:
    """The middleware before everything: what does not pass is refused in a sentence."""

    def __init__(self, app: ASGIApp, keys: Keys, place: Place, limits: Limits) -> None:
        self._app, self._keys, self._place, self._limits = app, keys, place, limits
        self._cookie = f"headcount-{place.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then hand on with the headers that every answer has."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        body = Body(headers, receive, self._limits)
        guarded = _with_headers(send, body)
        try:
            answer = self._welcome(scope, headers)
            if answer is not None:
                await answer(scope, receive, guarded)
                return
            body.check_length()
            await self._app(scope, body.receive, guarded)
        except RefusedError as refusal:
            await refused(refusal, scope)(scope, receive, guarded)

    def _welcome(self, scope: Scope, headers: Headers) -> Response | None:
        """None where the request may go on, an answer where the key was in the address."""
        if not self._place.is_called(headers.get("host", "")):
            raise RefusedError(
                421, "This is not an address of headcount: open the one that it printed."
            )
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(KEY)
        if scope["method"] == "GET" and same(given, self._keys.key):
            return self._let_in(scope)
        scope.setdefault("state", {})["by_key"] = same(_bearer(headers), self._keys.key)
        if not scope["state"]["by_key"]:
            self._check_browser(scope, headers)
        return None

    def _check_browser(self, scope: Scope, headers: Headers) -> None:
        if not same(_cookie(headers, self._cookie), self._keys.session):
            raise RefusedError(
                401,
                "This page needs the key: open the address that headcount printed in the "
                "terminal, which ends in it.",
            )
        if scope["method"] in _SAFE:
            return
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        ours = origin is None or (
            self._place.is_called(origin.removeprefix("http://")) and origin.startswith("http://")
        )
        if not ours or site not in (None, "same-origin", "none"):
            raise RefusedError(
                403, "This was sent by another page: only headcount's own forms count."
            )
        if scope["path"].startswith("/api/") and not self._keys.is_form(headers.get(FORM_HEADER)):
            raise RefusedError(
                403, f"Scripts send the key (Authorization: Bearer …) or {FORM_HEADER}."
            )

    def _let_in(self, scope: Scope) -> Response:
        """To the same address without the key, which from now on is in a cookie."""
        rest = [
            pair
            for pair in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
            if pair[0] != KEY
        ]
        path = "/" + scope["path"].lstrip("/")
        target = path + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(target, status_code=303)
        answer.set_cookie(self._cookie, self._keys.session, httponly=True, samesite="strict")
        return answer


class Body:
    """What a request brings: cut off where it grows beyond what is taken.

    Where an answer is given before all of it has come, the rest is read and thrown away first:
    whoever still sends would else see a broken line in place of the sentence.
    """

    def __init__(self, headers: Headers, receive: Receive, limits: Limits) -> None:
        self._receive, self._limits = receive, limits
        self._length = headers.get("content-length", "0")
        self._files = headers.get("content-type", "").startswith("multipart/form-data")
        self._most = limits.body if self._files else limits.form
        self._seen = 0
        self._more = self._length != "0" or "transfer-encoding" in headers

    def check_length(self) -> None:
        """Stop before anything is read, where the request says how large it is."""
        if not self._length.isdigit():
            raise RefusedError(400, "The length of this request is not a number.")
        if int(self._length) > self._most:
            raise too_large(self._limits, files=self._files)

    async def receive(self) -> Message:
        """The next piece."""
        message = await self._next()
        if self._seen > self._most:
            raise too_large(self._limits, files=self._files)
        return message

    async def drain(self) -> None:
        """Read the rest and throw it away, up to a bound."""
        until = time.monotonic() + _PATIENCE
        with contextlib.suppress(RefusedError):  # it stands still: there is nothing to throw away
            while self._more and self._seen < _MOST_DRAINED and time.monotonic() < until:
                await self._next()

    async def _next(self) -> Message:
        try:
            message = await asyncio.wait_for(self._receive(), _SILENCE if self._more else None)
        except TimeoutError:
            self._more = False  # nothing is left to wait for
            raise RefusedError(
                408, f"Nothing more came of this request for {_SILENCE:g} seconds: send it again."
            ) from None
        self._seen += len(message.get("body", b""))
        self._more = message["type"] == "http.request" and bool(message.get("more_body"))
        return message


def too_large(limits: Limits, *, files: bool = True) -> RefusedError:
    """More was sent than is taken."""
    if not files:
        return RefusedError(413, f"A form is at most {size_text(limits.form)}.")
    return RefusedError(
        413,
        f"A file is at most {size_text(limits.upload)} here, and the files of a study "
        f"{size_text(limits.body - limits.form)} together: use the command line for larger ones, "
        "or raise it with --max-upload.",
    )


def wants_json(scope: Scope) -> bool:
    """Whether an answer is for a script."""
    return str(scope["path"]).startswith("/api/")


def refused(refusal: RefusedError, scope: Scope) -> Response:
    """A refusal as JSON for scripts, as a bare page for people."""
    headers = {"connection": "close"} if refusal.status in (408, 413) else None
    if wants_json(scope):
        return JSONResponse({"error": str(refusal)}, refusal.status, headers)
    from headcount.web.rendering import bare_page

    return HTMLResponse(bare_page(str(refusal)), refusal.status, headers)


def _bearer(headers: Headers) -> str | None:
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else None


def _cookie(headers: Headers, name: str) -> str | None:
    return cookie_parser(headers.get("cookie", "")).get(name)


def _with_headers(send: Send, body: Body) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            await body.drain()
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
