"""From a study to bare arrays: which systems meet, what people say of them, and what judges say."""

from collections.abc import Iterable
from dataclasses import field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.arrays import Floats, Ints
from headcount.data import (
    Labels,
    Predictions,
    Ratings,
    Settled,
    Study,
    classifier_numbers,
    item_numbers,
    met_by_id,
    one_by_one,
    settle,
)
from headcount.door import positions, texts
from headcount.door.comparisons import LABEL, SHOWN, preference, share_of_first
from headcount.door.profiles import Profile
from headcount.door.roles import listing, plain_name
from headcount.door.runs import BETWEEN
from headcount.errors import InputError, UnanswerableError
from headcount.frozen import frozen
from headcount.rank.verdicts import Field, Verdicts
from headcount.results import count
from headcount.results.words import people as people_in_words
from headcount.sampling.samples import FEW_RATERS, Plan

SYSTEM = (
    *("system", "model", "generator", "system_id", "model_id", "system_name", "model_name"),
    *("candidate", "translator", "mt_system"),
)
"""What the column is called that says which system an item is of."""
PROMPT = (
    *("prompt", "document", "question", "instruction", "source", "segment", "dialog", "passage"),
    *("prompt_id", "question_id", "document_id", "doc_id", "source_id", "dialog_id", "cluster"),
)
"""What the column is called with that which several systems were asked."""
FEWEST_RATERS = 8
"""With fewer, every pair of a dozen systems would have to differ by tens of standard errors before
a claim about people at large could be made: Student's t with two degrees of freedom, all pairs
looked at, asks for 48. Their own ranking is known far better, and is what is then spoken of."""
_ORDERS = ("12", "21"), ("ab", "ba"), ("original", "swapped"), ("forward", "reverse")
"""How the two orders of a comparison are told, whichever of two answers was shown first."""


@frozen(eq=False)
class Asked:
    """A judge that saw comparisons in both orders: its answers to each, and what they come from.

    `first` and `second` (n,) code its two answers to a comparison, −1 for none; `share` (k,) is how
    far each of them prefers the first system, NaN where that is not known; `cluster` (n,) codes the
    prompts.
    """

    first: Ints
    second: Ints
    share: Floats
    cluster: Ints


@frozen(eq=False)
class Tournament:
    """Systems, what people said of them, and what each judge says of each item (I,).

    `on_scale` names the judges whose numbers are of the same scale as people's. `asked` has the
    answers of judges that saw both orders, and under "" those of people. `these` is how many raters
    there are where they are too few to stand for others.
    """

    systems: tuple[str, ...]
    verdicts: Verdicts | None
    judges: dict[str, Floats]
    plan: Plan
    pairs: bool
    on_scale: tuple[str, ...] = ()
    asked: dict[str, Asked] = field(default_factory=dict)
    these: int | None = None
    notes: tuple[str, ...] = ()
    slices: dict[str, tuple[tuple[str, ...], Ints]] = field(default_factory=dict)


def with_systems(ratings: Ratings) -> tuple[Ratings, tuple[str, ...]]:
    """Ratings whose systems are known: named when they were read, or by a column's usual name."""
    if ratings.layout.systems or ratings.source is None or ratings.layout.kind == "counts":
        return ratings, ()
    free = (*ratings.layout.unused, *ratings.layout.slices)
    system = _called(free, SYSTEM)
    if system is None:
        return ratings, ()
    cluster = ratings.layout.cluster or _called([n for n in free if n != system], PROMPT)
    told = f"{ratings.name}: systems are taken from {system!r}" + (
        f", and {cluster!r} is what several of them were asked" if cluster else ""
    )
    return ratings.of_systems(system, cluster), (f"{told} (--system, --cluster).",)


def _called(columns: Iterable[str], names: tuple[str, ...]) -> str | None:
    plain = {plain_name(name): name for name in columns}
    return next((plain[name] for name in names if name in plain), None)


