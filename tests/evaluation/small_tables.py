"""Random small tables for `evaluate`, degenerate ones often, and what no answer about them may do.

`attack(seed)` makes one table and asks everything of it. `test_small_tables.py` holds a part of
it, and `python -m tests.evaluation.small_tables` (a part of `make fuzz`) goes on as long as asked.
"""

import argparse
import dataclasses
import json
import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from typing import Any

import pyarrow as pa

import headcount as hc
from headcount.errors import HeadcountError
from headcount.evaluation.part import Unavailable
from headcount.results import Estimate

NAMES = (
    ("no", "yes"),
    ("fine", "toxic", "unclear"),
    ("a", "b", "c", "d"),
    ("p", "q", "r", "s", "t"),
)
SCALES = ("nominal", "nominal", "nominal", "ordered", "numeric")
FORMS = ("long", "long", "long", "counts", "nobody")
"""Named people in a row an answer, counts of labels, and answers without a person."""
_ROUNDED = 1e-9

Table = tuple[hc.Ratings, hc.Predictions, dict[str, Any], int]


def made(seed: int) -> Table:
    """One table: ratings, answers of classifiers, options, and how many labels an item has."""
    draw = random.Random(seed)
    n = draw.choice([draw.randint(2, 6), draw.randint(2, 30), draw.randint(2, 60)])
    people = draw.randint(1, 8)
    scale = draw.choice(SCALES)
    k = draw.randint(2, 6)
    labels = [str(each) for each in range(1, k + 1)]
    if scale == "nominal" and k <= 5:
        labels = list(NAMES[k - 2])
    truth = [draw.choice(labels) for _ in range(n)]
    if draw.random() < 0.15:
        truth = [labels[0]] * n
    slip = draw.choice([0.0, 0.0, 0.1, 0.3, 0.6, 1.0])
    kept = draw.choice([1.0, 1.0, 0.7, 0.4, 1 / people])
    rows = _ratings(draw, truth, labels, people, slip, kept)
    form = draw.choice(FORMS)
    columns = _columns(draw, rows, n, form)
    given: dict[str, Any] = {"scale": scale}
    if scale != "numeric":
        given["order"] = labels
    if form == "counts":
        ratings = _counted(rows, labels, n, scale)
    else:
        roles = {name: name for name in ("cluster", "slices", "groups") if name in columns}
        ratings = hc.Ratings.from_frame(pa.table(columns), **roles, **given)
    said = {f"m{j}": _answers(draw, truth, labels, rows) for j in range(draw.randint(1, 6))}
    answers = {"item": [f"i{i}" for i in range(n)], **said}
    options = {
        "n_bootstrap": draw.choice([0, 10, 20, 20, 20]),
        "seed": draw.randint(0, 99),
        "two_way": draw.choice([None, None, None, True, False]) if form == "long" else None,
    }
    if draw.random() < 0.1:
        shown = {f"i{i}": truth[i] for i in range(n) if draw.random() < 0.5}
        if shown and form != "counts":
            gold = {"item": list(shown), "gold": list(shown.values())}
            options["gold"] = pa.table(gold)
    most = max(_most(rows), 1)
    return ratings, hc.Predictions.from_frame(pa.table(answers)), options, most


def _ratings(
    draw: random.Random, truth: list[str], labels: list[str], people: int, slip: float, kept: float
) -> list[tuple[int, int, str]]:
    stubborn = {rater for rater in range(people) if draw.random() < 0.1}
    rows = []
    for i, right in enumerate(truth):
        some = [rater for rater in range(people) if draw.random() < kept]
        for rater in some or [draw.randrange(people)]:
            label = draw.choice(labels) if draw.random() < slip else right
            rows.append((i, rater, labels[-1] if rater in stubborn else label))
    return rows


