"""The one resampler: a plan of samples, their draws in batches, and a statistic of each."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.options import Sampling
from headcount.results import Progress, no_progress
from headcount.sampling.intervals import Tail

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Drawn = dict[str, NDArray[np.generic]]
Statistic = Callable[[Ints], Mapping[str, NDArray[np.generic]]]

_CELLS = 4_000_000
"""Numbers that a batch of samples may hold at once: about 32 MB an array."""
_MOST_AT_ONCE = 64
"""Samples that go through together: more do not fit the processor's caches."""

_FEW_ITEMS_A_GROUP = 8
"""Up to so many items a group, drawing the items is quicker than a multinomial over groups."""

_KEPT = 16_000_000
"""Samples × items up to which all draws of items are kept, a byte each: that one sample draws an
item 256 times has a chance below 1/256! for each of them."""


@frozen
class Bootstrap:
    """A plan for resampling items.

    An item bootstrap over grouped items is a multinomial over the groups: the same
    distribution as drawing items one by one, at a cost that grows with the groups.
    Equal plans give equal draws: every method that is handed the same plan and the same
    groups sees the same samples, which is what makes comparisons paired.
    """

    samples: int = 500
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        Sampling(n_bootstrap=self.samples, confidence=self.confidence, seed=self.seed)

    @classmethod
    def of(cls, options: Sampling) -> "Bootstrap":
        """The plan that somebody chose."""
        return cls(options.n_bootstrap, options.confidence, options.seed)

    def tail(self, items: int) -> Tail:
        """The share of draws that an interval leaves out on each side, with so many items."""
        return Tail(self.confidence, items)

    def item_draws(self, group_sizes: NDArray[np.integer]) -> Ints:
        """How often each group is drawn in each sample, shape (samples, groups).

        `group_sizes` holds the number of items in each group; every row sums to their total.
        """
        return np.concatenate(
            [*self.item_batches(group_sizes, batch=max(self.samples, 1))]
            or [np.zeros((0, len(group_sizes)), dtype=np.int64)]
        )

    def item_batches(
        self, group_sizes: NDArray[np.integer], *, batch: int = 64, clusters: Any = None
    ) -> Iterator[Ints]:
        """`item_draws` in batches of rows, for when all at once would not fit in memory.

        With `clusters` (C, G), how many items of each group a cluster holds, whole clusters
        are drawn.
        """
        sizes = np.asarray(group_sizes, dtype=np.int64)
        total = int(sizes.sum())
        rng = self._generator(0)
        if clusters is not None:
            yield from self._cluster_batches(rng, clusters, batch)
            return
        one_by_one = total <= _FEW_ITEMS_A_GROUP * len(sizes)
        kept = self._kept(sizes) if one_by_one else None
        items = self._kept_alone(total) if one_by_one and kept is None else None
        for start in range(0, self.samples, batch):
            rows = min(batch, self.samples - start)
            if kept is not None:
                yield kept[start : start + rows].astype(np.int64)
            elif items is not None:
                yield _by_group(items[start : start + rows], sizes).astype(np.int64)
            elif one_by_one:
                yield _drawn_one_by_one(rng, sizes, rows)
            else:
                yield rng.multinomial(total, sizes / total, size=rows).astype(np.int64, copy=False)

    def _kept(self, sizes: Ints) -> NDArray[np.integer] | None:
        """All draws of this plan, where they are few enough to be kept for others."""
        alone = bool((sizes == 1).all())
        if self.samples * len(sizes) <= _CELLS and not alone:
            return _kept_draws(self.seed, self.samples, sizes.tobytes())
        return self._kept_alone(len(sizes)) if alone else None

    def _kept_alone(self, items: int) -> NDArray[np.uint8] | None:
        """All draws of single items, where they are few enough."""
        few = self.samples * items <= _KEPT
        return _kept_items(self.seed, self.samples, items) if few else None

    def _cluster_batches(
        self, rng: np.random.Generator, clusters: Any, batch: int
    ) -> Iterator[Ints]:
        n = clusters.shape[0]
        for start in range(0, self.samples, batch):
            rows = min(batch, self.samples - start)
            drawn = rng.multinomial(n, np.full(n, 1 / n), size=rows)
            yield np.ascontiguousarray((clusters.T @ drawn.T).T).astype(np.int64, copy=False)

    def _generator(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])