def tournament(study: Study, *, two_way: bool | None = None) -> Tournament:
    """Who met whom, and what was said of it."""
    ratings, notes = with_systems(study.ratings)
    machines = None if study.predictions is None else study.predictions.here()
    parts = {} if machines is None else judges_of(machines)
    asked = _both_orders(machines, parts, ratings) if machines is not None else {}
    people = _people_asked(ratings)
    if people is not None:
        asked[""] = people
    if not ratings.layout.systems:
        if not asked:
            raise InputError(
                f"{ratings.name} does not say which systems are ranked: name the column with the "
                "system that an item is of with system= (--system), or where answers say which of "
                "two is better, the columns with the two and with the winner with a=, b= and "
                f"winner= (--a, --b, --winner); its columns are {_columns(ratings)}. How good "
                "judges are where no systems are named, headcount evaluate tells."
            )
        plan = Plan(ratings.n_items)
        return Tournament((), None, {name: np.zeros(0) for name in parts}, plan, True, (), asked)
    if len(ratings.layout.systems) > 1:
        items, item, value, rater, raters, largest = _preferences(ratings)
    else:
        items, item, value, rater, raters = _numbers(ratings)
        largest = 0.0
    columns = ratings.columns_of(items)
    codes = [columns[name] for name in ratings.layout.systems]
    names = tuple(sorted({name for each in codes for name in each.names}))
    place = {name: at for at, name in enumerate(names)}
    sides = [np.array([place[n] for n in each.names])[each.code] for each in codes]
    cluster = columns.get("cluster")
    unit = np.arange(len(items)) if cluster is None else cluster.code
    units, unit = np.unique(unit, return_inverse=True)
    where = Field(len(names), sides[0], sides[1] if len(sides) > 1 else None, unit, len(units))
    judges, on_scale = {}, []
    if machines is not None:
        for name, members in parts.items():
            said, own_scale = _judge_says(study, machines, members, items, largest, len(sides) > 1)
            judges[name] = said
            on_scale += [name] if own_scale else []
            missing = int(np.isnan(said).sum())
            if missing:
                notes = (*notes, f"{name} answered {len(said) - missing:,} of {len(said):,} items.")
    if len(names) < 2:
        raise UnanswerableError(
            f"{ratings.name} holds one system, {names[0]!r}: to rank there must be two."
        )
    counted = rater is not None and two_way is not False
    these = raters if counted and raters < FEWEST_RATERS and not two_way else None
    n_raters = raters if counted and these is None else None
    plan = Plan(len(items), None if cluster is None else len(units), n_raters, _noun(ratings))
    if these is not None:
        who = people_in_words(these, noun="person")
        notes = (
            *notes,
            f"Intervals and claims are about these {who}: so few cannot tell how people at large "
            "would rank. two_way=True (--two-way) takes them as a sample of people, where there "
            "are three or more.",
        )
    elif plan.why_not_raters is not None:
        few = FEW_RATERS[raters]
        notes = (*notes, f"{few[0].upper()}{few[1:]}: intervals are about items alone.")
    slices = {name: (columns[name].names, columns[name].code) for name in ratings.layout.slices}
    return Tournament(
        names,
        Verdicts(where.grouped, item, value, rater, raters),
        judges,
        plan,
        len(sides) > 1,
        tuple(on_scale),
        asked,
        these,
        (*notes, *ratings.notes, *(() if machines is None else machines.notes)),
        slices,
    )


def _columns(ratings: Ratings) -> str:
    return "unknown" if ratings.source is None else listing(ratings.source.columns)


def _noun(ratings: Ratings) -> str:
    name = ratings.layout.cluster or ""
    return name.lower() if name.isalpha() else "cluster of items"


def _numbers(ratings: Ratings) -> tuple[np.ndarray, Ints, Floats, Ints | None, int]:
    """Items, and what people said of them in numbers; of two labels, the share of the last."""
    labels = ratings.meaning.labels
    if labels.n == 2 and labels.values is None:
        counted = ratings.item_counts()
        if ratings.named:
            first = ratings.answers().first()
            item = positions(first.items, counted.items)[first.item]
            value = (first.label == labels.n - 1).astype(np.float64)
            return counted.items, item, value, first.rater, len(first.raters)
        row, label = np.nonzero(counted.counts)
        times = counted.counts[row, label]
        value = np.repeat((label == labels.n - 1).astype(np.float64), times)
        return counted.items, np.repeat(row, times), value, None, 0
    counted_items = item_numbers(ratings).items
    found = one_by_one(ratings, counted_items)
    return counted_items, found.item, found.value, found.rater, len(found.raters)


