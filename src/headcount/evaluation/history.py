"""Many saved evaluations as one: what each classifier was worth, whenever it was looked at.

A saved result says, beside its numbers, when it was saved, by which judge it was made where the
user said so, and about which items and ratings it is (a digest). Results about the same ones are
told apart from others, so that nobody takes other items for another judge.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from headcount.errors import InputError, OptionError
from headcount.evaluation.gates import check_baseline
from headcount.results import Cell, Estimate, Record, Result, Table, record
from headcount.results.words import worth_text
from headcount.sampling.differences import difference_of_intervals

SAVED = "saved"
"""The key under which a saved result says when it was saved, and by which judge it was made."""
_PARTS = ("value", "low", "high", "state", "low_state", "high_state", "note")
_UNTOLD = "the result does not tell"


def to_save(told: Mapping[str, Any], judges: Mapping[str, str]) -> dict[str, Any]:
    """A result as it is saved: its JSON, the time, and what each judge was (`--judge-id`)."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {**told, SAVED: {"date": now, "judges": dict(judges)}}


def judge_ids(given: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """What each classifier was, from texts such as "gpt=gpt-4o-2025-08, prompt 3".

    A text without a name is about all of them.

    >>> judge_ids(["gpt=prompt 3"], ["gpt", "llm"]), judge_ids(["v2"], ["gpt"])
    ({'gpt': 'prompt 3'}, {'gpt': 'v2'})
    """
    found: dict[str, str] = {}
    for text in given:
        name, equals, said = text.partition("=")
        if equals and name.strip() in names:
            found[name.strip()] = said.strip()
        elif equals and len(names) > 1:
            raise OptionError(
                f"--judge-id {text!r} names no classifier: there are {', '.join(names)}."
            )
        else:
            found |= dict.fromkeys(names, text.strip())
    return found


def other_judges(then: Mapping[str, Any], judges: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each classifier that was another judge in an earlier result.

    >>> other_judges({"saved": {"judges": {"gpt": "prompt 2"}}}, {"gpt": "prompt 3"})
    ("gpt was 'prompt 2' in the baseline and is 'prompt 3' now: what changed is the judge's too.",)
    """
    before = (then.get(SAVED) or {}).get("judges") or {}
    return tuple(
        f"{name} was {before[name]!r} in the baseline and is {said!r} now: what changed is the "
        "judge's too."
        for name, said in judges.items()
        if before.get(name, said) != said
    )


@record
class HistoryPoint(Record):
    """One classifier in one saved result.

    `judge` is what the classifier was, where that was said; `data` numbers the items and ratings:
    results of one number are about the same ones (None: not told).
    """

    name: str
    file: str
    date: str
    judge: str | None
    data: int | None
    items: int | None
    agree: Estimate
    worth: Estimate
    of_ceiling: Estimate


@record
class History(Result):
    """Saved evaluations in the order of time.

    Attributes
    ----------
    points : tuple of HistoryPoint
        A row a result and classifier.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", seed=1, items=60)
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "last.json"
    >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    >>> _ = file.write_text(found.to_json())
    >>> [point.name for point in hc.history([file]).points]
    ['word_list', 'fine_tuned', 'llm_judge']
    """

    points: tuple[HistoryPoint, ...]

    rows: ClassVar[str] = "points"

    def of(self, name: str) -> tuple[HistoryPoint, ...]:
        """The points of one classifier, in the order of time.

        Parameters
        ----------
        name : str
            Of a classifier.

        Returns
        -------
        tuple of HistoryPoint

        Examples
        --------
        >>> History(()).of("gpt")
        ()
        """
        return tuple(each for each in self.points if each.name == name)

    def verdict(self) -> str:
        """A sentence a classifier: how it changed from the first result to the last."""
        return "\n".join(
            self._sentence(name) for name in dict.fromkeys(p.name for p in self.points)
        )

    def _sentence(self, name: str) -> str:
        own = self.of(name)
        first, last = own[0], own[-1]
        if len(own) == 1:
            return f"{name}: {first.agree.share_text()} agreed on {first.date}; one result only."
        change = difference_of_intervals(last.agree, first.agree)
        if change.value is None:
            return f"{name}: how much it changed is not known ({change.note or _UNTOLD})."
        more = "more" if change.value > 0 else "less"
        if change.low is None or change.high is None:
            sure = ", without an interval"
        else:
            sure = "" if change.low > 0 or change.high < 0 else ", which may be chance"
        said = (
            f"{name}: from {first.date} to {last.date} people agree {100 * abs(change.value):.1f} "
            f"points {more} with it{sure}"
        )
        if first.judge != last.judge:
            said += f"; it was {first.judge or 'not told'} and is {last.judge or 'not told'}"
        if first.data is None or first.data != last.data:
            said += "; the two are about other items or ratings, so that items may have changed too"
        return f"{said}."

    def tables(self) -> tuple[Table, ...]:
        """A row a result and classifier."""
        rows: list[tuple[Cell, ...]] = [
            (
                each.name,
                each.date,
                each.judge or "–",
                "–" if each.data is None else f"data {each.data}",
                each.items,
                each.agree.share_text(),
                worth_text(each.worth, "") if each.worth.known else "–",
                each.of_ceiling.share_text(),
            )
            for name in dict.fromkeys(point.name for point in self.points)
            for each in self.of(name)
        ]
        return (
            Table(
                "What was saved, in the order of time",
                (
                    *("classifier", "saved", "judge", "about", "items"),
                    *("people who agree", "worth (raters)", "of ceiling"),
                ),
                tuple(rows),
                caption="Results about one number of data are about the same items and ratings.",
                id="history",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """How two results are compared."""
        return (
            "Two saved results are compared as independent, which is wide where they share items: "
            "headcount evaluate --baseline pairs what can be paired.",
        )


def history(files: Sequence[str | Path]) -> History:
    """Many saved evaluations as one table and chart, in the order of time.

    Parameters
    ----------
    files : sequence of path
        Results that ``headcount evaluate --save`` wrote, or ``Evaluation.to_json``.

    Returns
    -------
    History
        ``found.of("name")`` has a classifier's points; ``found.chart()`` draws them.

    Examples
    --------
    >>> import headcount as hc
    >>> hc.history([])
    Traceback (most recent call last):
    headcount.errors.OptionError: No saved result was named.
    """
    if not files:
        raise OptionError("No saved result was named.")
    told = [(Path(file), _read(Path(file))) for file in files]
    # Those that do not tell when they were saved come first, as they were named.
    told.sort(key=lambda each: (each[1].get(SAVED) or {}).get("date") or "")
    digests: dict[str, int] = {}
    points: list[HistoryPoint] = []
    for file, result in told:
        saved, decided = result.get(SAVED) or {}, result.get("decided") or {}
        digest = decided.get("digest")
        data = None if digest is None else digests.setdefault(digest, len(digests) + 1)
        points += [
            HistoryPoint(
                each["name"],
                str(file),
                str(saved.get("date") or file.stem),
                (saved.get("judges") or {}).get(each["name"]),
                data,
                decided.get("items"),
                *(_estimate(each.get(name)) for name in ("agree", "worth", "of_ceiling")),
            )
            for each in result["classifiers"]
        ]
    return History(tuple(points))


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as an earlier result: {error}.") from error
    return check_baseline(found, str(path))


def _estimate(told: Any) -> Estimate:
    """An estimate as JSON tells it."""
    if not isinstance(told, Mapping):
        return Estimate.undefined(_UNTOLD)
    given: dict[str, Any] = {part: told.get(part) for part in _PARTS}
    if given["value"] is None and given["state"] is None and given["note"] is None:
        given["note"] = _UNTOLD
    return Estimate(**given)
