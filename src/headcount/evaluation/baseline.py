"""What changed since an earlier result: paired where it was about the same items and ratings.

A result tells, beside its numbers, which items and ratings it was about (a digest) and what each
classifier decided on them. Where a later one is about the same, the share who agree is compared
item by item, with the same people; all else, and all of it on other data, is taken as
independent, which is wide where items are shared.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd, ratio, same_shares
from headcount.counting import size
from headcount.results import Estimate, Record, record
from headcount.sampling.differences import difference_of_intervals

if TYPE_CHECKING:
    from headcount.evaluation.evaluation import Evaluation

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


PAIRED = "paired: the same items, judged by the same people"
APART = "taken as independent: the baseline is about other items or ratings, or does not tell them"
AS_GIVEN = f"{PAIRED}; by labels as they were given, slips and all"
UNPAIRED = "taken as independent: only the share who agree is paired"
ON_SCALE = "taken as independent: on a scale nothing is paired with an earlier result"
_MISSING = "no classifier of this name was in the baseline"
_KEYS = {"ceiling": "of_ceiling", "ideal": "of_ideal"}
"""Where the JSON of a result has what requirements call otherwise."""


@record
class Decided(Record):
    """What classifiers decided on which items, for a later result to compare with.

    `digest` is of item ids, their ratings by label, and the labels; `answers` the label codes in
    the order of the ids, as base64 of 16-bit numbers (−1 for an answer outside the labels).
    """

    items: int
    digest: str
    answers: dict[str, str]


def decided_by(crowd: Crowd) -> Decided | None:
    """The decisions of a crowd's classifiers; None where items are too many."""
    judged = crowd.judged
    if judged.items is None or judged.n_items > size.DECIDED_ON_EACH:
        return None
    names, order = _order(crowd)
    text = "\x1f".join([*judged.labels.names, "", *names])
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    digest.update(np.ascontiguousarray(judged.counts[order], dtype="<i8").tobytes())
    answers = {
        name: base64.b64encode(crowd.answers[order, place].astype("<i2").tobytes()).decode()
        for place, name in enumerate(crowd.names)
    }
    return Decided(judged.n_items, digest.hexdigest(), answers)


def since(now: "Evaluation", then: Mapping[str, Any]) -> dict[str, dict[str, Estimate]]:
    """How each classifier's numbers changed since an earlier result, as its JSON told them.

    The note of each says whether the two were paired. Pairs are compared by labels as they were
    given, as pairs of classifiers within a result are: slips shrink a difference a little, and
    taking the two as independent would cost far more.
    """
    told = then.get("decided") or {}
    same = now.decided is not None and told.get("digest") == now.decided.digest
    ordered = now.crowd is not None and _on_scale(now.crowd)
    apart = (ON_SCALE if ordered else UNPAIRED) if same else APART
    changed = independent_changes(now.estimates(), then, apart)
    if not same or ordered or now.crowd is None:
        return changed
    slips = now.scores and now.scores.flips.method != "none"
    for name, found in changed.items():
        old = _codes(told.get("answers", {}).get(name), told.get("items"))
        if old is not None:
            paired = _paired(now.crowd, name, old)
            found["agree"] = paired.with_note(AS_GIVEN if slips else PAIRED)
    return changed


def independent_changes(
    now: Mapping[str, Mapping[str, Estimate]], then: Mapping[str, Any], note: str = APART
) -> dict[str, dict[str, Estimate]]:
    """How numbers told by classifier changed since an earlier result, the two as independent."""
    before = {each["name"]: each for each in then.get("classifiers", ())}
    return {
        name: {
            quantity: _changed(
                estimate, before.get(name, {}).get(_KEYS.get(quantity, quantity)), note
            )
            for quantity, estimate in numbers.items()
        }
        for name, numbers in now.items()
    }


def _on_scale(crowd: Crowd) -> bool:
    """Whether being near counts as agreeing: then decisions alone do not tell who agreed."""
    return crowd.nearness.has_order


def _codes(told: Any, items: Any) -> Ints | None:
    """Decisions as they were told; None where they are not what they should be."""
    try:
        codes = np.frombuffer(base64.b64decode(told, validate=True), dtype="<i2")
    except (TypeError, ValueError):
        return None
    return codes.astype(np.int64) if len(codes) == items else None


def _paired(crowd: Crowd, name: str, told: Ints) -> Estimate:
    """The share who agree with a classifier, less the share who agreed with its old decisions."""
    crowd = crowd.of_items
    _, order = _order(crowd)
    old = np.empty(len(order), dtype=np.int64)
    old[order] = told
    both = np.column_stack([crowd.answers[:, crowd.names.index(name)], old])

    def statistic(counts: Ints, rows: Ints, times: NDArray[np.number]) -> Mapping[str, Floats]:
        share, size = same_shares(counts, both[rows])
        drawn = times.astype(np.float64)
        agree = ratio(drawn @ share, (drawn @ (size > 0))[:, None])
        return {"change": agree[:, 0] - agree[:, 1]}

    change = crowd.measure(lambda _: statistic, old)["change"]
    return change.estimate(crowd.plan.confidence, scale="plain")


def _order(crowd: Crowd) -> tuple[list[str], Ints]:
    assert crowd.judged.items is not None
    names = [str(item) for item in crowd.judged.items]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    return [names[i] for i in order], order


def _changed(now: Estimate, then: Mapping[str, Any] | None, note: str) -> Estimate:
    if then is None:
        return Estimate.undefined(_MISSING)
    before = Estimate(
        **{part: then.get(part) for part in ("value", "low", "high", "state")},
        **{part: then.get(part) for part in ("low_state", "high_state", "note")},
    )
    change = difference_of_intervals(now, before)
    if not change.known:
        return Estimate.undefined("one of the two has no value")
    if not change.has_interval:
        return replace(change, note=f"one of the two has no interval; {note}")
    return replace(change, note=note)
