"""The same states, sentences and numbers on every processor and with any number of threads.

Linear algebra and NumPy choose their code by the processor they find, and the last bits differ.
Other processors are played by telling both to use older code; what this one cannot run is left out.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.sameness import differences

WITHIN = 1e-8
"""What is promised of numbers; sentences and states are the same to the letter."""

_CODE = {
    "Prescott": "SSE3",
    "Haswell": "AVX2",
    "Zen": "AVX2",
    "SkylakeX": "AVX512_SKX",
}
"""What a processor must have to run OpenBLAS's code for that one, as NumPy names it."""


def _features() -> dict[str, bool]:
    """What this processor has; NumPy moved the list in its second version."""
    try:
        from numpy._core._multiarray_umath import __cpu_features__ as found
    except ImportError:
        from numpy.core._multiarray_umath import __cpu_features__ as found
    return dict(found)


def _newest_code() -> str:
    """The parts of NumPy that are written for newer processors than Haswell, to be left unused."""
    try:
        from numpy._core._multiarray_umath import __cpu_dispatch__ as dispatched
    except ImportError:
        from numpy.core._multiarray_umath import __cpu_dispatch__ as dispatched
    return " ".join(each for each in dispatched if "512" in each or each == "X86_V4")


def _evaluated(folder: Path | None, **environment: str) -> dict[str, Any]:
    """Every evaluation as a process with these variables says it."""
    command = [sys.executable, "-W", "error", "-m", "tests.machines.evaluations"]
    run = subprocess.run(
        [*command, *([str(folder)] if folder else [])],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def _other_machines() -> dict[str, dict[str, str]]:
    """Environments that play other processors, and this one with two threads."""
    has = _features()
    played = {
        name: {"OPENBLAS_CORETYPE": name}
        for name, needed in _CODE.items()
        if has.get(needed, False)
    }
    if "Haswell" in played and _newest_code():
        played["Haswell"]["NPY_DISABLE_CPU_FEATURES"] = _newest_code()
    return {**played, "two threads": {"OPENBLAS_NUM_THREADS": "2"}}


def _assert_machines_agree(folder: Path | None = None) -> None:
    here = _evaluated(folder)
    for machine, environment in _other_machines().items():
        there = _evaluated(folder, **environment)
        apart = list(differences(here, there, within=WITHIN, but=()))
        assert not apart, f"{machine}: {len(apart)} differ: " + "; ".join(apart[:5])


def test_every_machine_says_the_same_of_simulated_and_degenerate_data() -> None:
    _assert_machines_agree()


def test_every_machine_says_the_same_of_sleep_stages(
    shared_data: Callable[[str], Path],
) -> None:
    _assert_machines_agree(shared_data("sleep-stages"))
