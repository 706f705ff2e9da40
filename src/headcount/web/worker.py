"""The process that does one job: `python -m headcount.web.worker`, its orders on standard input.

It loads everything first, so that one can be kept waiting; then it reads one line of orders,
binds itself to the limits in them, works, and ends. What it has to say goes to standard output,
a line of JSON each: {"step", "done", "of"}, at last {"ended"} with a sentence where it failed.
Standard input ends when the server does, and so does the worker.
"""

import contextlib
import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

# How long a sentence of an unforeseen error may be.
_PRESENT = 200


def main() -> None:
    """Do one job."""
    # Results go through a pipe of our own: whatever libraries print must not get among them.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    from headcount.web import tasks

    line = sys.stdin.readline()
    if not line:
        return
    threading.Thread(target=_end_with_the_server, daemon=True).start()

    def say(**told: Any) -> None:
        out.write(json.dumps(told, ensure_ascii=False) + "\n")
        out.flush()

    def tell(step: str, done: int, of: int) -> None:
        say(step=step, done=done, of=of)

    orders = json.loads(line)
    if orders["task"] == "plan":
        say(**_plan(orders))
    else:
        say(ended=_done(tasks, orders, tell))


def _plan(orders: dict[str, Any]) -> dict[str, Any]:
    """A plan that takes its time, as a calculator shows it."""
    from headcount.errors import HeadcountError
    from headcount.web.plans import PLANS, computed

    bind(orders["memory"], orders["unpacked"])
    try:
        return {"answer": computed(PLANS[orders["plan"]], orders["given"])}
    except HeadcountError as error:
        return {"ended": str(error)}
    except MemoryError:
        return {"ended": out_of_memory(orders["memory"])}


def _done(tasks: Any, orders: dict[str, Any], tell: Any) -> str:
    """The job, done; the sentence that says why where it is not."""
    from headcount.errors import HeadcountError

    # Whatever is unpacked or spilled goes where the server clears up.
    os.chdir(orders["place"])
    tempfile.tempdir = orders["place"]
    try:
        bind(orders["memory"], orders["unpacked"])
        if orders["task"] == "pair":
            from headcount.web.comparing import compare_pairs

            compare_pairs(orders, tell)
            return ""
        folder = Path(orders["folder"])
        if orders["task"] == "look":
            tasks.look_at(folder, orders)
        else:
            tasks.evaluate_study(folder, orders, tell)
    except HeadcountError as error:
        return str(error)
    except MemoryError:
        return out_of_memory(orders["memory"])
    except Exception as error:  # a fault of ours, told as one instead of a silent end
        import traceback

        traceback.print_exc()
        what = f"{type(error).__name__}: {error}"[:_PRESENT]
        return (
            f"This stopped at an error that headcount did not foresee ({what}): please report it."
        )
    return ""


def bind(memory: int, file_size: int) -> None:
    """Let the system hold this process to its limits, where the system can."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, file_size)):
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (bound, bound))


def out_of_memory(memory: int) -> str:
    """Why an evaluation ended, where it was memory."""
    from headcount.web.limits import size_text

    return (
        f"This needed more memory than the {size_text(memory)} it may have: use the command line, "
        "or raise the limit with --memory."
    )


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
