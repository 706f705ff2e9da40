"""Inspect: evaluation logs, as one JSON document or as an archive with a file a sample."""

from typing import Any

from headcount.door.tools.found import Export, Found, Record, every

NAME = "Inspect"


def recognises(export: Export) -> bool:
    """A log with what was evaluated and its samples."""
    document = export.document
    if not isinstance(document, dict) or not isinstance(document.get("eval"), dict):
        return False
    samples = document.get("samples")
    return isinstance(samples, list) and every(samples[:20], "id", "target")


def read(export: Export) -> Found:
    """Each scorer's grade of each sample; the model's answers beside the target."""
    found = Found(NAME)
    samples = sorted(
        export.document["samples"], key=lambda s: (_place(s["id"]), _place(s.get("epoch", 1)))
    )
    several = len({str(sample.get("epoch", 1)) for sample in samples}) > 1
    model = str(export.document["eval"].get("model") or "model")
    for sample in samples:
        item = f"{sample['id']}/{sample['epoch']}" if several else sample["id"]
        if sample.get("error"):
            found.left_out["failed samples"] += 1
            continue
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            _put(found, item, str(scorer), value)
            if isinstance(score, dict) and score.get("answer") is not None:
                found.put(found.outputs, item, model, str(score["answer"]).strip())
        target = sample.get("target")
        if isinstance(target, str):
            found.truth[str(item)] = target.strip()
    return found


def _put(found: Found, item: Any, scorer: str, value: Any) -> None:
    """A grade, or one for each key where a scorer gives several."""
    if isinstance(value, dict):
        for key, each in value.items():
            found.put(found.answers, item, f"{scorer}/{key}", each)
    elif not isinstance(value, list):
        found.put(found.answers, item, scorer, value)


def _place(value: Any) -> tuple[int, float, str]:
    text = str(value)
    return (0, float(text), "") if text.isdigit() else (1, 0.0, text)


def from_archive(members: dict[str, Record]) -> Record:
    """The log that an archive holds in pieces."""
    header = members.get("header.json") or members.get("_journal/start.json") or {}
    samples = [value for name, value in members.items() if name.startswith("samples/")]
    return {**header, "samples": samples}
