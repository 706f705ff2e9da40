"""The command line: one file a command; heavy imports wait until a command runs."""

import atexit
import errno
import gc
import io
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

_COLLECTED_AFTER = 1_000_000
"""New objects after which Python looks for some that only hold each other. A command makes few
such, and looking after every 700, as usual, costs a fifteenth of its time; once after 200,000,
a fortieth."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # as malloc.h has them


def run() -> NoReturn:
    """The command as a process of its own: `main`, and out at once.

    Everything that must be left in order is (temporary folders, what was printed). Taking apart
    what is only in memory, table by table, would cost a tenth of the time of a usual command.
    """
    if type(sys.stdout) is io.TextIOWrapper and sys.platform != "win32":
        sys.stdout = _heard_or_not(sys.stdout)
    signal.signal(signal.SIGTERM, _stopped)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        _end(_code())


def _stopped(number: int, _frame: Any) -> NoReturn:
    """Leave nothing behind when somebody ends the command: `timeout`, a job that is cancelled."""
    sys.exit(128 + number)


def _code() -> int:
    """Run the command; the code it ends with."""
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _end(code: int) -> NoReturn:
    atexit._run_exitfuncs()
    failure = _unwritten()
    if failure is not None and code == 0:
        _tell(failure)
    os._exit(code or int(failure is not None))


class _HeardOrNot(io.FileIO):
    """A stream whose reader may leave (head, less): what it does not want to hear is dropped.

    The command goes on to its end, so that its exit code is the one that was asked for.
    """

    def write(self, text: Any) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            return memoryview(text).nbytes


def _heard_or_not(stream: io.TextIOWrapper) -> io.TextIOWrapper:
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


def _unwritten() -> OSError | None:
    """Write out what was printed; why that fails, if it does. That a reader left is no fault."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):  # its reader left, or it is closed already
            continue
        except OSError as error:
            return error
    return None


def _tell(failure: OSError) -> None:
    print(f"headcount: what was printed cannot be written: {failure.strerror}.", file=sys.stderr)


def main() -> None:
    """Run the command line; bad input ends in one sentence and exit code 1."""
    _keep_to_one_thread()
    if sys.argv[1:2] != ["serve"]:  # which stays
        _keep_memory()
        gc.set_threshold(_COLLECTED_AFTER)
    from headcount.cli.app import app
    from headcount.errors import HeadcountError

    try:
        app()
    except HeadcountError as error:
        from headcount.results.escaping import plain

        with suppress(BrokenPipeError):
            print(f"headcount: {plain(str(error))}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _tell(error)
        sys.exit(1)


def _keep_to_one_thread() -> None:
    """Let linear algebra use one thread, unless the user has said otherwise.

    Our matrices are small: threads that wait for their share of one turn in circles and take
    the processor from the rest. It must be said before NumPy is loaded.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


def _keep_memory() -> None:
    """Have the C library keep what was freed for the next array, instead of handing it back.

    Arrays of some megabytes come and go all the time; each would be new pages, filled with zeros
    by the system. It concerns arrays of up to 32 MB: what lies below others stays with a command
    to its end. Other systems have other ways.
    """
    if sys.platform != "linux":
        return
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        adjust = ctypes.CDLL(None).mallopt
        adjust(_MMAP_THRESHOLD, 32 << 20)
        adjust(_TRIM_THRESHOLD, 64 << 20)
