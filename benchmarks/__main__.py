"""`python -m benchmarks [--page FILE] [TOPIC…]`: run the benchmarks, a table for each topic.

A topic is a file of this folder with `run() -> list[Row]`; without arguments all of them run but
those that take many minutes (scale, scores).
`--beside FOLDER` times the same work of another checkout of this repository in the same run, for
topics that have `beside(folder) -> list[Row]`.
`--ratings 1e4 1e8` and `--spark 1e8` say how large the data of `scale` are.
With `--page` the tables are written as a page of the documentation too; topics that were not run
keep the tables that they have there.
"""

import argparse
import importlib
import os
import pkgutil
import platform
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.row import table

_NOT_TOPICS = {"__main__", "peers", "row"}
_LONG = {"scale", "scores"}
"""Topics that simulate gigabytes first: they run where they are named."""


def topics() -> list[str]:
    """The benchmarks there are."""
    here = str(Path(__file__).parent)
    return sorted(m.name for m in pkgutil.iter_modules([here]) if m.name not in _NOT_TOPICS)


def machine() -> str:
    """What the times were measured with and on."""
    commit = _git("rev-parse", "--short", "HEAD") or "unknown"
    # The page that is being written is no part of what is measured, nor are others.
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks")
    return (
        f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}, "
        f"{os.cpu_count()} cores, commit {commit}{' with changes' if changed else ''}"
    )


def _git(*words: str) -> str:
    run = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return run.stdout.strip()


def write_page(path: Path, measured: dict[str, str]) -> None:
    """Put what was measured in the place of what the page had for these topics."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    parts = re.split(r"^## (.+)\n", before, flags=re.MULTILINE)[1:]
    kept = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    sections = [f"## {topic}\n\n{text}\n" for topic, text in sorted((kept | measured).items())]
    path.write_text("\n".join([INTRODUCTION, *sections]), encoding="utf-8")


INTRODUCTION = """\
# Measured

*This page is written by `make bench`; do not edit it by hand.* Each peer does the same work in the
same run, in an environment of its own, so the ratio is what counts. Times are processor time, which
other work on the machine hardly changes.
"""


def main(words: list[str]) -> int:
    """Run the topics asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("topics", nargs="*", metavar="TOPIC")
    parser.add_argument("--beside", type=Path, help="another checkout of this repository")
    parser.add_argument(
        "--ratings",
        type=lambda text: int(float(text)),
        nargs="+",
        help="how many ratings, for topics that measure growth: 1e4 1e6 1e8",
    )
    parser.add_argument(
        "--spark",
        type=lambda text: int(float(text)),
        help="how many ratings to evaluate in Spark too, for the same topics",
    )
    parser.add_argument("--page", type=Path, help="a page of the documentation to write them to")
    given = parser.parse_args(words)
    asked, known = given.topics, topics()
    unknown = [name for name in asked if name not in known]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}; there are: {', '.join(known)}.")
        return 2
    print(f"Python {platform.python_version()} on {platform.machine()}, {platform.system()}\n")
    for topic in asked or [name for name in known if name not in _LONG]:
        module = importlib.import_module(f"benchmarks.{topic}")
        if given.beside is None:
            chosen = {"sizes": given.ratings, "spark": given.spark} if topic == "scale" else {}
            rows = module.run(**{name: each for name, each in chosen.items() if each})
        elif hasattr(module, "beside"):
            rows = module.beside(given.beside)
        else:
            continue
        found = table(topic, rows)
        print(found.as_text(), end="\n\n", flush=True)
        if given.page is not None:
            written = found.as_markdown().partition("\n|")
            write_page(given.page, {topic: f"{machine()}:\n\n|{written[2]}"})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
