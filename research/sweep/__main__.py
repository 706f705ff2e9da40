"""`python -m research.sweep`: compare one label with several at every point of a grid."""

import argparse
import importlib
import json
import sys
from typing import Any

import numpy as np

from headcount.cli.output import bar
from headcount.errors import HeadcountError, MissingExtraError
from research.sweep.conjecture import sweep
from research.sweep.grid import AXES

DEFAULTS = {
    "accuracy": "0.55:0.95:0.05",
    "margin": "0.01,0.02,0.05,0.1",
    "label_accuracy": "0.55:0.95:0.05",
    "worse_accuracy": "0.1:0.9:0.2",
    "better_if_worse_wrong": "0.1:0.9:0.2",
    "better_if_worse_right": "0.7:1:0.1",
    "label_accuracy_if_better": "0.55:0.95:0.1",
    "label_accuracy_if_worse": "0.55:0.95:0.1",
}


def main(words: list[str] | None = None) -> int:
    """Run a sweep as asked for on the command line; 1 where it cannot be run."""
    given = vars(_parser().parse_args(words))
    as_json, gpu, biased = given.pop("json"), given.pop("gpu"), given.pop("biased")
    for name in AXES[given["form"]]:
        given[name] = given[name] or DEFAULTS[name]
    try:
        found = sweep(
            **given,
            assume_unbiased=not biased,
            array_module=_cupy() if gpu else np,
            progress=bar,
        )
    except HeadcountError as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 1
    print(json.dumps(found.to_dict(), indent=2, allow_nan=False) if as_json else found.summary())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.sweep", description=sweep.__doc__)
    parser.add_argument("--form", choices=[*AXES], default="independent")
    for name in DEFAULTS:
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="VALUES")
    parser.add_argument("--labels", default="3,5,7", metavar="VALUES")
    parser.add_argument("--items", default="1:50", metavar="VALUES")
    parser.add_argument("--biased", action="store_true", help="also where labels favour the worse")
    parser.add_argument("--checkpoint", help="keep findings here, and go on from it")
    parser.add_argument("--workers", type=int, help="threads (default: one a core)")
    parser.add_argument("--gpu", action="store_true", help="compute with CuPy")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    return parser


def _cupy() -> Any:
    """CuPy, or the sentence that says how to get it."""
    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        raise MissingExtraError(
            "--gpu needs CuPy: pip install 'headcount[gpu]', or leave --gpu out."
        ) from error


if __name__ == "__main__":
    sys.exit(main())
