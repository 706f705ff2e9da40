"""The lowest versions that pyproject.toml admits, as pip constraints: `python tests/lowest.py`."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest() -> list[str]:
    """Each dependency at its lower bound."""
    declared = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    return [requirement.replace(">=", "==") for requirement in declared]


if __name__ == "__main__":
    print("\n".join(lowest()))
