"""Worlds in which ratings are collected by a design, with the truths that sentences speak of.

Two simulators. "drawn": an item has shares of opinions from a Dirichlet mixture, and a rater
answers by these or, some of the time, by a bias of their own. "scale": items lie on a line, raters
draw their lines at other places and are asked unlike often (a few do most of the work); labels are
what lies between the lines. Both have closed forms for what people at large would say of an item.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy import special

import headcount as hc

DESIGNS = ("2+1", "3+2", "harder", "random", "full")
CLIP = 0.04


@dataclass(frozen=True)
class World:
    """`kind` of simulator and number of labels."""

    kind: str
    labels: int

    def items(self, rng, n):
        """What is to be known of n items: their shares of opinions (n, L), and where they lie."""
        if self.kind == "drawn":
            sharp = rng.random(n) < 0.55
            alpha = np.where(sharp[:, None], 0.25, 1.6) * np.linspace(1.3, 0.7, self.labels)
            place = rng.standard_gamma(alpha) + 1e-9
            return place / place.sum(axis=1, keepdims=True)
        return np.where(
            rng.random(n) < 0.5, rng.normal(-1.6, 0.7, n), rng.exponential(1.5, n) - 0.3
        )[:, None]

    def raters(self, rng, m):
        """How m raters differ."""
        if self.kind == "drawn":
            return rng.beta(8, 2, m), rng.dirichlet(np.full(self.labels, 1.5), m)
        return 0.6 * rng.standard_normal(m), None

    def chances(self, place, rater, which):
        """The chance of each label (n, L) where rater `which` (n,) is asked about each item."""
        if self.kind == "drawn":
            follows, bias = rater[0][which][:, None], rater[1][which]
            return follows * place + (1 - follows) * bias
        return _between(place[:, 0] + rater[0][which], 1.0, self.labels)

    def people(self, place):
        """What share of people at large would say each label (n, L)."""
        if self.kind == "drawn":
            return 0.8 * place + 0.2 / self.labels
        return _between(place[:, 0], np.sqrt(1 + 0.36), self.labels)

    def load(self, rng, m):
        """How often each rater is asked, in proportion."""
        return np.ones(m) if self.kind == "drawn" else 1 / np.arange(1, m + 1) ** 0.5


def _between(place, spread, labels):
    cuts = np.linspace(-0.7, 0.7, labels - 1) if labels > 2 else np.zeros(1)
    below = special.ndtr((cuts - place[:, None]) / spread)
    edges = np.column_stack([np.zeros(len(place)), below, np.ones(len(place))])
    return np.diff(edges, axis=1)


WORLDS = {(kind, n): World(kind, n) for kind in ("drawn", "scale") for n in (2, 3)}


def cells_of(people, noise):
    """What a classifier sees of items: one of at most nine cells, by what people would say."""
    seen = np.log(np.maximum(people, 1e-3)) + noise
    top = seen.argmax(axis=1)
    shares = special.softmax(seen, axis=1)
    sure = np.searchsorted([0.6, 0.85], shares.max(axis=1))
    return top, 3 * top + sure


def collected(world, design, n, m, rng):
    """Counts as they come: items (R,), raters (R,), labels (R,), and people's shares (n, L)."""
    place, rater = world.items(rng, n), world.raters(rng, m)
    people = world.people(place)
    keys = rng.exponential(size=(n, m)) / world.load(rng, m)
    order = np.argsort(keys, axis=1)
    most = min(m, 6)
    answers = np.empty((n, most), dtype=np.int64)
    for at in range(most):
        chance = world.chances(place, rater, order[:, at]).cumsum(axis=1)
        answers[:, at] = (rng.random(n)[:, None] * chance[:, -1:] > chance).sum(axis=1)
    if design in ("2+1", "3+2"):
        first, more = (2, 1) if design == "2+1" else (3, 2)
        alike = (answers[:, :first] == answers[:, :1]).all(axis=1)
        asked = np.where(alike, first, first + more)
    elif design == "harder":
        contested = 1 - people.max(axis=1) + rng.normal(0, 0.1, n)
        asked = np.clip(2 + (contested > 0.12) + (contested > 0.25) + (contested > 0.4), 2, 5)
    elif design == "random":
        asked = rng.integers(2, most + 1, n)
    else:
        asked = np.full(n, 3)
    item, at = np.nonzero(np.arange(most) < asked[:, None])
    return item, order[item, at], answers[item, at], people


