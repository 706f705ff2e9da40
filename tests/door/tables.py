"""Tables whose right reading is known, under names that say nothing or the wrong thing.

First the true roles are drawn, then a layout, then what stands beside the answers (texts, times,
gold, aggregates, confidences, models), then the columns' names, then a container. `judge_reading`
reads a table as a newcomer would: as it is, and if it is refused, by each command that is printed.
"""

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.door.containers import FILES, Columns

from headcount import Ratings
from headcount.errors import HeadcountError, UnsureError

SYLLABLES = ("ka", "lo", "mi", "tu", "ve", "ra", "zo", "pe", "shi", "gru", "fa", "nel", "bor", "ix")
MISLEADING = (
    *("gold_x", "rater score", "_country", "text_2", "subject", "value", "source", "batch", "code"),
    *("model_name", "expert_no", "case number", "label_time", "who", "kind", "reviewer notes"),
    *("V", "A", "D", "x1", "n", "key", "judgement", "outcome", "mean_of", "Unnamed: 0", "set"),
    *("response_id", "annotator note", "system", "topic", "docno", "assessor", "stimulus", "conf"),
)
USUAL = {
    "item": ("item", "id", "task_id", "example_id"),
    "id": ("id", "item"),
    "question": ("question_id", "prompt_id", "item"),
    "model": ("model", "system"),
    "rater": ("annotator", "worker_id", "rater"),
    "label": ("label", "rating", "answer"),
    "gold": ("gold", "ground_truth"),
    "text": ("text", "comment"),
    "time": ("timestamp", "created_at"),
    "majority": ("majority", "final label"),
    "rater0": ("rater_1", "human", "ann1"),
    "rater1": ("rater_2", "ann2"),
    "machine": ("model", "gpt-4"),
}
LABELS: tuple[tuple[str, ...], ...] = (
    ("no", "yes"),
    ("neg", "neutral", "pos"),
    ("0", "1"),
    ("1", "2", "3", "4", "5"),
    ("0", "1", "2", "3"),
    ("A", "B", "tie"),
    ("art", "law", "sport", "health", "money"),
)


@dataclass
class Truth:
    """A table and how it is meant: each answer as (item, rater or None, label), and its columns.

    `open_columns` are columns of a wide table that only their owner can tell from raters: models,
    gold, or aggregates that show in too few rows. `sets` say how several labels an answer are
    written, as --sets takes it.
    """

    columns: Columns
    layout: str
    item: tuple[str, ...]
    rater: str | None = None
    label: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    open_columns: tuple[str, ...] = ()
    sets: str | tuple[str, ...] | None = None


def draw_names(rng: random.Random, n: int) -> list[str]:
    """Different names, none of which says what the column is; some say something wrong."""
    found: list[str] = []
    while len(found) < n:
        if rng.random() < 0.35:
            name = rng.choice(MISLEADING)
        else:
            name = "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3)))
            name = rng.choice([name, name.title(), f"{name}_{rng.randint(1, 9)}", name.upper()])
        if name not in found:
            found.append(name)
    return found


def draw_table(rng: random.Random) -> Truth:
    """A table of one of the layouts."""
    return rng.choice((_long, _long, _joint, _wide, _wide, _nested, _sets, _unrated))(rng)


def _answers(rng: random.Random, items: int, raters: int, share: float) -> Any:
    """Who said what: labels of items, raters who slip and lean, perhaps not everyone on each."""
    labels = rng.choice(LABELS)
    slip = rng.uniform(0.05, 0.5)
    leaning = [rng.choice(labels) for _ in range(raters)]
    lean = rng.choice([0.0, 0.0, 0.2])
    truth = [rng.choice(labels) for _ in range(items)]
    said = {}
    for i in range(items):
        chosen = [r for r in range(raters) if rng.random() < share]
        while len(chosen) < min(2, raters):
            chosen = sorted({*chosen, rng.randrange(raters)})
        for r in chosen:
            if rng.random() < lean:
                said[i, r] = leaning[r]
            elif rng.random() < slip:
                said[i, r] = _near(labels, truth[i], rng)
            else:
                said[i, r] = truth[i]
    return labels, truth, said


def _near(labels: tuple[str, ...], label: str, rng: random.Random) -> str:
    if not labels[0].isdigit():
        return rng.choice(labels)
    at = labels.index(label) + rng.choice((-1, 1))
    return labels[min(max(at, 0), len(labels) - 1)]


def _ids(rng: random.Random, n: int, sign: str) -> list[str]:
    kind = rng.randrange(4)
    if kind == 0:
        return [str(k + rng.choice((0, 1))) for k in range(0, 2 * n, 2)]
    if kind == 1:
        return [f"{sign}{k:03d}" for k in range(n)]
    if kind == 2:
        return [str(10**6 + 37 * k) for k in range(n)]
    return [f"{rng.choice(SYLLABLES)}{sign}{k}" for k in range(n)]


