"""What a command takes of the machine: threads, memory, and time to tidy up."""

import gc
import os
import sys
from contextlib import suppress

_USUAL = gc.get_threshold()
_COLLECTED_AFTER = 1_000_000
"""New objects after which Python looks for some that only hold each other. A command makes few
such, and looking after every 700, as usual, costs a fifteenth of its time; once after 200,000,
a fortieth."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # as malloc.h has them


def keep_to_one_thread() -> None:
    """Let linear algebra use one thread, unless the user has said otherwise.

    Our matrices are small: threads that wait for their share of one turn in circles and take
    the processor from the rest. It must be said before NumPy is loaded.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


def collect_seldom() -> None:
    """Have Python look seldom for objects that only hold each other."""
    gc.set_threshold(_COLLECTED_AFTER)


def collect_as_usual() -> None:
    """The opposite, for a command that stays."""
    gc.set_threshold(*_USUAL)


def keep_memory() -> None:
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
