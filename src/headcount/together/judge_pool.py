"""Several judges as one, on bare arrays: P(ℓ) ∝ p(ℓ) exp(b_ℓ + Σ_j w_j log(q_j(ℓ)/p(ℓ))), w ≥ 0.

p is how often people give each label, q_j what they say where judge j answers as it does. Weights
of judges that err alike share what one of them would have. Convex, by Newton's method with a bound.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier
from headcount.frozen import frozen
from headcount.together.matrix_scaling import MatrixScaling

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ANSWER_BACKING = 1.0
"""Items that all of them count for beside those of one answer: an answer given three times is no
certainty."""

_LEAST = 1e-4
"""A calibrated probability of nought may be luck: it is taken for this."""

_RIDGE = 1.0
"""Pull of weights towards nought, in items: copies share a weight, and with few items judges that
are many fit less of their noise."""

_SHIFT_RIDGE = 1e-3
"""The same of b, which would else be known but for a constant."""

_STEPS, _CLOSE = 60, 1e-9
"""Newton steps at most, and the length of one after which the weights stand still."""

_TRIED = 3
"""Judges that are tried in full at each step of the selection, by what one Newton step gains."""


@frozen(eq=False)
class JudgeReading:
    """How a judge's answers are read: a hard one's by what people say there, `table` (L + 1, L).

    An answer that is no label is one more. Of a soft one the whole vector is calibrated by
    `scaling`, and of a number between levels the vector of how near it is to the `levels` (L,).
    """

    table: Floats | None = None
    scaling: MatrixScaling | None = None
    levels: Floats | None = None

    @classmethod
    def learn(
        cls,
        judge: Classifier,
        counts: NDArray[np.number],
        size: Floats,
        *,
        start: "JudgeReading | None" = None,
    ) -> "JudgeReading":
        """From items with counts (n, L), `size` (n,) a row; `start` is near what comes out."""
        n = counts.shape[1]
        near = None if start is None else start.scaling
        if judge.probabilities is not None:
            return cls(scaling=MatrixScaling.fit(judge.probabilities, counts, size, start=near))
        if judge.scores is not None and (judge.top() >= 0).any():
            levels = _levels(judge, n)
            said = _nearness(judge, levels)
            return cls(scaling=MatrixScaling.fit(said, counts, size, start=near), levels=levels)
        share = counts / counts.sum(axis=1, keepdims=True)
        answer = _answers(judge, n)
        held = np.bincount(answer, weights=size, minlength=n + 1)[:, None]
        said = np.column_stack(
            [np.bincount(answer, weights=size * each, minlength=n + 1) for each in share.T]
        )
        overall = said.sum(axis=0) / held.sum()
        return cls((said + _ANSWER_BACKING * overall) / (held + _ANSWER_BACKING))

    def of(self, judge: Classifier) -> Floats:
        """How often people give each label where it answers as it does, (n, L)."""
        if self.scaling is None:
            assert self.table is not None
            found: Floats = self.table[_answers(judge, self.table.shape[1])]
            return found
        if self.levels is not None:
            return self.scaling.of(_nearness(judge, self.levels))
        assert judge.probabilities is not None
        return self.scaling.of(judge.probabilities)


def _answers(judge: Classifier, n_labels: int) -> Ints:
    codes = judge.top()
    found: Ints = np.where(codes >= 0, codes, n_labels)
    return found


def _nearness(judge: Classifier, levels: Floats) -> Floats:
    """How near its numbers are to each level, as shares (n, L); what is no label is to none."""
    assert judge.scores is not None
    known = (judge.top() >= 0)[:, None]
    away = np.where(known, np.where(known, judge.scores[:, None], 0.0) - levels, 0.0)
    near = np.exp(-np.abs(away))
    found: Floats = near / near.sum(axis=1, keepdims=True)
    return found


def _levels(judge: Classifier, n_labels: int) -> Floats:
    """Where levels lie on the line of its numbers: the mean of the numbers nearest to each."""
    assert judge.scores is not None
    usable = judge.top() >= 0
    codes, scores = judge.top()[usable], judge.scores[usable]
    held = np.bincount(codes, minlength=n_labels)
    summed = np.bincount(codes, weights=scores, minlength=n_labels)
    known = np.flatnonzero(held)
    return np.interp(np.arange(n_labels), known, summed[known] / held[known])


@frozen(eq=False)
class JudgePool:
    """The judges that have a say, their `weights` (J,) and the shift `bias` (L,) of `base` (L,)."""

    members: tuple[int, ...]
    weights: Floats
    bias: Floats
    base: Floats

    def of(self, evidence: Floats) -> Floats:
        """Probabilities (n, L), where judges' answers are `evidence` (n, all J, L)."""
        own = evidence[:, list(self.members)]
        logits = np.log(self.base) + self.bias + np.einsum("njl,j->nl", own, self.weights)
        return _normalised(logits)


def evidence_of(said: Sequence[Floats], base: Floats) -> Floats:
    """Log q_j(ℓ)/p(ℓ) of judges whose answers are read as `said`, (n, J, L)."""
    logs = np.log(np.maximum(np.stack(said, axis=1), _LEAST))
    return np.asarray(logs - np.log(np.maximum(base, _LEAST)))


