"""The command line; heavy imports wait until a command runs."""

import atexit
import errno
import io
import os
import sys
from contextlib import suppress
from typing import NoReturn

from headcount.cli import process


def run() -> NoReturn:
    """The command as a process of its own: `main`, and out at once.

    Everything that must be left in order is (temporary folders, what was printed). Taking apart
    what is only in memory, table by table, would cost a tenth of the time of a usual command.
    """
    if type(sys.stdout) is io.TextIOWrapper and sys.platform != "win32":
        sys.stdout = process.heard_or_not(sys.stdout)
    process.end_when_asked()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        _end(_code())


def _code() -> int:
    """Run the command; the code it ends with."""
    code = 0
    try:
        main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        # What was broken off in the middle may fail in any way before it is heard of.
        if not process.asked_to_end():
            raise
    return process.asked_to_end() or code


def _end(code: int) -> NoReturn:
    atexit._run_exitfuncs()
    failure = process.unwritten()
    if failure is not None and code == 0:
        process.tell_unwritten(failure)
    os._exit(code or int(failure is not None))


def main() -> None:
    """Run the command line; bad input ends in one sentence and exit code 1."""
    process.keep_to_one_thread()
    from headcount.cli.app import app
    from headcount.errors import HeadcountError

    try:
        app()
    except HeadcountError as error:
        from headcount.results.table import plain

        with suppress(BrokenPipeError):
            print(f"headcount: {plain(str(error))}", file=sys.stderr)
        sys.exit(1)
    except MemoryError:
        print(
            "headcount: this needs more memory than it may take: say how much counting may have, "
            "such as HEADCOUNT_MEMORY=2GB (the rest is put on the disk), or raise the limit.",
            file=sys.stderr,
        )
        sys.exit(1)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        process.tell_unwritten(error)
        sys.exit(1)
