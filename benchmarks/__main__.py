"""`python -m benchmarks [TOPIC…]`: run the benchmarks and print a table for each topic.

A topic is a file of this folder with `run() -> list[Row]`; without arguments all of them run.
`--beside FOLDER` times the same work of another checkout of this repository in the same run, for
topics that have `beside(folder) -> list[Row]`.
"""

import argparse
import importlib
import pkgutil
import platform
import sys
from pathlib import Path

from benchmarks.row import table

_NOT_TOPICS = {"__main__", "gallery", "peers", "row"}


def topics() -> list[str]:
    """The benchmarks there are."""
    here = str(Path(__file__).parent)
    return sorted(m.name for m in pkgutil.iter_modules([here]) if m.name not in _NOT_TOPICS)


def main(words: list[str]) -> int:
    """Run the topics asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("topics", nargs="*", metavar="TOPIC")
    parser.add_argument("--beside", type=Path, help="another checkout of this repository")
    given = parser.parse_args(words)
    asked, known = given.topics, topics()
    unknown = [name for name in asked if name not in known]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}; there are: {', '.join(known)}.")
        return 2
    print(f"Python {platform.python_version()} on {platform.machine()}, {platform.system()}\n")
    for topic in asked or known:
        module = importlib.import_module(f"benchmarks.{topic}")
        if given.beside is None:
            rows = module.run()
        elif hasattr(module, "beside"):
            rows = module.beside(given.beside)
        else:
            continue
        print(table(topic, rows).as_text(), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
