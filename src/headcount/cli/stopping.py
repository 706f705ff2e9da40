"""Ctrl-C, and a job that is cancelled: a command ends wherever it is, and leaves nothing behind.

A signal raises an exception where the command happens to be. At a few such places Python drops it
(while a compiled module is loaded, or a process is forked), and the command would go on as if
nobody had asked. It is asked again then, until it heeds.
"""

import signal
import sys
from types import FrameType
from typing import Any, NoReturn

_ASKED_AGAIN = 0.2
"""Seconds after which a command that goes on is asked again."""

_CAN_ASK_AGAIN = hasattr(signal, "setitimer")  # not on Windows

_asked = 0  # the number of the signal
_stays = False


def heed() -> None:
    """Have the command end when it is asked to, from here on."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is not for us
        signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    if _CAN_ASK_AGAIN:
        signal.signal(signal.SIGALRM, _ask_again)
    sys.unraisablehook = _drop


def leave_to_command() -> None:
    """Ask once only: a command that stays, such as a server, ends in its own way."""
    global _stays
    _stays = True


def code() -> int:
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