def _preferences(
    ratings: Ratings,
) -> tuple[np.ndarray, Ints, Floats, Ints | None, int, float]:
    """Comparisons, and how far each answer prefers the first system, from 0 to 1."""
    labels = ratings.labels
    largest = _largest(labels)
    share = _shares(labels, largest)
    if np.isnan(share).any():
        strange = labels.names[int(np.isnan(share).argmax())]
        raise InputError(
            f"{ratings.name}: {strange!r} does not say which of two systems is better."
        )
    counted = ratings.item_counts()
    if ratings.named:
        first = ratings.answers().first()
        item = positions(first.items, counted.items)[first.item]
        value = share[first.label]
        return counted.items, item, value, first.rater, len(first.raters), largest
    row, label = np.nonzero(counted.counts)
    times = counted.counts[row, label]
    return (
        counted.items,
        np.repeat(row, times),
        share[np.repeat(label, times)],
        None,
        0,
        largest,
    )


def _largest(labels: Labels) -> float:
    """The strongest preference among labels that are numbers."""
    return 0.0 if labels.values is None else float(np.abs(labels.values).max(initial=0.0))


def _shares(labels: Labels, largest: float) -> Floats:
    found = [share_of_first(name, largest) for name in labels.names]
    return np.array([np.nan if each is None else each for each in found])


def _judge_says(
    study: Study,
    machines: Predictions,
    members: dict[str, str],
    items: np.ndarray,
    largest: float,
    pairs: bool,
) -> tuple[Floats, bool]:
    """What a judge says of each item (I,), the mean of both orders where it saw both."""
    rows = met_by_id(items, machines)
    labels = study.ratings.meaning.labels
    told = []
    for raw in machines.classifiers:
        if raw.name not in members:
            continue
        if not pairs and (labels.n != 2 or labels.values is not None):
            said = classifier_numbers(machines, raw, labels if labels.n else None, unknown="drop")
        else:
            settled = settle(machines, raw, labels, labels.positive(study.positive))
            share = _shares(labels, largest) if pairs else np.arange(labels.n, dtype=np.float64)
            said = _settled_share(settled, share)
        told.append(np.where(rows >= 0, said[rows], np.nan))
    every = np.array(told)
    known = ~np.isnan(every)
    total = np.where(known, every, 0.0).sum(axis=0)
    times = known.sum(axis=0)
    mean = np.divide(total, times, out=np.full(len(items), np.nan), where=times > 0)
    return mean, pairs or _on_scale(study.ratings, mean)


def _settled_share(settled: Settled, share: Floats) -> Floats:
    if settled.probabilities is not None:
        said = settled.probabilities @ share
    else:
        assert settled.codes is not None
        said = np.where(settled.codes >= 0, share[np.maximum(settled.codes, 0)], np.nan)
    return np.where(settled.answered & ~settled.unknown, said, np.nan)


def _on_scale(ratings: Ratings, said: Floats) -> bool:
    """Whether a judge's numbers are people's: within their range, and filling half of it."""
    labels = ratings.meaning.labels
    known = said[~np.isnan(said)]
    if not len(known):
        return False
    numbers = item_numbers(ratings) if labels.values is not None or not labels.n else None
    low, high = (0.0, 1.0) if numbers is None else (numbers.least, numbers.most)
    inside = known.min() >= low and known.max() <= high
    return bool(inside and known.max() - known.min() >= (high - low) / 2)


def judges_of(machines: Predictions) -> dict[str, dict[str, str]]:
    """Judges by name: the classifiers that are one judge asked in two orders, and these orders."""
    alone = {name: {name: ""} for name in machines.names}
    runs = machines.runs
    if runs is None or "variant" not in runs.column_names:
        return alone
    ways = pa.table({name: runs[name] for name in ("classifier", "judge", "variant")})
    ways = ways.group_by(["classifier", "judge", "variant"]).aggregate([])
    parts = {
        row["classifier"]: (row["judge"], row["variant"].split(BETWEEN)) for row in ways.to_pylist()
    }
    longest = max(len(way) for _, way in parts.values())
    at = next((k for k in range(longest) if _is_order({w[k] for _, w in parts.values()})), None)
    if at is None:
        return alone
    found: dict[str, dict[str, str]] = {}
    for name in machines.names:
        judge, way = parts[name]
        rest = [judge, *(part for k, part in enumerate(way) if k != at)]
        found.setdefault(BETWEEN.join(rest), {})[name] = way[at].strip().lower()
    return found


def _is_order(values: set[str]) -> bool:
    told = {value.strip().lower() for value in values}
    return len(told) == 2 and any(told == set(order) for order in _ORDERS)