def _columns(
    draw: random.Random, rows: list[tuple[int, int, str]], n: int, form: str
) -> dict[str, list[str]]:
    if form == "long" and draw.random() < 0.1:  # some are asked again
        rows += [(i, rater, label) for i, rater, label in rows if draw.random() < 0.5]
    columns = {"item": [f"i{i}" for i, _, _ in rows], "label": [label for *_, label in rows]}
    if form == "long":
        columns["rater"] = [f"r{rater}" for _, rater, _ in rows]
        if draw.random() < 0.15:
            columns["groups"] = ["xy"[rater % 2] for _, rater, _ in rows]
    if draw.random() < 0.15:
        part = draw.randint(1, n)
        columns["cluster"] = [f"c{i % part}" for i, _, _ in rows]
    if draw.random() < 0.15:
        columns["slices"] = ["uvw"[i % 3] for i, _, _ in rows]
    return columns


def _counted(rows: list[tuple[int, int, str]], labels: list[str], n: int, scale: str) -> hc.Ratings:
    counts = [[0] * len(labels) for _ in range(n)]
    for i, _, label in rows:
        counts[i][labels.index(label)] += 1
    table = {"item": [f"i{i}" for i in range(n)]}
    table |= {label: [row[j] for row in counts] for j, label in enumerate(labels)}
    order = None if scale == "numeric" else labels
    return hc.Ratings.from_counts(pa.table(table), labels=labels, order=order, scale=scale)


def _most(rows: list[tuple[int, int, str]]) -> int:
    by_item: dict[int, int] = {}
    for i, *_ in rows:
        by_item[i] = by_item.get(i, 0) + 1
    return max(by_item.values())


def _answers(
    draw: random.Random, truth: list[str], labels: list[str], rows: list[tuple[int, int, str]]
) -> list[Any]:
    """A classifier: good, poor, constant, turned round, a person's double, or in probabilities."""
    kind = draw.choice(
        ["noisy", "noisy", "constant", "turned", "never", "double", "soft", "perfect"]
    )
    turned = dict(zip(labels, reversed(labels), strict=True))
    match kind:
        case "constant":
            return [labels[0]] * len(truth)
        case "turned":
            return [turned[label] for label in truth]
        case "never":
            nxt = dict(zip(labels, [*labels[1:], labels[0]], strict=True))
            return [nxt[label] for label in truth]
        case "double":
            first = {i: label for i, _, label in reversed(rows)}
            return [first[i] for i in range(len(truth))]
        case "soft" if len(labels) == 2:
            sure = draw.choice([0.5, 0.8, 0.99, 1.0])
            return [str(sure if label == labels[-1] else round(1 - sure, 2)) for label in truth]
        case "perfect":
            return list(truth)
        case _:
            wrong = draw.choice([0.1, 0.3, 0.7])
            return [draw.choice(labels) if draw.random() < wrong else label for label in truth]


# --- what no answer may do ---------------------------------------------------------------------


def estimates(told: Any, path: str = "") -> Iterator[tuple[str, Estimate]]:
    """Every estimate anywhere in a result."""
    if isinstance(told, Estimate):
        yield path, told
    elif isinstance(told, Mapping):
        for key, each in told.items():
            yield from estimates(each, f"{path}.{key}")
    elif isinstance(told, tuple | list):
        for number, each in enumerate(told):
            yield from estimates(each, f"{path}[{number}]")
    elif dataclasses.is_dataclass(told) and not isinstance(told, type):
        for field in dataclasses.fields(told):
            if field.name not in ("crowd", "settings", "samples"):
                yield from estimates(getattr(told, field.name), f"{path}.{field.name}")


def sentences(found: hc.Evaluation) -> Iterator[str]:
    """Everything that is said in words: first screen, details, Markdown, what is unchecked."""
    answer = found.first_answer()
    yield from (answer.finding, answer.about, answer.caveat, *answer.ranges, *answer.next)
    for row in answer.rows:
        yield from (row.advice, row.because)
    yield from found.verdict().splitlines()
    yield str(found)
    yield found.summary()
    yield found.to_markdown()
    yield found.to_markdown(short=True)


NEVER = {
    "raters that are not there": re.compile(r"(?<![\d.,])0 (raters|people|persons)\b"),
    "a range from nothing to all": re.compile(r"(?<![\d.,])0(\.0+)?( %)? (to|and) 100(\.0+)? %"),
    "a number that is none": re.compile(r"\b(nan|inf|None(?! of))\b"),
}
MORE_THAN = re.compile(
    r"more than ([\d,]+) (raters|people|persons)|to more than ([\d,]+)(?!\.?\d* ?%)"
)


