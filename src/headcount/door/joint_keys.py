"""Items that several columns name together: a question and the model that answered it."""

from dataclasses import replace

import pyarrow as pa

from headcount.door.comparisons import as_comparisons
from headcount.door.roles import Roles, find_column
from headcount.door.sets import BETWEEN, as_questions
from headcount.door.source import Source
from headcount.errors import OptionError

_TIMES = " × "


def with_joint_item(source: Source, roles: Roles) -> tuple[Source, Roles]:
    """The table with one more column that joins the item's parts, and the roles that name it.

    Answers that tick several options become yes/no questions first, and pairs of systems become
    comparisons. The parts stay columns of their own, to look at parts of the items or clusters by.
    """
    source, roles = as_questions(source, roles)
    source, roles = as_comparisons(source, roles)
    parts = roles.items
    if len(parts) < 2:
        return source, roles
    for name in parts:
        find_column("item", source.columns, name, table=source.name)
    if len(set(parts)) < len(parts):
        raise OptionError(f"item= names a column twice: {', '.join(map(repr, parts))}.")
    joined = _TIMES.join(parts)
    while joined in source.columns:
        joined += "'"
    return _joined(source, parts, joined), replace(roles, item=joined, parts=parts)


def _joined(source: Source, parts: tuple[str, ...], name: str) -> Source:
    texts = [source.text(part) for part in parts]
    blank = " OR ".join(f"coalesce({text}, '') = ''" for text in texts)
    # A dot of the user's is doubled, so that no two combinations become one.
    escaped = f" || '{BETWEEN}' || ".join(f"replace({text}, '·', '··')" for text in texts)
    place = f"c{len(source.columns)}"
    made = f"*, CASE WHEN {blank} THEN NULL ELSE {escaped} END AS {place}"
    columns, kinds = (*source.columns, name), (*source.kinds, pa.string())
    if source.arrow is not None:
        table = source.ask(f"SELECT {made} FROM source")
        return replace(source, columns=columns, kinds=tuple(table.schema.types), arrow=table)
    careful = source.careful
    return replace(
        source,
        columns=columns,
        kinds=kinds,
        scan=f"(SELECT {made} FROM {source.scan})",
        careful=None if careful is None else lambda: _joined(careful(), parts, name),
        files=(),  # these are read column by column, without what is made of them
    )