def table(item, rater, label, *, named):
    """The answers as a frame."""
    columns = {"item": [f"i{i}" for i in item], "label": [f"l{i}" for i in label]}
    if named:
        columns["rater"] = [f"r{i}" for i in rater]
    return pa.table(columns)


def study_of(world, design, n, m, seed, *, named=True):
    """A study with a hard and a soft classifier, and people's shares on its items."""
    rng = np.random.default_rng([seed, n, m, DESIGNS.index(design), world.labels, len(world.kind)])
    item, rater, label, people = collected(world, design, n, m, rng)
    ratings = hc.Ratings.from_frame(table(item, rater, label, named=named), scale="nominal")
    top, cell = cells_of(people, rng.normal(0, 0.8, people.shape))
    told = TELLS[world.kind, world.labels][cell]
    columns = {"item": [f"i{i}" for i in range(n)], "hard": [f"l{i}" for i in top]}
    columns |= {f"soft:l{j}": told[:, j] for j in range(world.labels)}
    return hc.Study(ratings, hc.Predictions.from_frame(pa.table(columns)))


def truths(world, *, n=400_000, most=12, seed=11):
    """What is true of people at large: agreement, alpha, ceiling, and of both classifiers."""
    rng = np.random.default_rng(seed)
    people = world.people(world.items(rng, n))
    overall = people.mean(axis=0)
    two = float((people**2).sum(axis=1).mean())
    chance = float((overall**2).sum())
    top, cell = cells_of(people, rng.normal(0, 0.8, people.shape))
    found = {
        "two_people": two,
        "alpha": (two - chance) / (1 - chance),
        "ceiling": float(people.max(axis=1).mean()),
        "agree": float(people[np.arange(n), top].mean()),
    }
    curve = _curve(people[:60_000], most)
    for name, of in (("hard", top), ("soft", cell)):
        score = 0.0
        for each in np.unique(of):
            part = people[of == each]
            told = _clipped(part.mean(axis=0))
            score += float((part @ np.log2(told)).sum()) / n
        found[f"worth_{name}"] = float(np.interp(score, curve, np.arange(most + 1)))
    return found


def _clipped(p):
    least = CLIP / len(p)
    kept = np.clip(p, least, 1 - least)
    return kept / kept.sum()


def _curve(people, most):
    """The score of the best prediction from 0 … most answers, over these items."""
    from headcount.metrics import log_scores
    from headcount.population import every_survey, log_orders

    logs, labels = np.log(np.maximum(people, 1e-12)), people.shape[1]
    scores = []
    for k in range(most + 1):
        total = 0.0
        surveys = every_survey(k, labels)
        orders = np.exp(log_orders(k, labels))
        for y, ways in zip(surveys, orders, strict=True):
            joint = ways * np.exp(logs @ y)
            of_next = joint @ people / len(people)
            told = of_next / of_next.sum()
            total += float(of_next @ log_scores(told[None], CLIP / labels)[0])
        scores.append(total)
    return np.array(scores)


def _tells(world, *, n=50_000, seed=5):
    """What the soft classifier says of each cell: less sure than people are, in the right order."""
    rng = np.random.default_rng(seed)
    people = world.people(world.items(rng, n))
    _, cell = cells_of(people, rng.normal(0, 0.8, people.shape))
    rows = np.full((3 * world.labels, world.labels), 1 / world.labels)
    for each in np.unique(cell):
        rows[each] = people[cell == each].mean(axis=0) ** 0.7
    return rows / rows.sum(axis=1, keepdims=True)


TELLS = {key: _tells(world) for key, world in WORLDS.items()}
