"""What a command prints: readers that leave before its end, and what could not be written."""

import io
import sys
from typing import Any


class _HeardOrNot(io.FileIO):
    """A stream whose reader may leave (head, less): what it does not want to hear is dropped.

    The command goes on to its end, so that its exit code is the one that was asked for.
    """

    def write(self, text: Any) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            return memoryview(text).nbytes


def heard_or_not(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream for readers that may leave."""
    stream.flush()
    heard = _HeardOrNot(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        # Python was told (-u) to hold nothing back.
        heard if stream.write_through else io.BufferedWriter(heard),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def unwritten() -> OSError | None:
    """Write out what was printed; why that fails, if it does. That a reader left is no fault."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):  # its reader left, or it is closed already
            continue
        except OSError as error:
            return error
    return None


def tell(failure: OSError) -> None:
    """That what was printed is lost."""
    print(f"headcount: what was printed cannot be written: {failure.strerror}.", file=sys.stderr)
