"""Two results that should be the same, and where they differ."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

NAMES = ("ratings_from", "predictions_from", "notes", "name")
"""What tells where data came from, and so differs by where they came from."""


def differences(
    first: Any, second: Any, *, within: float, but: Collection[str] = NAMES, where: str = ""
) -> Iterator[str]:
    """Every place in which two results in JSON's terms differ by more than `within`.

    Texts under the keys `but` may differ.
    """
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        for key in {**first, **second}:
            if key in but and isinstance(first.get(key), str | list | tuple):
                continue
            place = f"{where}/{key}"
            if key not in first or key not in second:
                yield f"{place} is in one only"
            else:
                yield from differences(first[key], second[key], within=within, but=but, where=place)
    elif _is_list(first) and _is_list(second):
        if len(first) != len(second):
            yield f"{where} has {len(first)} and {len(second)} entries"
        for place, pair in enumerate(zip(first, second, strict=False)):
            yield from differences(*pair, within=within, but=but, where=f"{where}[{place}]")
    elif _is_number(first) and _is_number(second):
        if abs(first - second) > within * max(1.0, abs(first)):
            yield f"{where}: {first!r} and {second!r}"
    elif first != second:
        yield f"{where}: {str(first)[:80]!r} and {str(second)[:80]!r}"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def assert_same(first: Any, second: Any, *, within: float = 1e-9) -> None:
    """The same states, the same sentences, and numbers that differ by rounding alone."""
    apart = list(differences(first, second, within=within, but=()))
    assert not apart, f"{len(apart)} differ: " + "; ".join(apart[:5])


_NUMBER = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?")


def assert_same_page(first: str, second: str, *, within: float = 1e-9) -> None:
    """The same text, in which numbers (those that figures hold have all digits) may be rounded."""
    assert _NUMBER.sub("0", first) == _NUMBER.sub("0", second)
    numbers = [[float(each) for each in _NUMBER.findall(text)] for text in (first, second)]
    assert_same(*numbers, within=within)
