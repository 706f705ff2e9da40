"""Which of two answers is better: a table of pairs as one of items, raters and labels.

An item is a comparison: a prompt and two systems, in the order of their names, whichever was shown
first. What was answered is turned to that order, so that one opinion is one label, and a rater or
judge who saw both orders has answered twice.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from headcount.door.profiles import Profile
from headcount.door.roles import ALIASES, Roles, find_column, listing, match_columns, plain_name
from headcount.door.source import Source, table_source
from headcount.door.text import exact_number, is_missing
from headcount.errors import InputError

SIDES: tuple[tuple[str, str], ...] = (
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
    ("generator_1", "generator_2"),
    ("model1", "model2"),
    ("system1", "system2"),
    ("player_a", "player_b"),
    ("left_model", "right_model"),
)
"""What the two systems of a comparison are called, in tables that say so."""
WINNER = ("winner", "preference", "preferred", "choice", "verdict", "vote", "human_preference")
"""What the column is called that says which one won; `label` too, where it says just that."""
ONE_HOT = ("winner_model_a", "winner_model_b", "winner_tie")
"""The same in a column each, 0 or 1."""
PROMPT = (
    *("question_id", "prompt_id", "instruction_id", "example_id", "sample_id", "instance_id"),
    *("item", "item_id", "task", "task_id", "id", "idx", "prompt", "question", "instruction"),
)
"""What names the prompt that both answered."""
TURN = "turn"
"""What numbers the turns of a dialogue: each is compared by itself, the dialogue is a cluster."""

ITEM, LABEL, FIRST, SECOND, SHOWN = (
    "comparison",
    "preferred",
    "first system",
    "second system",
    "shown order",
)
CLUSTER = "prompt"
WORDS = ("first", "tie", "second")
"""The labels of comparisons that are not graded: the first system by name is better, and so on."""
BETWEEN = ":"
"""What stands between the parts of a comparison's name; a colon of the user's is doubled."""

_A = re.compile(
    r"\[*(model|system|answer|response|output|assistant|option|candidate|player|winner_model)?"
    r"[ _-]*(a|1|left|first)( is better| wins| better)?\]*"
)
_B = re.compile(
    r"\[*(model|system|answer|response|output|assistant|option|candidate|player|winner_model)?"
    r"[ _-]*(b|2|right|second)( is better| wins| better)?\]*"
)
_TIE = re.compile(
    r"\[*(c|tie|tied|ties|draw|equal|equally good|same|both|neither|none|no preference|a ?= ?b"
    r"|tie \(both ?bad\)|tie \(both ?good\)|both bad|both good|bothbad|both_bad)\]*"
)
_GRADED = re.compile(r"\[*a ?(>{1,3}|<{1,3}|=) ?b\]*|\[*b ?(>{1,3}|<{1,3}|=) ?a\]*")
_WORDY = re.compile(
    r"(?:model|system|answer|response|output)?[ _-]*([ab12]) (?:is )?(much|slightly|a bit) better"
)
_SLIGHTLY, _MUCH = 1, 2


def as_comparisons(source: Source, roles: Roles) -> tuple[Source, Roles]:
    """The table with a row an answer about a comparison, and the roles that name its columns.

    As it was where it holds no pairs: neither said by the user nor told by its names.
    """
    sides = _sides(source, roles)
    if sides is None:
        read = {FIRST, SECOND} <= set(source.columns)  # by the reader of an export
        return source, _as_read(source, roles) if read else roles
    a, b = sides
    free = [name for name in source.columns if name not in sides]
    answers, people = _answers(source, roles, free)
    if not answers:
        return source, roles
    values = {name: _meanings(source, name, a, b) for name in answers}
    rest = [name for name in free if name not in answers]
    rater = None if people else find_column("rater", rest, roles.rater, table=source.name)
    prompt = _prompt(source, roles, [name for name in rest if name != rater])
    return _turned(source, roles, sides, values, rater, prompt, people=people)


def _as_read(source: Source, roles: Roles) -> Roles:
    """The roles of comparisons that were turned when an export was read."""
    cluster = CLUSTER if CLUSTER in source.columns else None
    shown = SHOWN if SHOWN in source.columns and Profile.of(source, SHOWN).repeats else None
    return replace(
        roles,
        systems=(FIRST, SECOND),
        cluster=roles.cluster or cluster,
        occasion=roles.occasion or shown,
    )


def _sides(source: Source, roles: Roles) -> tuple[str, str] | None:
    """The columns of the two systems."""
    if roles.a is not None or roles.b is not None:
        for side, name in (("a", roles.a), ("b", roles.b)):
            if name is None:
                raise InputError(
                    f"{source.name}: a= and b= name the two systems of a comparison: give both "
                    "(--a and --b)."
                )
            find_column(side, source.columns, name, table=source.name)
        return str(roles.a), str(roles.b)
    if roles.label is not None or roles.raters or roles.classifiers:
        return None  # told what the labels are, nothing is made of other columns
    plain = {plain_name(name): name for name in reversed(source.columns)}
    found = next((pair for pair in SIDES if pair[0] in plain and pair[1] in plain), None)
    return None if found is None else (plain[found[0]], plain[found[1]])


def _answers(source: Source, roles: Roles, free: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The columns that say who won, and whether each of them is a rater's or a judge's."""
    wide = roles.raters or roles.classifiers
    if roles.winner is None and wide:
        role = "raters" if roles.raters else "classifiers"
        return match_columns(role, wide, free, table=source.name), True
    winner = find_column("winner", free, roles.winner, table=source.name)
    if winner is None:
        plain = {plain_name(name): name for name in reversed(free)}
        winner = next((plain[name] for name in WINNER if name in plain), None)
        label = plain.get("label")
        if winner is None and label is not None:
            said = Profile.of(source, label).vocabulary
            winner = label if said and all(preference(text) is not None for text in said) else None
        if winner is None and all(name in plain for name in ONE_HOT):
            return tuple(plain[name] for name in ONE_HOT), False
    if winner is None:
        if roles.a is None:
            return (), False
        raise InputError(
            f"{source.name} has no column that says which of {roles.a!r} and {roles.b!r} won "
            f"(winner, preference, …): name it with winner= (--winner), or the raters that have a "
            f"column each with raters= (--raters); its columns are {listing(source.columns)}."
        )
    return (winner,), False


