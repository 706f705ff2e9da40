"""A room's seam is its `__init__`: other rooms import from there, and not from the files behind."""

import ast
from pathlib import Path

import headcount

BASE = Path(headcount.__file__).parent
SEALED = (
    *("accuracy", "counting", "data", "deconvolution", "equivalence", "metrics", "plan"),
    *("population", "rate", "scores", "simulate"),
)


def test_rooms_are_entered_through_their_seam():
    found = []
    for file in sorted(BASE.rglob("*.py")):
        room = file.relative_to(BASE).parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            package, *rest = node.module.split(".")
            behind = package == "headcount" and len(rest) > 1 and rest[0] in SEALED
            if behind and rest[0] != room:
                found.append(f"{file.relative_to(BASE)} imports {node.module}")
    assert found == []