def _prose(rng: random.Random, k: int) -> str:
    words = (rng.choice(SYLLABLES) + rng.choice(SYLLABLES) for _ in range(rng.randint(7, 12)))
    return f"{' '.join(words)} {k}"


def _long(rng: random.Random) -> Truth:
    items, raters = rng.randint(20, 80), rng.randint(2, 14)
    labels, truth, said = _answers(rng, items, raters, rng.choice([1.0, 0.6, 0.3]))
    rows = list(said)
    if rng.random() < 0.5:
        rng.shuffle(rows)
    ids, people = _ids(rng, items, "d"), _ids(rng, raters, "w")
    made: dict[str, list[Any]] = {
        "item": [ids[i] for i, _ in rows],
        "rater": [people[r] for _, r in rows],
        "label": [said[row] for row in rows],
    }
    texts = [_prose(rng, i) for i in range(items)]
    groups = [rng.choice(["young", "old"]) for _ in people]
    clusters = [rng.choice("abcde") for _ in ids]
    more: dict[str, list[Any]] = {
        "text": [texts[i] for i, _ in rows],
        "time": [f"2024-03-{1 + k // 60 % 28:02d}T10:{k % 60:02d}:00" for k in range(len(rows))],
        "seconds": [str(rng.randint(2, 90)) for _ in rows],
        "row": [str(k) for k in range(len(rows))],
        "gold": [truth[i] for i, _ in rows],
        "group": [groups[r] for _, r in rows],
        "cluster": [clusters[i] for i, _ in rows],
        "sure": [rng.choice(["low", "mid", "high"]) for _ in rows],
        "other": [_near(labels, said[row], rng) for row in rows],
        "constant": ["web" for _ in rows],
        "note": [rng.choice(["", "", "", "see above"]) for _ in rows],
    }
    for name in rng.sample(list(more), rng.randint(0, 5)):
        made[name] = more[name]
    columns, called = _named(made, rng)
    label = tuple(called[name] for name in ("label", "other") if name in called)[:1]
    return Truth(columns, "long", (called["item"],), called["rater"], label)