def _prompt(source: Source, roles: Roles, free: Sequence[str]) -> tuple[str, ...]:
    """The columns that name the prompt; () where each row is one of its own."""
    if roles.items:
        for name in roles.items:
            find_column("item", source.columns, name, table=source.name)
        return roles.items
    plain = {plain_name(name): name for name in reversed(free)}
    return next(((plain[name],) for name in PROMPT if name in plain), ())


def preference(text: str) -> float | None:
    """How far A is preferred by an answer, from −2 to 2, 0 a tie; None where that is not known.

    >>> [preference(t) for t in ("model_a", "[[B]]", "tie (bothbad)", "A>>B", "B slightly better")]
    [2, -2, 0, 2, -1]
    """
    said = " ".join(text.strip().lower().split())
    if _TIE.fullmatch(said):
        return 0
    if _GRADED.fullmatch(said):
        signs = re.sub(r"[^<>=]", "", said)
        if "=" in signs:
            return 0
        ahead = _SLIGHTLY if len(signs) == 1 else _MUCH
        a_first = said.lstrip("[").startswith("a")
        return ahead if a_first == (">" in signs) else -ahead
    wordy = _WORDY.fullmatch(said)
    if wordy:
        ahead = _MUCH if wordy.group(2) == "much" else _SLIGHTLY
        return ahead if wordy.group(1) in "a1" else -ahead
    if _A.fullmatch(said):
        return _MUCH
    return -_MUCH if _B.fullmatch(said) else None


def _meanings(source: Source, name: str, a: str, b: str) -> dict[str, float]:
    """What each answer of a column means, from −2 (B) to 2 (A), but for systems' own names."""
    text = source.text(name)
    named = f"{text} = {source.text(a)} OR {text} = {source.text(b)}"
    table = source.ask(
        f"SELECT {text} AS said, bool_and(coalesce({named}, false)) AS own FROM source GROUP BY ALL"
    )
    said = [
        (answer, own)
        for answer, own in zip(table["said"].to_pylist(), table["own"].to_pylist(), strict=True)
        if not is_missing(answer)
    ]
    plain = [answer for answer, own in said if not own]
    numbers = [exact_number(answer) for answer in plain]
    known = [float(number) for number in numbers if number is not None]
    if known and len(known) == len(plain):
        return dict(zip(plain, _numbers(source, name, known), strict=True))
    found = {answer: preference(answer) for answer in plain}
    strange = [answer for answer, value in found.items() if value is None]
    if strange:
        raise InputError(
            f"{source.name}: {strange[0]!r} in the column {name!r} does not say which of "
            f"{a!r} and {b!r} is better: A, B and tie are known in their usual spellings, and "
            "A>>B, A>B, A=B, B>A, B>>A: write it as one of these, or leave the cell blank where "
            "there is no answer."
        )
    return {answer: value for answer, value in found.items() if value is not None}


