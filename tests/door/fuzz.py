"""`python -m tests.door.fuzz`: run the standing attack for as long as asked and print counts.

With `--log FILE` every run adds its counts to the file and the next one goes on with the seeds
after them, so that many short runs make a long one.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

from tests.door.attack import attack
from tests.door.tables import attack_names

from headcount.door.database import connect

_PIECE = 250  # seeds that are tried before anyone looks at the clock

_NAMES_EVERY = 10
"""A table under hostile names takes as long as ten broken files."""

Counts = Counter[tuple[str, str]]


def attack_piece(first: int) -> tuple[Counts, list[str]]:
    """The seeds of one piece: what became of their inputs, and what broke."""
    counts: Counts = Counter()
    broken: list[str] = []
    with connect() as connection:  # tables of a few rows are read fastest by one thread
        connection.execute("SET threads = 1")
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # thousands of small files
    with tempfile.TemporaryDirectory(dir=memory) as name:
        for seed in range(first, first + _PIECE):
            try:
                counts.update(attack(seed, Path(name)))
                if seed % _NAMES_EVERY == 0:
                    layout, outcome = attack_names(seed, Path(name))
                    counts[f"names, {layout}", outcome] += 1
                    if "WRONG" in outcome:
                        broken.append(f"names {seed}: {outcome}")
            except Exception as error:  # which is what the attack is after
                counts["any", "BROKEN"] += 1
                broken.append(f"seed {seed}: {type(error).__name__}: {str(error)[:400]}")
    return counts, broken


def pieces(first: int, workers: int) -> Iterator[tuple[Counts, list[str]]]:
    """One piece after the other, in as many processes as asked."""
    starts = (first + _PIECE * k for k in count())
    if workers == 1:
        yield from map(attack_piece, starts)
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(attack_piece, next(starts)) for _ in range(workers)]
        try:
            while True:
                yield waiting.pop(0).result()
                waiting.append(pool.submit(attack_piece, next(starts)))
        finally:
            pool.shutdown(cancel_futures=True)


def table(counts: Counts) -> str:
    """Counts by container and outcome, for people to read."""
    outcomes = sorted({outcome for _, outcome in counts})
    containers = sorted({container for container, _ in counts})
    width = max(map(len, containers), default=0)
    lines = [f"{'':{width}}  {'  '.join(outcomes)}"]
    for container in containers:
        cells = (f"{counts[container, outcome]:>{len(outcome)},}" for outcome in outcomes)
        lines.append(f"{container:{width}}  {'  '.join(cells)}")
    return "\n".join(lines)


def _earlier(log: Path | None) -> list[dict[str, Any]]:
    if log is None or not log.exists():
        return []
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    """Attack, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.door.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after so long")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="stop after so many")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--log", type=Path, help="file to go on from and to add counts to")
    asked = parser.parse_args()
    earlier = _earlier(asked.log)
    first = max([asked.seed, *(run["upto"] for run in earlier)])
    start, done, counts = time.monotonic(), 0, Counter[tuple[str, str]]()
    for found, broken in pieces(first, asked.workers):
        counts += found
        done += 1
        for line in broken:
            print(line, flush=True)
        if counts.total() >= asked.inputs or time.monotonic() - start > asked.seconds:
            break
    seconds = time.monotonic() - start
    print(table(counts))
    print(f"{counts.total():,} inputs of {done * _PIECE:,} seeds from {first} in {seconds:,.0f} s")
    if asked.log is not None:
        told = [[*key, number] for key, number in counts.items()]
        run = {"from": first, "upto": first + done * _PIECE, "counts": told}
        with open(asked.log, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(run) + "\n")
        everything: Counts = Counter(counts)
        for before in earlier:
            everything.update({(kind, word): number for kind, word, number in before["counts"]})
        print(f"\nAll runs together: {everything.total():,} inputs\n{table(everything)}")
    wrong = sum(number for (_, outcome), number in counts.items() if "WRONG" in outcome)
    return int(counts["any", "BROKEN"] > 0 or wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
