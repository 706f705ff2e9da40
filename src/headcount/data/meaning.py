"""From raw label texts to the label set: spellings merged, missing values set apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from headcount.data.labels import Labels, Scale, as_number
from headcount.door.columns import listing
from headcount.door.missing import is_missing
from headcount.errors import InputError, OptionError

MOST_LABELS = 1000


@dataclass(frozen=True)
class Meaning:
    """What each raw text means: `codes` maps it to a label's position; missing ones are absent.

    `missing` counts the answers that are blank, None or NaN.
    """

    labels: Labels
    codes: dict[str, int]
    missing: int = 0

    def spellings(self) -> list[list[str]]:
        """For each label, the raw texts that mean it."""
        found: list[list[str]] = [[] for _ in self.labels.names]
        for raw, code in self.codes.items():
            found[code].append(raw)
        return found


@dataclass(frozen=True)
class Declared:
    """What the user says of the labels: their order, and what the order means."""

    order: Sequence[str] | None = None
    scale: str | None = None

    def or_columns(self, columns: Sequence[str]) -> "Declared":
        """Counts keep the order of their columns, unless all are numbers."""
        found = Labels.found(columns)
        if self.order is not None:
            return self
        if found.scale == "numeric":
            return Declared(None, self.scale)
        return Declared(columns, self.scale or "nominal")


def understand(
    tally: Mapping[str | None, int], declared: Declared | None = None, *, table: str
) -> Meaning:
    """Settle the label set from how often each raw text occurs."""
    raws = [raw for raw in tally if raw is not None and not is_missing(raw)]
    missing = sum(n for raw, n in tally.items() if is_missing(raw))
    if not raws:
        what = "every label in it is missing" if missing else "it has a header and no rows"
        raise InputError(f"{table} holds no ratings: {what}.")
    if len(raws) > MOST_LABELS:
        raise InputError(
            f"{table} has {len(raws):,} different labels (such as {listing(sorted(raws), 3)}), "
            f"more than {MOST_LABELS:,}: is the label column the right one? Name it with label=."
        )
    names = {raw: raw.strip() for raw in raws}
    if all(as_number(name) is not None for name in names.values()):
        names = {raw: plain_number(name) for raw, name in names.items()}
    declared = declared or Declared()
    labels = (
        Labels.found(list(names.values()))
        if declared.order is None
        else _ordered(declared.order, names, table)
    )
    if declared.scale is not None:
        labels = Labels(labels.names, _checked_scale(declared.scale, labels))
    return Meaning(labels, {raw: labels.index[names[raw]] for raw in raws}, missing)


def _checked_scale(scale: str, labels: Labels) -> Scale:
    if scale not in get_args(Scale):
        raise OptionError(f'scale is "nominal", "ordinal" or "numeric", not {scale!r}.')
    if scale == "numeric" and labels.values is None:
        raise OptionError(f'scale="numeric" needs labels that are numbers, not {labels.listing()}.')
    return cast(Scale, scale)


def plain_number(text: str) -> str:
    """A number in its shortest spelling, so that "1", "1.0" and "01" are one label."""
    number = float(text)
    return str(int(number)) if number == int(number) else repr(number)


def _ordered(order: Sequence[str], names: dict[str, str], table: str) -> Labels:
    given = tuple(str(name) for name in order)
    if len(set(given)) != len(given):
        raise OptionError(f"order= names a label twice: {listing(given)}.")
    if all(as_number(name) is not None for name in given):
        given = tuple(plain_number(name) for name in given)
    unnamed = sorted(set(names.values()) - set(given))
    if unnamed:
        raise OptionError(
            f"{table} holds labels that order= does not name ({listing(unnamed)}): add them to it."
        )
    numeric = all(as_number(name) is not None for name in given)
    return Labels(given, "numeric" if numeric else "ordinal")
