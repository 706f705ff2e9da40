"""Does the order in which two answers are shown decide? Flips and first places, on bare arrays."""

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling import Bootstrap, Plan, sampled


@frozen(eq=False)
class Position:
    """How many comparisons were `asked` in both orders, and which of these answers differ.

    `first` is the share of first places among answers that are no tie.
    """

    asked: int
    flipped: Estimate
    first: Estimate


def position(
    first: Ints,
    second: Ints,
    share: Floats,
    cluster: Ints,
    *,
    plan: Bootstrap,
    noun: str = "prompt",
) -> Position:
    """Flips and first places of one judge.

    `first` and `second` (n,) code its answers to a comparison in the one order and the other, −1
    for none, and `share` (k,) is how far each answer prefers what the first order shows first.
    `cluster` (n,) codes prompts, which are drawn whole.
    """
    both = (first >= 0) & (second >= 0)
    differ = first[both] != second[both]
    flipped = _share(differ, cluster[both], plan, noun, "no comparison was asked in both orders")
    leaning = np.concatenate(
        [np.append(share, np.nan)[first], 1 - np.append(share, np.nan)[second]]
    )
    place, ahead = np.concatenate([cluster, cluster]), ~np.isnan(leaning) & (leaning != 0.5)
    why = "no answer says which of two was better"
    return Position(
        int(both.sum()), flipped, _share(leaning[ahead] > 0.5, place[ahead], plan, noun, why)
    )


def _share(yes: np.ndarray, cluster: Ints, plan: Bootstrap, noun: str, undefined: str) -> Estimate:
    """A share of answers, whole prompts at a time."""
    from scipy import sparse

    if not len(yes):
        return Estimate.undefined(undefined)
    names, code = np.unique(cluster, return_inverse=True)
    group = (~yes).astype(np.int64)
    sizes = np.bincount(group, minlength=2)
    held = sparse.csr_array((np.ones(len(yes), dtype=np.int64), (code, group)), (len(names), 2))
    samples = Plan(len(yes), len(names) if len(names) < len(yes) else None, cluster=noun)

    def statistic(times: Ints) -> dict[str, Floats]:
        return {"share": times[:, 0] / np.maximum(times.sum(axis=1), 1)}

    found = sampled(
        statistic,
        sizes,
        plan=plan,
        samples=samples,
        clusters=held if samples.clusters is not None else None,
    )["share"]
    return found.on_scale(plan.confidence, scale="share")
