"""Is one label always best? The paper's conjecture, swept over grids of its parameters.

Run it with `python -m research.sweep --help`; the figures of its runs stand in `docs/budget.md`.
"""

from research.sweep.conjecture import ConjectureSweep, sweep

__all__ = ["ConjectureSweep", "sweep"]
