"""A command as a process: its threads, a reader who leaves, and an end at any moment.

A signal raises an exception where the command happens to be. At a few such places Python drops it
(while a compiled module is loaded, or a process is forked), and the command would go on as if
nobody had asked. It is asked again then, until it heeds.
"""

import io
import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

_ASKED_AGAIN = 0.2
"""Seconds after which a command that goes on is asked again."""

_CAN_ASK_AGAIN = hasattr(signal, "setitimer")  # not on Windows

_asked = 0  # the number of the signal
_stays = False


def keep_to_one_thread() -> None:
    """Let linear algebra use one thread, unless the user has said otherwise.

    Our matrices are small: threads that wait for their share of one turn in circles and take
    the processor from the rest. It must be said before NumPy is loaded.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


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


def tell_unwritten(failure: OSError) -> None:
    """That what was printed is lost."""
    print(f"headcount: what was printed cannot be written: {failure.strerror}.", file=sys.stderr)


def end_when_asked() -> None:
    """Have the command end when it is asked to, from here on."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is not for us
        signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    for name in ("SIGHUP", "SIGQUIT"):  # a terminal that closes, Ctrl-\; not on Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores it
            signal.signal(number, _stop)
    if _CAN_ASK_AGAIN:
        signal.signal(signal.SIGALRM, _ask_again)
    sys.unraisablehook = _drop


def leave_to_server() -> None:
    """Ask once only: a command that stays, such as a server, ends in its own way."""
    global _stays
    _stays = True


def asked_to_end() -> int:
    """The code that says that the command was asked to end; 0 where it was not. It has ended."""
    if _CAN_ASK_AGAIN:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return 0 if _stays or not _asked else 128 + _asked


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    global _asked
    _asked = number
    _again()
    _raise()


def _raise() -> NoReturn:
    if _asked == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + _asked)


def _again() -> None:
    if _CAN_ASK_AGAIN and not _stays:
        signal.setitimer(signal.ITIMER_REAL, _ASKED_AGAIN)


def _ask_again(_number: int, _frame: FrameType | None) -> None:
    """Ask again, unless the command is about to end and tidies up."""
    _again()
    if not _is_ending(sys.exc_info()[1]):
        _raise()


def _is_ending(error: BaseException | None) -> bool:
    """Whether an exception that is being handled comes of having been asked to end.

    >>> _is_ending(KeyboardInterrupt()), _is_ending(ValueError())
    (True, False)
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            return True
        error = error.__cause__ or error.__context__
    return False


def _drop(dropped: Any) -> None:
    """Say nothing of what Python dropped when somebody asked: the command is asked again."""
    if not (_asked and _is_ending(dropped.exc_value)):
        sys.__unraisablehook__(dropped)
