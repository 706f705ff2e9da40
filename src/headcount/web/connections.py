"""Connections to the server: how long one may say nothing, and how many there may be."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

# Seconds in which a new connection has to bring a whole head of a request: browsers take
# milliseconds, and each connection that never does holds a handle of the system.
_SILENCE = 10.0

# Handles that are kept for files, workers and the database, of those a process may have.
_SPARE = 64
_FEWEST, _MOST = 16, 1_000
"""A browser opens six at a time; nobody needs a thousand."""


class BoundedConnection(H11Protocol):
    """A connection that is closed where it asks nothing, and gives way where there are too many.

    Without this, connections that were opened and say nothing stay for good, and a few hundred
    take every handle that the system gives the server.
    """

    most: ClassVar[int] = _MOST

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it in; the longest silent one goes where there is no room."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(_SILENCE, self._close_if_silent)
        if len(self.connections) > self.most:
            silent = [each for each in _opened(self.connections) if each.is_silent]
            (silent[0] if silent else self).transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._clock.cancel()
        super().connection_lost(exc)

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered on it."""
        return not self._has_asked or self.cycle.response_complete

    @property
    def _has_asked(self) -> bool:
        """Whether a whole head of a request has come: until then there is no cycle."""
        return bool(self.cycle)

    def _close_if_silent(self) -> None:
        if not self._has_asked:
            self.transport.close()


def _opened(connections: Any) -> list[BoundedConnection]:
    """The connections, the one whose clock ends first before the others."""
    return sorted(
        (each for each in connections if not each.transport.is_closing()),
        key=lambda each: each._clock.when(),
    )


def most_connections() -> int:
    """How many connections there may be, by the handles that a process may have here."""
    try:
        import resource
    except ImportError:  # not on this system
        return _MOST
    handles = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if handles == resource.RLIM_INFINITY:
        return _MOST
    return max(_FEWEST, min(_MOST, handles - _SPARE))