def _joint(rng: random.Random) -> Truth:
    questions, models, raters = rng.randint(12, 30), rng.randint(3, 6), rng.randint(2, 5)
    _, _, said = _answers(rng, questions * models, raters, rng.choice([1.0, 1.0, 0.8]))
    rows = list(said)
    ids, names = _ids(rng, questions, "q"), _ids(rng, models, "m")
    people = _ids(rng, raters, "w")
    made: dict[str, list[Any]] = {
        "question": [ids[i // models] for i, _ in rows],
        "model": [names[i % models] for i, _ in rows],
        "rater": [people[r] for _, r in rows],
        "label": [said[row] for row in rows],
    }
    texts = [_prose(rng, i) for i in range(questions)]
    if rng.random() < 0.4:
        made["text"] = [texts[i // models] for i, _ in rows]
    columns, called = _named(made, rng)
    item = (called["question"], called["model"])
    return Truth(columns, "joint", item, called["rater"], (called["label"],))


def _wide(rng: random.Random) -> Truth:
    items, raters = rng.randint(30, 120), rng.randint(2, 6)
    labels, truth, said = _answers(rng, items, raters, rng.choice([1.0, 1.0, 0.8]))
    ids = _ids(rng, items, "d")
    made: dict[str, list[Any]] = {"item": ids}
    for r in range(raters):
        made[f"rater{r}"] = [said.get((i, r)) for i in range(items)]
    votes = [Counter(said[i, r] for r in range(raters) if (i, r) in said) for i in range(items)]
    most = [vote.most_common(1)[0][0] for vote in votes]
    more: dict[str, list[Any]] = {
        "text": [_prose(rng, i) for i in range(items)],
        "majority": most,
        "gold": list(truth),
        "machine": [_near(labels, t, rng) if rng.random() < 0.2 else t for t in truth],
        "cluster": [f"k{rng.randrange(6)}" for _ in ids],
        "seconds": [str(rng.randint(20, 400)) for _ in ids],
        "time": [f"2024-03-{1 + k // 60 % 28:02d}" for k in range(items)],
        "share": [f"{vote.most_common(1)[0][1] / sum(vote.values()):.3f}" for vote in votes],
    }
    if labels[0].isdigit():
        mean = [sum(int(v) * n for v, n in vote.items()) / sum(vote.values()) for vote in votes]
        more["mean"] = [f"{value:.2f}" for value in mean]
    for name in rng.sample(list(more), rng.randint(0, 4)):
        made[name] = more[name]
    if rng.random() < 0.25:
        for r in range(raters):
            made[f"sure{r}"] = [
                None if made[f"rater{r}"][i] is None else str(rng.randint(1, 5))
                for i in range(items)
            ]
    columns, called = _named(made, rng)
    open_columns = tuple(called[n] for n in ("majority", "gold", "machine") if n in called)
    people = tuple(called[f"rater{r}"] for r in range(raters))
    return Truth(columns, "wide", (called["item"],), raters=people, open_columns=open_columns)


def _nested(rng: random.Random) -> Truth:
    items, raters = rng.randint(20, 50), rng.randint(2, 6)
    _, _, said = _answers(rng, items, raters, rng.choice([1.0, 0.7]))
    ids, people = _ids(rng, items, "d"), _ids(rng, raters, "w")
    names = draw_names(rng, 6)
    names = [name.replace(".", "").replace("[", "") for name in names]
    item, holder, rater, label, source, text = names
    records = [
        {
            item: ids[i],
            source: rng.choice(["web", "mail"]),
            text: _prose(rng, i),
            holder: [
                {rater: people[r], label: said[i, r]} for r in range(raters) if (i, r) in said
            ],
        }
        for i in range(items)
    ]
    columns = {name: [record[name] for record in records] for name in records[0]}
    return Truth(columns, "nested", (item,), f"{holder}[].{rater}", (f"{holder}[].{label}",))


def _sets(rng: random.Random) -> Truth:
    """Several labels an answer: with a separator, as lists, or in a column an option."""
    items, raters = rng.randint(25, 70), rng.randint(2, 10)
    options = rng.sample(["joy", "fear", "anger", "insult", "sadness", "pride", "threat"], 4)
    likely = [[rng.random() < 0.35 for _ in options] for _ in range(items)]
    slip = rng.uniform(0.05, 0.25)
    ids, people = _ids(rng, items, "d"), _ids(rng, raters, "w")
    rows = [(i, r) for i in range(items) for r in range(raters) if rng.random() < 0.7]
    said = [[t != (rng.random() < slip) for t in likely[i]] for i, _ in rows]
    ticked = [[o for o, t in zip(options, one, strict=True) if t] for one in said]
    made: dict[str, list[Any]] = {
        "item": [ids[i] for i, _ in rows],
        "rater": [people[r] for _, r in rows],
    }
    kind = rng.choice(("separator", "list", "boxes"))
    separator = rng.choice(("|", ";", ",", "/"))
    if kind == "boxes":
        yes, no = rng.choice((("1", "0"), ("TRUE", "FALSE"), ("yes", "no"), ("x", None)))
        for place in range(len(options)):
            made[f"option{place}"] = [yes if one[place] else no for one in said]
    else:
        space = rng.choice(("", " ")) if separator != "|" else ""
        made["label"] = [
            json.dumps(one) if kind == "list" else f"{separator}{space}".join(one) or None
            for one in ticked
        ]
    texts = [_prose(rng, i) for i in range(items)]
    if rng.random() < 0.5:
        made["text"] = [texts[i] for i, _ in rows]
    if rng.random() < 0.5:
        made["seconds"] = [str(rng.randint(2, 90)) for _ in rows]
    columns, called = _named(made, rng)
    boxes = tuple(sorted(called[name] for name in made if name.startswith("option")))
    sets = boxes or ("list" if kind == "list" else separator)
    label = (called["label"],) if kind != "boxes" else ()
    return Truth(columns, "sets", (called["item"],), called["rater"], label, sets=sets)


def _unrated(rng: random.Random) -> Truth:
    """A table without a rating in it."""
    rows = rng.randint(30, 90)
    made: dict[str, list[Any]] = {
        "id": _ids(rng, rows, "d"),
        "text": [_prose(rng, k) for k in range(rows)],
        "views": [str(int(rng.expovariate(1 / 5000))) for _ in range(rows)],
        "likes": [str(int(rng.expovariate(1 / 90))) for _ in range(rows)],
        "lang": [rng.choice(["de", "en", "fr"]) for _ in range(rows)],
        "day": [f"2024-03-{rng.randint(1, 28):02d}" for _ in range(rows)],
    }
    columns, _ = _named(made, rng)
    return Truth(columns, "none", ())


def _named(made: dict[str, list[Any]], rng: random.Random) -> tuple[Columns, dict[str, str]]:
    order = list(made)
    if rng.random() < 0.5:
        rng.shuffle(order)
    called = dict(zip(order, draw_names(rng, len(order)), strict=True))
    if rng.random() < 0.3:  # some are called what they are
        for name, usual in USUAL.items():
            if name in called and rng.random() < 0.6:
                called[name] = rng.choice(usual)
    return {called[name]: made[name] for name in order}, called


def write(truth: Truth, folder: Path, rng: random.Random) -> Path:
    """The table in one of the containers that can hold it."""
    kinds = [".jsonl", ".json"] if truth.layout == "nested" else list(FILES)
    kind = rng.choice([each for each in kinds if each != ".xlsx" or rng.random() < 0.2])
    path = folder / f"table{kind}"
    path.write_bytes(FILES[kind](truth.columns))
    return path


def _said(ratings: Ratings) -> frozenset[tuple[frozenset[int], str, str]] | None:
    """Every answer, whatever its item is called: the place of its item, who, what."""
    if ratings.layout.kind == "counts":
        return None
    answers = ratings.answers()
    if answers.raters is None:
        return None
    return frozenset(
        (int(i), str(answers.raters[r]), ratings.labels.names[k], int(o))  # type: ignore[misc]
        for i, r, k, o in zip(
            answers.item, answers.rater, answers.label, answers.occasion, strict=True
        )
    )


def _means(truth: Truth, options: dict[str, Any]) -> bool:
    """Whether a reading is the right one; ids that go with the item one to one will do as well."""
    if truth.layout == "none":
        return False
    told = options.get("sets")
    if truth.sets != (told if told is None or isinstance(told, str) else tuple(sorted(told))):
        return False
    if truth.layout == "wide":
        if not options.get("raters"):
            return False
        people = set(_columns_of(truth, options["raters"]))
        return set(truth.raters) == people and _same_items(truth, _tuple(options["item"]))
    if options.get("raters"):
        return False
    if truth.layout == "nested":
        return (
            _tuple(options["item"]) == truth.item
            and options.get("rater") == truth.rater
            and options.get("label") == truth.label[0]
        )
    return (
        _same_items(truth, _tuple(options["item"]))
        and options.get("rater") is not None
        and _same(truth, (str(options["rater"]),), (str(truth.rater),))
        and (not truth.label or options.get("label") == truth.label[0])
    )


def _tuple(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _columns_of(truth: Truth, given: Any) -> list[str]:
    from headcount.door.roles import match_columns

    return list(match_columns("raters", _tuple(given), list(truth.columns), table="t"))


def _same_items(truth: Truth, item: tuple[str, ...]) -> bool:
    return _same(truth, item, truth.item)


def _same(truth: Truth, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if any(name not in truth.columns for name in one):
        return False
    left = list(zip(*(truth.columns[name] for name in one), strict=True))
    right = list(zip(*(truth.columns[name] for name in other), strict=True))
    return len(set(left)) == len(set(right)) == len(set(zip(left, right, strict=True)))


def _open_choice(truth: Truth, error: UnsureError, options: dict[str, Any]) -> bool:
    """Whether the sentence leaves just what its owner alone can know: which columns are people."""
    if truth.layout != "wide" or not options.get("raters"):
        return False
    named = set(_columns_of(truth, options["raters"]))
    if "agree no more than by chance" in str(error) and set(truth.raters) <= named:
        return _same_items(truth, _tuple(options["item"]))
    asked = "are people only you know" in str(error) or "may be a rater too" in str(error)
    mentioned = named | {name for name in truth.columns if repr(name) in str(error)}
    return (
        asked
        and named - set(truth.raters) <= set(truth.open_columns)
        and set(truth.raters) <= mentioned
        and _same_items(truth, _tuple(options["item"]))
    )


def judge_reading(truth: Truth, path: Path) -> str:
    """What becomes of a table: right, wrong, or what its refusal leads to."""
    try:
        ratings = Ratings.read(path)
    except UnsureError as error:
        for place, options in enumerate(error.readings):
            if _means(truth, options):
                Ratings.read(path, **options, unrated="drop")
                return "refused, first advice right" if place == 0 else "refused, right one listed"
        if any(_open_choice(truth, error, options) for options in error.readings):
            return "refused, right one listed"
        return "refused, advice WRONG"
    except HeadcountError:
        return "refused without advice" if truth.layout != "none" else "refused, holds no ratings"
    plan = ratings.layout
    options: dict[str, Any] = {"item": plan.item}
    if plan.kind == "wide":
        options["raters"] = [name.replace("[", "[[]") for name in plan.others]
    elif plan.kind == "long":
        options |= {"rater": plan.rater, "label": plan.label}
        if plan.sets:  # never taken without a word
            options["sets"] = plan.sets
    return "read right" if plan.kind != "counts" and _means(truth, options) else "read WRONG"


def attack_names(seed: int, folder: Path) -> tuple[str, str]:
    """One table: its layout and what became of it."""
    rng = random.Random(f"names {seed}")
    truth = draw_table(rng)
    path = write(truth, folder, rng)
    return truth.layout, judge_reading(truth, path)


def as_json(truth: Truth) -> str:
    """The table for a look at it."""
    return json.dumps(truth.columns)[:2000]
