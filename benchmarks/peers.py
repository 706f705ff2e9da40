"""Other people's packages, each installed apart: never a dependency, only timed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / ".venv-peers"


def peer_python(name: str, *packages: str) -> Path:
    """The Python of the peer's own environment; made with `packages` where it is missing."""
    python = FOLDER / name / "bin" / "python"
    ready = FOLDER / name / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER / name)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *packages]
        subprocess.run(install, check=True)
        ready.touch()
    return python


def ask_peer(python: Path, script: str, *arguments: str) -> Any:
    """Run `script` with the peer's Python and read the JSON it prints last."""
    done = subprocess.run(
        [str(python), "-c", script, *arguments], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])
