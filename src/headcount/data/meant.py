"""Which answers mean which label, in SQL: a column `label`, and the user's texts as $l0, $l1, …"""

from headcount.data.meaning import Meaning

NUMBER = "TRY_CAST(label AS DOUBLE)"
IS_NUMBER = f"coalesce(isfinite({NUMBER}), false)"


def counts_sql(meaning: Meaning) -> str:
    """How often each label was given, n0, n1 and so on; of numbers how many there are."""
    if meaning.as_numbers:
        return f"{_how_often(meant_sql(meaning))} AS n0"
    places = _places(meaning)
    return ", ".join(
        f"{_how_often(_is_one_of(places[j]))} AS n{j}" for j in range(meaning.labels.n)
    )


def _how_often(condition: str) -> str:
    # `count_if` sums, in a field three times as wide.
    return f"count(CASE WHEN {condition} THEN 1 END)"


def _places(meaning: Meaning) -> list[list[str]]:
    """For each label, the values in SQL that mean it."""
    found: list[list[str]] = [[] for _ in meaning.labels.names]
    for k, code in enumerate(meaning.codes.values()):
        found[code].append(f"$l{k}")
    return found


def _is_one_of(places: list[str]) -> str:
    if not places:
        return "false"
    if len(places) == 1:  # a third faster than a list of one
        return f"label = {places[0]}"
    return f"label IN ({', '.join(places)})"


def meant_sql(meaning: Meaning) -> str:
    """Answers that are labels; where none is missing there is nothing to compare."""
    if meaning.as_numbers:
        others = ", ".join(map(repr, meaning.no_answers))
        return IS_NUMBER + (f" AND {NUMBER} NOT IN ({others})" if others else "")
    if not meaning.missing:
        return "true"
    return _is_one_of([f"$l{k}" for k in range(len(meaning.codes))])