def _both_orders(
    machines: Predictions, parts: dict[str, dict[str, str]], ratings: Ratings
) -> dict[str, Asked]:
    """The answers of judges that were asked in both orders, comparison by comparison."""
    found = {}
    ids = texts(machines.ids)
    cluster = _clusters(ratings, ids)
    for judge, members in parts.items():
        if len(members) != 2:
            continue
        orders = {order: name for name, order in members.items()}
        pair = next((each for each in _ORDERS if set(each) == set(orders)), None)
        if pair is None:
            continue
        columns = []
        for order in pair:
            raw = next(each for each in machines.classifiers if each.name == orders[order])
            if raw.whole is None:
                break
            columns.append(machines.columns[raw.whole])
        if len(columns) < 2:
            continue
        words = sorted({t for c in columns for t in c.distinct if t is not None and t.strip()})
        known = {word: at for at, word in enumerate(words)}
        codes = [
            np.array([known.get(t, -1) if t is not None else -1 for t in c.distinct])[c.codes]
            for c in columns
        ]
        found[judge] = Asked(codes[0], codes[1], _leanings(words), cluster)
    return found


def _clusters(ratings: Ratings, ids: np.ndarray) -> Ints:
    """The prompt of each predicted item; an item that has no rating is its own."""
    rated = ratings.item_counts().items
    rows = positions(ids, rated)
    own = np.arange(len(ids)) + len(rated)
    if not ratings.layout.cluster:
        return np.unique(np.where(rows >= 0, rows, own), return_inverse=True)[1]
    code = ratings.columns_of(rated)["cluster"].code
    return np.unique(np.where(rows >= 0, code[rows], own), return_inverse=True)[1]


def _leanings(words: list[str]) -> Floats:
    """How far each answer prefers the first of two: 1, ½ a tie, 0; NaN where that is not known."""
    numbers = {"0", "1", "2"}
    out = []
    for word in words:
        plain = share_of_first(word, 0.0)
        if plain is None and set(words) <= numbers:
            plain = {"1": 1.0, "2": 0.0, "0": 0.5}[word]
        if plain is None:
            lean = preference(word)
            plain = np.nan if lean is None else 0.5 + np.sign(lean) / 2
        out.append(plain)
    return np.array(out, dtype=np.float64)


def _people_asked(ratings: Ratings) -> Asked | None:
    """The answers of people who saw a comparison in both orders; None where none did."""
    source = ratings.source
    if source is None or SHOWN not in source.columns or not ratings.layout.rater:
        return None
    if len(Profile.of(source, SHOWN).vocabulary) < 2:
        return None
    label = LABEL if LABEL in source.columns else str(ratings.layout.label)
    cluster = ratings.layout.cluster or ratings.layout.item
    fields = {
        "item": ratings.layout.item,
        "rater": ratings.layout.rater,
        "label": label,
        "shown": SHOWN,
        "unit": cluster,
    }
    chosen = ", ".join(f"{source.text(column)} AS {name}" for name, column in fields.items())
    first, second = (
        f"min(label) FILTER (shown = '{order}') AS {name}"
        for order, name in (("12", "one"), ("21", "two"))
    )
    table = source.ask(
        f"SELECT unit, {first}, {second} FROM (SELECT {chosen} FROM source) "
        "GROUP BY item, rater, unit"
    )
    words = sorted(
        {text for name in ("one", "two") for text in pc.unique(table[name]).to_pylist() if text}
    )
    known = {word: at for at, word in enumerate(words)}
    codes = [
        np.array([known.get(text, -1) for text in table[name].to_pylist()], dtype=np.int64)
        for name in ("one", "two")
    ]
    units = np.unique(np.array(table["unit"].to_pylist(), dtype=str), return_inverse=True)[1]
    share = np.array([share_of_first(w, _largest_of(words)) for w in words], dtype=np.float64)
    return Asked(codes[0], codes[1], share, units)


def _largest_of(words: list[str]) -> float:
    try:
        return max(abs(float(word)) for word in words)
    except ValueError:
        return 0.0


def told_of(tournament: Tournament) -> str:
    """What was ranked, in words."""
    verdicts = tournament.verdicts
    if verdicts is None:
        return "comparisons that name no systems"
    items = len(verdicts.field.first)
    noun = "comparison" if tournament.pairs else "item"
    return f"{count(items, noun, noun + 's')} of {len(tournament.systems)} systems"
