"""Many small systems of equations are solved by one thread of BLAS each.

A step on matrices of a few hundred rows takes less than a millisecond. Shared between threads it
waits for the slowest of them, and on a busy machine, or in a container that may use fewer cores
than it sees, that wait is most of the time: a hundred times the work was measured.
"""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _pools() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Within it, BLAS uses one thread; afterwards as many as before."""
    limited: AbstractContextManager[Any] = _pools().limit(limits=1, user_api="blas")
    return limited