def _numbers(source: Source, name: str, known: Sequence[float]) -> list[float]:
    """Numbers as preferences: 1 and 2 with 0 for a tie, 1 to 2 in between, or a scale to B."""
    low, high = min(known), max(known)
    if set(known) <= {0.0, 1.0, 2.0}:
        return [{0.0: 0.0, 1.0: 2.0, 2.0: -2.0}[number] for number in known]
    if low >= 1 and high <= 2:
        return [4 * (1.5 - number) for number in known]
    raise InputError(
        f"{source.name}: the column {name!r} holds numbers from {low:g} to {high:g}, and nothing "
        "says which end means that A is better: write A>>B, A>B, A=B, B>A and B>>A for them."
    )


def _turned(
    source: Source,
    roles: Roles,
    sides: tuple[str, str],
    values: dict[str, dict[str, float]],
    rater: str | None,
    prompt: tuple[str, ...],
    *,
    people: bool,
) -> tuple[Source, Roles]:
    """A row an answer, turned to the order of the systems' names."""
    a, b = (source.text(name) for name in sides)
    kept = _kept(source, roles, {*sides, *values, rater, *prompt})
    row = "CAST(row_number() OVER () AS VARCHAR)"
    turn = next((n for n in source.columns if plain_name(n) == TURN and n not in prompt), None)
    asked = _joined(source, prompt) if prompt else row
    whole = _joined(source, (*prompt, turn)) if prompt and turn else asked
    fields = [f"{a} AS a", f"{b} AS b", f"{asked} AS asked", f"{whole} AS whole"]
    fields += [f"{source.text(rater)} AS rater"] if rater else []
    fields += [f"{source.text(name)} AS k{j}" for j, name in enumerate(kept)]
    answers = list(values)
    if len(answers) > 1 and not people:  # a column for each outcome
        ones = [f"{source.text(name)} IN ('1', 'true', 'True')" for name in answers]
        said = f"CASE WHEN {ones[0]} THEN 'A' WHEN {ones[1]} THEN 'B' WHEN {ones[2]} THEN 'tie' END"
        values, answers = {"": {"A": 2.0, "B": -2.0, "tie": 0.0}}, [""]
        inner = f"SELECT {', '.join([*fields, f'{said} AS said'])} FROM source"
    elif people:
        cells = ", ".join(f"{{'r': {j}, 't': {source.text(n)}}}" for j, n in enumerate(answers))
        rows = f"(SELECT *, unnest([{cells}]) AS cell FROM source)"
        fields += ["list_extract($names, cell.r + 1) AS rater", "cell.t AS said"]
        inner = f"SELECT {', '.join(fields)} FROM {rows}"
    else:
        inner = f"SELECT {', '.join([*fields, f'{source.text(answers[0])} AS said'])} FROM source"
    known = {text: value for each in values.values() for text, value in each.items()}
    graded = not set(known.values()) <= {-2.0, 0.0, 2.0}
    given: dict[str, list[str]] = {"texts": list(known), "to_a": [], "to_b": []}
    for value in known.values():
        given["to_a"].append(_label(value, graded=graded))
        given["to_b"].append(_label(-value, graded=graded))
    if people:
        given["names"] = answers
    own_a, own_b = _label(2.0, graded=graded), _label(-2.0, graded=graded)
    place = "list_position($texts, said)"
    label = (
        f"CASE WHEN said = a THEN CASE WHEN a <= b THEN '{own_a}' ELSE '{own_b}' END "
        f"WHEN said = b THEN CASE WHEN a <= b THEN '{own_b}' ELSE '{own_a}' END "
        f"WHEN a <= b THEN list_extract($to_a, {place}) ELSE list_extract($to_b, {place}) END"
    )
    named = rater is not None or people
    first, second = "least(a, b)", "greatest(a, b)"
    escaped = [f"replace({name}, '{BETWEEN}', '{BETWEEN * 2}')" for name in (first, second)]
    columns = {
        ITEM: f"whole || '{BETWEEN}' || {escaped[0]} || '{BETWEEN}' || {escaped[1]}",
        **({"rater": "rater"} if named else {}),
        LABEL: label,
        CLUSTER: "asked",
        FIRST: first,
        SECOND: second,
        SHOWN: "CASE WHEN a <= b THEN '12' ELSE '21' END",
        **{name: f"k{j}" for j, name in enumerate(kept)},
    }
    chosen = ", ".join(f"{sql} AS c{j}" for j, sql in enumerate(columns.values()))
    table = source.ask(
        f"SELECT {chosen} FROM ({inner}) WHERE a IS NOT NULL AND b IS NOT NULL", given
    )
    return _as_source(source, roles, table, tuple(columns), sides, kept, named=named, prompt=prompt)