@frozen(eq=False)
class PoolItems:
    """Items that a pool is learned from: `evidence` (n, J, L), people's `share` (n, L), `weight`.

    Judges not asked about are left alone.
    """

    evidence: Floats
    share: Floats
    weight: Floats

    @property
    def base(self) -> Floats:
        """How often people give each label."""
        shares: Floats = self.weight @ self.share / self.weight.sum()
        return np.maximum(shares, _LEAST)

    def pool(self, members: Sequence[int], start: JudgePool | None = None) -> JudgePool:
        """The likeliest pool of some judges; `start` is one of others, near which it may lie."""
        chosen = sorted(members)
        known = {} if start is None else dict(zip(start.members, start.weights, strict=True))
        weights = np.array([known.get(each, 0.0) for each in chosen])
        bias = np.zeros(len(self.base)) if start is None else start.bias
        found = _newton(self, chosen, weights, bias)
        return JudgePool(tuple(chosen), found[0], found[1], self.base)

    def loss(self, pool: JudgePool) -> float:
        """Less the log likelihood, with the ridge."""
        return _loss(self, list(pool.members), pool.weights, pool.bias)

    def path(self, most: int) -> list[JudgePool]:
        """Pools of one judge, two, three, … by forward selection, up to `most`."""
        n_judges = self.evidence.shape[1]
        found: list[JudgePool] = []
        chosen = self.pool(())
        while len(found) < min(most, n_judges):
            left = np.array([each for each in range(n_judges) if each not in chosen.members])
            gains = _gains(self, chosen, left)
            tried = left[np.argsort(-gains, kind="stable")[:_TRIED]]
            pools = [self.pool((*chosen.members, int(each)), chosen) for each in tried]
            losses = np.array([self.loss(pool) for pool in pools])
            chosen = pools[int(np.argmin(losses))]
            found.append(chosen)
        return found


def _gains(items: PoolItems, pool: JudgePool, others: Ints) -> Floats:
    """What one Newton step in the weight of each of some `others` would gain, those in it moving.

    Nought where the step leads below nought.
    """
    own = list(pool.members)
    q = pool.of(items.evidence)
    off = items.weight[:, None] * (items.share - q)
    inside = _features(items, own)
    outside = items.evidence[:, others].transpose(1, 0, 2)
    spread_inside, spread_outside = (_centred(each, q, items.weight) for each in (inside, outside))
    slope = np.einsum("jnl,nl->j", outside, off)
    within = spread_inside @ spread_inside.T + np.diag(_ridges(len(own), len(items.base)))
    across = spread_inside @ spread_outside.T
    own_bend = (spread_outside**2).sum(axis=1) + _RIDGE
    bend = own_bend - (across * np.linalg.solve(within, across)).sum(axis=0)
    gain: Floats = np.maximum(slope, 0.0) ** 2 / np.maximum(bend, 1e-9 * own_bend)
    return gain


def _newton(
    items: PoolItems, members: Sequence[int], weights: Floats, bias: Floats
) -> tuple[Floats, Floats]:
    """Weights (J,) ≥ 0 and bias (L,) at which the loss is least: projected Newton steps."""
    n = len(members)
    features, ridge = _features(items, members), _ridges(n, len(bias))
    at = np.concatenate([weights, bias])
    loss = _loss(items, members, at[:n], at[n:], features)
    for _ in range(_STEPS):
        q = _predicted(items, features, at)
        off = items.weight[:, None] * (items.share - q)
        slope = np.einsum("jnl,nl->j", features, off) - ridge * at
        held = np.append((at[:n] <= 0) & (slope[:n] <= 0), np.zeros(len(bias), dtype=bool))
        free = np.flatnonzero(~held)
        spread = _centred(features[free], q, items.weight)
        move = np.zeros_like(at)
        move[free] = np.linalg.solve(spread @ spread.T + np.diag(ridge[free]), slope[free])
        length = 1.0
        while True:
            there = at + length * move
            there[:n] = np.maximum(there[:n], 0.0)
            new = _loss(items, members, there[:n], there[n:], features)
            if new <= loss or length < 1e-6:
                break
            length /= 2
        still = float(np.abs(there - at).max())
        if new <= loss:
            at, loss = there, new
        if still < _CLOSE or new > loss:
            break
    # A constant answer tells nothing but rounding: its weight is none.
    return np.where(at[:n] > _CLOSE, at[:n], 0.0), at[n:]


def _loss(
    items: PoolItems,
    members: Sequence[int],
    weights: Floats,
    bias: Floats,
    features: Floats | None = None,
) -> float:
    features = _features(items, members) if features is None else features
    at = np.concatenate([weights, bias])
    logits = np.log(items.base) + np.tensordot(at, features, axes=1)
    top = logits.max(axis=1)
    whole = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
    fitted = items.weight @ ((items.share * logits).sum(axis=1) - whole)
    return float(-fitted + 0.5 * _ridges(len(members), len(bias)) @ at**2)


def _predicted(items: PoolItems, features: Floats, at: Floats) -> Floats:
    return _normalised(np.log(items.base) + np.tensordot(at, features, axes=1))


def _features(items: PoolItems, members: Sequence[int]) -> Floats:
    """What weights and bias multiply, (J + L, n, L)."""
    n, _, n_labels = items.evidence.shape
    shifts = np.broadcast_to(np.eye(n_labels)[:, None], (n_labels, n, n_labels))
    return np.concatenate([items.evidence[:, list(members)].transpose(1, 0, 2), shifts])


def _ridges(n_judges: int, n_labels: int) -> Floats:
    return np.append(np.full(n_judges, _RIDGE), np.full(n_labels, _SHIFT_RIDGE))


def _centred(features: Floats, q: Floats, weight: Floats) -> Floats:
    """Features less their mean by q, times √(weight q), (J, n L): their products are the bend."""
    mean = (features * q).sum(axis=2, keepdims=True)
    found: Floats = (features - mean) * np.sqrt(weight[:, None] * q)
    return found.reshape(len(features), -1)


def _normalised(logits: Floats) -> Floats:
    q: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    q /= q.sum(axis=1, keepdims=True)
    return q
