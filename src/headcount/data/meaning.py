"""From raw label texts to the label set: spellings merged, missing values set apart."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from headcount.counting import CountsNumbers, Grouped, Reductions, size
from headcount.data.labels import Labels, as_number
from headcount.data.scale import Scale, declared_scale, scale_of_numbers
from headcount.data.spellings import spelling_notes
from headcount.door.roles import listing
from headcount.door.text import SPACES, exact_number, is_missing, plain_number
from headcount.errors import HeadcountError, InputError, OptionError
from headcount.frozen import frozen

# More different texts are no labels but ids or remarks: the column is the wrong one. More numbers
# are scores, which are summed and not listed.
MOST_LABELS = 1000


@frozen
class Meaning:
    """What each raw text means: `codes` maps it to a label's position; missing ones are absent.

    `missing` counts the answers that are blank, None or NaN; `notes` say which spellings became
    one label. `scale` is what the labels were declared to be, None where that is to be detected.
    `as_numbers` says that numbers are counted, not labels: every number is an answer but those
    in `no_answers`.
    """

    labels: Labels
    codes: dict[str, int]
    missing: int = 0
    notes: tuple[str, ...] = ()
    scale: Scale | None = None
    as_numbers: bool = False
    no_answers: tuple[float, ...] = ()

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.labels.n

    @property
    def n_counts(self) -> int:
        """How many counts an item has: one a label, or one of all numbers."""
        return 1 if self.as_numbers else self.labels.n

    @property
    def spaced(self) -> bool:
        """Whether an answer came with spaces around it that were left in place."""
        return any(raw != raw.strip(SPACES) for raw in self.codes)

    def spellings(self) -> list[list[str]]:
        """For each label, the raw texts that mean it."""
        found: list[list[str]] = [[] for _ in self.labels.names]
        for raw, code in self.codes.items():
            found[code].append(raw)
        return found


@frozen
class Declared:
    """What the user says of the labels.

    `order` lists them, `scale` says what the order means, `mapping` renames answers, `fold_case`
    makes upper and lower case one, `missing` are spellings of "no answer" beside the usual ones.
    A label that is declared (by `order` or as what an answer is renamed to) is never missing.
    `arranged` says that `order` is that of columns, from which no rank follows.
    """

    order: Sequence[str] | None = None
    scale: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    fold_case: bool = False
    missing: tuple[str, ...] = ()
    arranged: bool = False

    def or_columns(self, columns: Sequence[str]) -> "Declared":
        """Counts keep the order of their columns, unless all are numbers."""
        if self.order is not None:
            return self
        names = list(dict.fromkeys(self._renamed(column) for column in columns))
        if Labels.found(names).numbers is not None:
            return self
        return replace(self, order=names, arranged=True)

    def _renamed(self, text: str) -> str:
        name = text.strip()
        return self.mapping.get(text, self.mapping.get(name, name))

    def names(self, raws: Sequence[str]) -> dict[str, str]:
        """What each raw text is called: renamed, numbers in one spelling, case folded."""
        names = {raw: self._renamed(raw) for raw in raws}
        given = [str(name) for name in self.order or ()]
        if all(exact_number(name) is not None for name in [*names.values(), *given]):
            return {raw: plain_number(name) for raw, name in names.items()}
        if {name.casefold() for name in names.values()} <= {"true", "false"} and not given:
            return {raw: name.casefold() for raw, name in names.items()}
        if not self.fold_case:
            return names
        known = {name.casefold(): name for name in [*sorted(names.values(), reverse=True), *given]}
        return {raw: known[name.casefold()] for raw, name in names.items()}

    @property
    def missing_numbers(self) -> tuple[float, ...]:
        """The numbers that stand for "no answer", such as 999."""
        found = (exact_number(text) for text in self.missing)
        return tuple(float(number) for number in found if number is not None)

    def is_missing(self, raw: str | None) -> bool:
        """Whether a raw text is no answer; what is declared to be a label is one."""
        if raw is None or not raw.strip():
            return True
        declared = self.order is not None and raw.strip() in {str(name) for name in self.order}
        renamed = raw in self.mapping or raw.strip() in self.mapping
        return not declared and not renamed and is_missing(raw, self.missing)


def understand(
    tally: Mapping[str | None, int], declared: Declared | None = None, *, table: str
) -> Meaning:
    """Settle the label set from how often each raw text occurs."""
    declared = declared or Declared()
    raws = [raw for raw in tally if raw is not None and not declared.is_missing(raw)]
    missing = sum(n for raw, n in tally.items() if declared.is_missing(raw))
    if not raws:
        what = "every label in it is missing" if missing else "it has a header and no rows"
        raise InputError(f"{table} holds no ratings: {what}.")
    if len(raws) > MOST_LABELS and all(exact_number(raw) is not None for raw in raws):
        return numbers(len(raws), missing, declared)
    if len(raws) > MOST_LABELS:
        raise InputError(
            f"{table} has {len(raws):,} different labels (such as {listing(sorted(raws), 3)}), "
            f"more than {MOST_LABELS:,}: is the label column the right one? Name it with label=."
        )
    names = declared.names(raws)
    labels = (
        Labels.found(list(names.values()))
        if declared.order is None
        else _ordered(declared.order, names, table)
    )
    ordered = declared.order is not None and not declared.arranged
    scale = declared_scale(labels, declared.scale, ordered=ordered)
    labels = replace(
        labels,
        folded=declared.fold_case or _are_truths(labels.names),
        ranked=scale is not None and scale.has_order,
    )
    codes = {raw: labels.index[names[raw]] for raw in raws}
    return Meaning(
        labels,
        codes,
        missing,
        (*_merged(names), *_set_aside(tally, declared), *spelling_notes(labels.names))
        if scale is None or not scale.has_order
        else (*_merged(names), *_set_aside(tally, declared)),
        scale,
        no_answers=declared.missing_numbers,
    )


def numbers(distinct: int, missing: int, declared: Declared) -> Meaning:
    """The meaning of answers that are too many different numbers to be labels."""
    kind = declared.scale or "numeric"
    if kind != "numeric":
        raise OptionError(
            f'scale="{kind}" needs at most {MOST_LABELS:,} labels, and these are {distinct:,} '
            "different numbers: leave it out, or round them."
        )
    return Meaning(
        Labels(()),
        {},
        missing,
        scale=scale_of_numbers(distinct),
        as_numbers=True,
        no_answers=declared.missing_numbers,
    )


def _set_aside(tally: Mapping[str | None, int], declared: Declared) -> tuple[str, ...]:
    """Which answers are taken for none because the user says so."""
    named = [raw for raw in tally if raw and raw.strip() in declared.missing]
    named = sorted(raw for raw in named if declared.is_missing(raw))
    return (f"Taken for no answer: {listing(named, 6)}.",) if named else ()


def _are_truths(names: Sequence[str]) -> bool:
    return {name.casefold() for name in names} <= {"true", "false"}


def _merged(names: Mapping[str, str]) -> tuple[str, ...]:
    """Which spellings became one label, said for the labels where several did."""
    by_name: dict[str, list[str]] = {}
    for raw, name in names.items():
        by_name.setdefault(name, []).append(raw)
    return tuple(
        f"The answers {listing(sorted(raws), 6)} are taken for one label, {name!r}."
        for name, raws in sorted(by_name.items())
        if len(raws) > 1
    )


def _ordered(order: Sequence[str], names: Mapping[str, str], table: str) -> Labels:
    given = tuple(str(name).strip() for name in order)
    numeric = all(exact_number(name) is not None for name in given)
    if numeric:
        given = tuple(plain_number(name) for name in given)
    if len(set(given)) != len(given):
        raise OptionError(f"order= names a label twice: {listing(given)}.")
    unnamed = sorted(set(names.values()) - set(given))
    if unnamed:
        raise OptionError(
            f"{table} holds labels that order= does not name ({listing(unnamed)}): add them to it."
        )
    return Labels(given)


def understand_and_group(
    reductions: Reductions, declared: Declared, *, table: str
) -> tuple[Meaning, Grouped]:
    """Settle the label set and count every answer, also a rater's second ones on an item.

    The labels of the first rows are taken for all there are. Counting shows whether that is
    so; only if it is not, every row is asked for its label, and counted again if one is new.
    """
    guess = _guess(reductions, declared, table)
    if guess is None:
        meaning = _many_numbers(reductions, declared)
        meaning = meaning or understand(reductions.tally(), declared, table=table)
        return meaning, reductions.patterns(door_meaning(meaning, reductions), first=False)
    grouped = reductions.patterns(guess, first=False)
    if not grouped.unknown:
        return guess, grouped
    meaning = understand(reductions.tally(), declared, table=table)
    if meaning.codes != guess.codes:
        grouped = reductions.patterns(meaning, first=False)
    return meaning, grouped


def door_meaning(meaning: Meaning, reductions: Reductions) -> Meaning:
    """How answers are counted at the door: many numbers as numbers, whatever they mean.

    A scale of a hundred levels has nearly as many different counts as items.
    """
    if (
        meaning.as_numbers
        or meaning.labels.n <= size.LABELS_GUESSED
        or not _are_their_texts(meaning)
    ):
        return meaning
    return replace(meaning, as_numbers=isinstance(reductions, CountsNumbers))


def _are_their_texts(meaning: Meaning) -> bool:
    """Whether every answer is the number that its label is, none renamed or ranked."""
    values = meaning.labels.numbers
    return values is not None and all(
        as_number(raw) == values[code] for raw, code in meaning.codes.items()
    )


def _many_numbers(reductions: Reductions, declared: Declared) -> Meaning | None:
    """What many different numbers mean, without a look at each; None where they are not that."""
    if declared.order or declared.mapping or not isinstance(reductions, CountsNumbers):
        return None
    if not reductions.may_be_many(2 * MOST_LABELS):
        return None
    texts, distinct = reductions.no_numbers()
    if distinct <= 2 * MOST_LABELS:  # about so many: few enough to be listed
        return None
    if not all(declared.is_missing(text) for text in texts):
        return None
    return numbers(distinct, sum(texts.values()), declared)


def _guess(reductions: Reductions, declared: Declared, table: str) -> Meaning | None:
    """What the first rows say, unless it is plain that all rows must be asked."""
    seen = reductions.glance()
    if not 0 < len(seen) <= size.LABELS_GUESSED or any(declared.is_missing(raw) for raw in seen):
        return None
    try:
        return understand(seen, declared, table=table)
    except HeadcountError:  # to be told with all rows in view
        return None