def _joined(source: Source, names: Sequence[str]) -> str:
    texts = [
        f"replace(coalesce({source.text(name)}, ''), '{BETWEEN}', '{BETWEEN * 2}')"
        for name in names
    ]
    return f" || '{BETWEEN}' || ".join(texts)


def joined_name(*parts: str) -> str:
    """The name of a comparison: its prompt, and the two systems in the order of their names.

    >>> joined_name("81", "a:b", "c")
    '81:a::b:c'
    """
    return BETWEEN.join(part.replace(BETWEEN, BETWEEN * 2) for part in parts)


def _as_source(
    source: Source,
    roles: Roles,
    table: pa.Table,
    columns: tuple[str, ...],
    sides: tuple[str, str],
    kept: Sequence[str],
    *,
    named: bool,
    prompt: tuple[str, ...],
) -> tuple[Source, Roles]:
    """The turned table, told how it was read."""
    rows = source.ask_row("SELECT count(*) FROM source")[0]
    notes = [
        *source.notes,
        f"{source.name}: a row a comparison of {sides[0]!r} with {sides[1]!r}, turned to the order "
        f"of their names; prompt = {listing(prompt) if prompt else 'each row'}.",
    ]
    lost = rows - table.num_rows if not roles.raters and not roles.classifiers else 0
    if lost > 0:
        notes.append(f"{source.name}: {lost:,} rows without one of the two systems were left out.")
    made = table_source(source.name, columns, table, notes=tuple(notes))
    occasion = roles.occasion or next(
        (name for name in kept if plain_name(name) in ALIASES["occasion"]), None
    )
    twice, most = _both_orders(made, named=named)
    return replace(made, call=source.call), replace(
        roles,
        a=None,
        b=None,
        winner=None,
        item=ITEM,
        rater="rater" if named else "",
        label=LABEL,
        raters=(),
        classifiers=(),
        cluster=roles.cluster or CLUSTER,
        occasion=occasion or (SHOWN if twice else None),
        variants=(SHOWN,) if most else (),
        systems=(FIRST, SECOND),
    )


def _both_orders(made: Source, *, named: bool) -> tuple[bool, bool]:
    """Whether anybody answered a comparison in both orders, and whether most were answered so."""
    who = ", c1" if named else ""
    shown = f"c{made.columns.index(SHOWN)}"
    sql = (
        "SELECT count(*) FILTER (orders > 1), count(*) FROM "
        f"(SELECT c0{who}, count(DISTINCT {shown}) AS orders FROM source GROUP BY ALL)"
    )
    twice, every = made.ask_row(sql)
    return bool(twice), bool(twice) and 2 * twice >= every


def _kept(source: Source, roles: Roles, taken: set[str | None]) -> tuple[str, ...]:
    """The columns that the user names for something else, and those that order answers."""
    single = (roles.cluster, roles.gold, roles.occasion, roles.pool, roles.weight, roles.text)
    wanted = [*roles.slices, *roles.groups, *(name for name in single if name)]
    for name in wanted:
        find_column("column", source.columns, name, table=source.name)
    times = [n for n in source.columns if plain_name(n) in ALIASES["occasion"] and n not in taken]
    return tuple(dict.fromkeys([*wanted, *times[:1]]))


def _label(value: float, *, graded: bool) -> str:
    if not graded:
        return WORDS[0] if value > 0 else WORDS[2] if value < 0 else WORDS[1]
    return f"{value:.6g}"


def share_of_first(label: str, largest: float) -> float | None:
    """How far a label prefers the first system, from 0 to 1; None where it says nothing of that.

    >>> share_of_first("second", 2), share_of_first("1", 2)
    (0.0, 0.75)
    """
    if label in WORDS:
        return (1.0, 0.5, 0.0)[WORDS.index(label)]
    number = exact_number(label)
    return None if number is None or not largest else 0.5 + float(number) / (2 * largest)