@lru_cache(maxsize=2)
def _kept_draws(seed: int, samples: int, sizes: bytes) -> NDArray[np.int32]:
    """All draws of a plan: methods that follow one another on the same groups share them."""
    of = np.frombuffer(sizes, dtype=np.int64)
    items = int(of.sum())
    if samples * items > _KEPT:
        rng = Bootstrap(samples, seed=seed)._generator(0)
        return _drawn_one_by_one(rng, of, samples).astype(np.int32)
    return _by_group(_kept_items(seed, samples, items), of)


def _by_group(times: NDArray[np.uint8], sizes: Ints) -> NDArray[np.int32]:
    """How often each group is drawn, (b, G), from how often each of its items is, (b, items)."""
    drawn = np.zeros((len(times), len(sizes) + 1), dtype=np.int32)
    ends = np.cumsum(sizes)
    upto = np.zeros(times.shape[1] + 1, dtype=np.int32)
    # Up to the end of each group, and their differences: adding group by group takes three times
    # as long.
    for row, of_items in zip(drawn, times, strict=True):
        np.cumsum(of_items, dtype=np.int32, out=upto[1:])
        row[1:] = upto[ends]
    return np.diff(drawn, axis=1)


@lru_cache(maxsize=2)
def _kept_items(seed: int, samples: int, items: int) -> NDArray[np.uint8]:
    """How often each item is drawn in every sample: methods that group items unlike share it."""
    rng = Bootstrap(samples, seed=seed)._generator(0)
    drawn = np.empty((samples, items), dtype=np.uint8)
    for row in drawn:
        row[:] = np.bincount(rng.integers(items, size=items), minlength=items)
    return drawn


def _drawn_one_by_one(rng: np.random.Generator, sizes: Ints, samples: int) -> Ints:
    """The same distribution as a multinomial over groups, by drawing the items themselves."""
    total, groups = int(sizes.sum()), len(sizes)
    group_of_item = np.repeat(np.arange(groups), sizes)
    drawn = np.empty((samples, groups), dtype=np.int64)
    for row in drawn:
        items = group_of_item[rng.integers(total, size=total)]
        row[:] = np.bincount(items, minlength=groups)
    return drawn


def resample(
    plan: Bootstrap,
    sizes: NDArray[np.integer],
    statistic: Statistic,
    *,
    width: int | None = None,
    at_once: int = _MOST_AT_ONCE,
    clusters: Any = None,
    progress: Progress = no_progress,
    description: str = "Bootstrap samples",
) -> Drawn:
    """A statistic of every bootstrap sample of grouped items.

    `statistic` is handed how often each group is drawn in a batch of samples, (b, G), and
    answers with named arrays whose first axis are those samples; they come back whole, (B, …).
    `width` is how many numbers it holds for each sample (one a group by default): batches are
    cut so that `at_once` of them, or as many as fit in memory, go through together. With
    `clusters` (C, G), how many items of each group a cluster holds, whole clusters are drawn.

    >>> plan, sizes = Bootstrap(3, seed=1), np.array([4, 6])
    >>> drawn = resample(plan, sizes, lambda times: {"share": times[:, 0] / 10})
    >>> drawn["share"].shape
    (3,)
    """
    batch = max(1, min(at_once, _CELLS // max(width or len(sizes), 1)))
    draws = progress(
        plan.item_batches(sizes, batch=batch, clusters=clusters),
        total=-(-plan.samples // batch),
        description=description,
    )
    parts = [statistic(times) for times in draws]
    if not parts:  # the names and shapes of what there would be, of no sample
        once = statistic(np.asarray(sizes, dtype=np.int64)[None])
        return {name: values[:0] for name, values in once.items()}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