def wrong_words(said: str, most: int) -> Iterator[str]:
    """What stands in a text and may not: `most` is how many labels an item has at most."""
    for why, pattern in NEVER.items():
        hit = pattern.search(said)
        if hit:
            yield f"{why}: …{said[max(0, hit.start() - 80) : hit.end() + 40]!r}"
    for hit in MORE_THAN.finditer(said):
        number = int((hit.group(1) or hit.group(3)).replace(",", ""))
        if number > 3 * most:
            yield f"far past {most}: …{said[max(0, hit.start() - 80) : hit.end() + 40]!r}"


def wrong_estimates(found: hc.Evaluation) -> Iterator[str]:
    """Estimates outside their own intervals."""
    for path, each in estimates(found):
        if each.low is not None and each.high is not None and each.low > each.high + _ROUNDED:
            yield f"{path}: {each.low} above {each.high}"
        if each.value is None or each.state not in (None, "within"):
            continue
        if each.low is not None and each.value < each.low - _ROUNDED:
            yield f"{path}: {each!r}"
        if each.high is not None and each.value > each.high + _ROUNDED:
            yield f"{path}: {each!r}"


def attack(seed: int, *, page: bool = False) -> tuple[str, list[str]]:
    """What became of one table, and everything that was wrong with what was told of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            ratings, predictions, options, most = made(seed)
            found = hc.evaluate(ratings, predictions, **options)
        except HeadcountError as error:
            return "refused", list(wrong_words(str(error), most=10**9))
        json.dumps(found.to_dict(), allow_nan=False)
        wrong = [f"failed part: {each}" for each in _failed(found)]
        wrong += wrong_estimates(found)
        for said in sentences(found):
            wrong += wrong_words(said, most)
        if page:
            from headcount.report.writing import render

            text = re.sub(r"<script.*?</script>|<style.*?</style>", " ", render(found), flags=re.S)
            wrong += wrong_words(re.sub(r"<[^>]+>", " ", text), most)
    return ("one person" if found.one_person else "answered"), wrong


def _failed(found: hc.Evaluation) -> Iterator[str]:
    for name, part in found._parts().items():
        if isinstance(part, Unavailable) and part.failed:
            yield f"{name}: {part.reason}"


# --- for as long as asked ----------------------------------------------------------------------

_PIECE = 50  # tables that are tried before anyone looks at the clock
_PAGE_EVERY = 10
"""Of so many tables one has its report written too, which takes as long as its evaluation."""


def attack_piece(first: int) -> tuple[Counter[str], list[str]]:
    """The tables of one piece: what became of them, and what broke."""
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for seed in range(first, first + _PIECE):
        try:
            kind, wrong = attack(seed, page=seed % _PAGE_EVERY == 0)
        except Exception as error:  # which is what the attack is after
            kind, wrong = "BROKEN", [f"{type(error).__name__}: {str(error)[:400]}"]
        counts[kind] += 1
        counts["WRONG"] += bool(wrong)
        broken += [f"seed {seed}: {each}" for each in dict.fromkeys(wrong)]
    return counts, broken


def main() -> int:
    """Attack, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after so long")
    parser.add_argument("--tables", type=int, default=sys.maxsize, help="stop after so many")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    start, counts = time.monotonic(), Counter[str]()
    starts = (asked.seed + _PIECE * k for k in count())
    with ProcessPoolExecutor(asked.workers) as pool:
        waiting = [pool.submit(attack_piece, next(starts)) for _ in range(asked.workers)]
        while waiting:
            found, broken = waiting.pop(0).result()
            counts += found
            for line in broken:
                print(line, flush=True)
            tables = counts.total() - counts["WRONG"]
            ahead = tables + _PIECE * len(waiting)
            if ahead < asked.tables and time.monotonic() - start < asked.seconds:
                waiting.append(pool.submit(attack_piece, next(starts)))
    told = ", ".join(f"{number:,} {kind}" for kind, number in sorted(counts.items()))
    seconds = time.monotonic() - start
    print(f"{tables:,} tables from seed {asked.seed} in {seconds:,.0f} s: {told}")
    return int(counts["BROKEN"] + counts["WRONG"] > 0)


if __name__ == "__main__":
    sys.exit(main())
