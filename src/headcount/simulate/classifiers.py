"""Classifiers of set quality, hard and soft, whose truth can be worked out."""

import numpy as np
from numpy.typing import NDArray

from headcount.simulate.crowd import draw_labels

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Probabilities are rounded so that files and memory hold the same numbers.
DIGITS = 6


def glimpse(rng: np.random.Generator, views: Floats, quality: float) -> Floats:
    """What a classifier sees: the item's own distribution with chance `quality`, otherwise
    that of some item drawn at random. `views` is (n, L).
    """
    looks = rng.random(len(views)) < quality
    return np.where(looks[:, None], views, views[rng.integers(0, len(views), size=len(views))])


def soft(seen: Floats, typical: Floats, quality: float, *, sharpness: float = 1.0) -> Floats:
    """Probabilities from what was seen, calibrated at `sharpness` 1, overconfident above it.

    A classifier that sees the item with chance q and otherwise a random one believes
    q·seen + (1 − q)·typical, where `typical` (L,) is the mean over items: exactly the
    expected share of people. Raising it to a power and renormalising makes it too sure.
    """
    belief = quality * seen + (1 - quality) * typical
    raised = belief**sharpness
    return rounded(raised / raised.sum(axis=1, keepdims=True))


def hard(rng: np.random.Generator, seen: Floats) -> Ints:
    """The most likely label of what was seen, ties by a coin."""
    top: Ints = (seen + rng.random(seen.shape) * 1e-9).argmax(axis=1)
    return top


def by_state(rng: np.random.Generator, state: Ints, answers: Floats) -> Ints:
    """A hard classifier given by its chances of each label in each state, `answers` (S, L)."""
    return draw_labels(rng, answers[state])


def rounded(probabilities: Floats) -> Floats:
    """Rows rounded to DIGITS decimals that still sum to one: the largest takes the rest."""
    short = np.round(probabilities, DIGITS)
    rows, top = np.arange(len(short)), short.argmax(axis=1)
    short[rows, top] = np.round(short[rows, top] + 1 - short.sum(axis=1), DIGITS)
    return short
