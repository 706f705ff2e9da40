"""Potato: annotated instances, one folder a rater."""

from typing import Any

from headcount.door.tools.found import Export, Found, every

NAME = "Potato"


def recognises(export: Export) -> bool:
    """Instances with annotations by schema."""
    return every(export.first(), "id", "label_annotations")


def read(export: Export) -> Found:
    """A question a schema. Several scales under one schema are several items.

    In a scale the value is the label; in a radio or checkbox schema the value only says "true"
    and the key is the label.
    """
    found = Found(NAME)
    for record in export.records:
        for schema, told in (record["label_annotations"] or {}).items():
            if not isinstance(told, dict):
                continue
            ticked = [key for key, value in told.items() if _is_tick(value, key)]
            if ticked and len(ticked) == len(told):
                found.rate(record["id"], None, ticked, str(schema))
                continue
            for part, value in told.items():
                item = record["id"] if len(told) == 1 else f"{record['id']}/{part}"
                found.rate(item, None, value, str(schema))
    return found


def _is_tick(value: Any, key: str) -> bool:
    return value is True or str(value).lower() == "true" or str(value) == key
