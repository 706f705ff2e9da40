"""What files hold by accident, and only one reading makes sense of: it is put right and told.

A header in the middle, where files were put one after the other; numbers with a decimal comma or a
percent sign; rows that nobody answered of items that have another row.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from headcount.door.arrays import text_column, whole
from headcount.door.database import quote_text
from headcount.door.layout import Layout
from headcount.door.profiles import Profile
from headcount.door.source import LOOK, Source, table_source
from headcount.door.text import exact_number, is_missing, is_text
from headcount.results import count

_MARK = "\ufeff"
"""A byte-order mark: each file that a spreadsheet writes begins with one."""
_COMMA = re.compile(r"[+-]?\d+,\d+")
_PERCENT = re.compile(r"[+-]?\d+([.,]\d+)?\s?%")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def repaired(source: Source, *, commas: bool = False) -> Source:
    """The table without its second headers, and with numbers as numbers.

    `commas` says that a comma does not separate its columns, so that it may be a decimal one.
    """
    source = without_headers(source)
    told: list[str] = []
    made: dict[int, str] = {}
    for position, name in enumerate(source.columns):
        if not is_text(source.kinds[position]):
            continue
        texts = _different(source, position)
        given = [text for text in texts if not is_missing(text)]
        if given and all(_PERCENT.fullmatch(text) for text in given):
            made[position] = (
                r"CASE WHEN regexp_full_match(trim({0}), '[+-]?[0-9]+([.,][0-9]+)?\s?%') THEN "
                "replace(trim(rtrim(trim({0}), '%')), ',', '.') ELSE {0} END"
            )
            told.append(f"{source.name}: {name!r} holds percents ({given[0]!r}): read as numbers.")
        elif _are_decimals(given, sure=commas):
            made[position] = (
                r"CASE WHEN regexp_full_match(trim({0}), '[+-]?[0-9]+,[0-9]+') THEN "
                "replace({0}, ',', '.') ELSE {0} END"
            )
            shown = next(text for text in given if "," in text)
            told.append(
                f"{source.name}: {name!r} holds numbers with a decimal comma ({shown!r}): read as "
                f"{shown.replace(',', '.')}."
            )
    return _rewritten(source, made, told) if made else source


def without_headers(source: Source) -> Source:
    """The table without rows that say again what its columns are called."""
    if not source.columns or not all(map(is_text, source.kinds)):
        return source
    first = whole(source.glance.column(0))
    wanted = text_column(_spellings(source.columns[0]))
    if not pc.any(pc.is_in(first, value_set=wanted.cast(first.type))).as_py():
        return source
    rows = _headers(source)
    told = int(source.ask(f"SELECT count(*) FROM source WHERE {rows}").column(0)[0].as_py())
    if not told:
        return source
    note = (
        f"{source.name}: {count(told, 'row says', 'rows say')} again what the columns are called, "
        "as where files were put one after the other: left out."
    )
    return _rewritten(source, {}, [note], f"NOT coalesce({rows}, false)")


def _headers(source: Source) -> str:
    """The condition of a row that repeats the header."""
    return " AND ".join(
        f"trim(c{j}) IN ({', '.join(map(quote_text, _spellings(name)))})"
        for j, name in enumerate(source.columns)
    )


def _spellings(name: str) -> list[str]:
    return [name, _MARK + name]


def _different(source: Source, position: int) -> Sequence[str]:
    """The different texts of a column's first rows, where any of them may need a second look."""
    texts = whole(source.glance.column(position).slice(0, LOOK))
    signs = pc.match_substring_regex(texts, "[,%]")
    if not pc.any(signs).as_py():
        return ()
    return [text.strip() for text in pc.unique(texts).to_pylist() if text is not None]


def _are_decimals(texts: Sequence[str], *, sure: bool) -> bool:
    """Whether texts are numbers with a decimal comma: not thousands, not codes ticked together."""
    with_comma = [text for text in texts if _COMMA.fullmatch(text)]
    plain = [text for text in texts if text not in with_comma]
    if not with_comma or not all(exact_number(text) is not None for text in plain):
        return False
    if any("." in text for text in plain) or all(_GROUPED.fullmatch(text) for text in with_comma):
        return False
    pairs = [text.lstrip("+-").split(",") for text in with_comma]
    # 1,0 and 0,25 are numbers; 1,2 and 1,3 beside 2 and 3 may be options ticked together.
    clearly = any(tail.endswith("0") or head == "0" or len(tail) > 2 for head, tail in pairs)
    in_order = all(int(head) < int(tail) for head, tail in pairs)
    as_sets = in_order and len({tail for _, tail in pairs}) > 1
    return (clearly or sure) and not as_sets


def _rewritten(
    source: Source, made: Mapping[int, str], told: Sequence[str], rows: str | None = None
) -> Source:
    fields = ", ".join(
        f"{made[j].format(f'c{j}')} AS c{j}" if j in made else f"c{j}"
        for j in range(len(source.columns))
    )
    where = "" if rows is None else f" WHERE {rows}"
    first_row = None if rows else source.first_row  # rows are no lines of the file any more
    notes = (*source.notes, *told)
    if source.arrow is not None:
        table = source.ask(f"SELECT {fields} FROM source{where}")
        return replace(source, arrow=table, notes=notes, first_row=first_row)
    careful = source.careful
    return replace(
        source,
        kinds=tuple(pa.string() if j in made else kind for j, kind in enumerate(source.kinds)),
        scan=f"(SELECT {fields} FROM {source.scan}{where})",
        careful=None if careful is None else lambda: _rewritten(careful(), made, (), rows),
        notes=notes,
        first_row=first_row,
        files=(),  # these are read column by column, as they stand
    )


def without_unanswered(source: Source, layout: Layout) -> Source:
    """A table with a column a rater without rows that no rater answered, where an item has more.

    Sheets that grew by blocks hold items twice, the first time before anybody rated them.
    """
    if layout.kind != "wide" or not Profile.of(source, layout.item).repeats:
        return source
    blank = " AND ".join(f"coalesce({source.text(name)}, '') = ''" for name in layout.others)
    item = source.text(layout.item)
    rows = f"{blank} AND {item} IN (SELECT {item} FROM source GROUP BY 1 HAVING count(*) > 1)"
    kept = source.ask(f"SELECT * FROM source WHERE NOT coalesce({rows}, false)")
    left_out = int(source.ask("SELECT count(*) FROM source").column(0)[0].as_py()) - kept.num_rows
    if not left_out:
        return source
    told = (
        f"{source.name}: {count(left_out, 'row holds', 'rows hold')} no answer of a rater, and "
        f"{'its item has' if left_out == 1 else 'their items have'} another row: left out."
    )
    made = table_source(source.name, source.columns, kept, notes=(*source.notes, told))
    return replace(made, call=source.call)
