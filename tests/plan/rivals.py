"""Rivals whose true order is known, judged by people: is "best with probability p" kept?

A probit world written from the story alone: item x ~ N(0, 1); a person with leaning b says "yes"
where x + b + noise > 0, a classifier where r·x + (1 − r²)^½·noise > t. Its agreement with people
is then a bivariate normal's chance, so which rival is best is known without drawing.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from headcount.data import Named
from headcount.plan.choice import Choice, both_below
from headcount.plan.pilot_moments import label_moments


@dataclass(frozen=True)
class Rivals:
    """Classifiers, items, ratings each, how far skill and threshold spread, and who rates.

    `raters` None: every label by another person, without names; `hidden` raters are few but their
    names are not told, and the truth is then that of these few.
    """

    classifiers: int = 3
    items: int = 400
    ratings: int = 3
    skill: float = 0.05
    threshold: float = 0.2
    raters: int | None = None
    hidden: bool = False
    leaning: float = 0.4
    alike: float = 0.5


CELLS = {
    # The first six were fixed before the first run.
    "3 alike, anonymous": Rivals(skill=0.01, threshold=0.05),
    "2 rivals, anonymous": Rivals(classifiers=2),
    "6 rivals, anonymous": Rivals(classifiers=6, skill=0.03, threshold=0.1),
    "3 rivals, 8 raters": Rivals(raters=8),
    "2 alike, 4 raters": Rivals(classifiers=2, skill=0.01, threshold=0.1, raters=4),
    "6 rivals, 20 raters, 2 each": Rivals(classifiers=6, ratings=2, raters=20),
    "3 far apart, anonymous": Rivals(skill=0.15, threshold=0.5),
    "20 alike, anonymous": Rivals(classifiers=20, skill=0.02, threshold=0.05),
    "3 rivals, 100 items": Rivals(items=100),
    "2 rivals, 2,000 single labels": Rivals(classifiers=2, items=2000, ratings=1),
    "3 rivals, 8 raters without names": Rivals(raters=8, hidden=True),
    "3 rivals, 5 raters of different minds": Rivals(raters=5, leaning=0.8),
}


def world(rng, cell):
    """Counts, decisions, who said what (or None), and the true agreement of each rival."""
    n, k, c = cell.items, cell.ratings, cell.classifiers
    skill = np.clip(0.8 + cell.skill * rng.normal(size=c), 0.05, 0.99)
    cut = cell.threshold * rng.normal(size=c)
    x = rng.normal(size=n)
    # Rivals err on the same items: half of their noise is shared.
    noise = np.sqrt(cell.alike) * rng.normal(size=n)[:, None]
    noise = noise + np.sqrt(1 - cell.alike) * rng.normal(size=(n, c))
    decisions = (x[:, None] * skill + np.sqrt(1 - skill**2) * noise > cut).astype(int)
    if cell.raters is None:
        leaning, who = cell.leaning * rng.normal(size=(n, k)), None
    else:
        minds = cell.leaning * rng.normal(size=cell.raters)
        who = rng.permuted(np.tile(np.arange(cell.raters), (n, 1)), axis=1)[:, :k]
        leaning = minds[who]
    said = (x[:, None] + leaning + rng.normal(size=(n, k)) > 0).astype(int)
    counts = np.stack([(said == 0).sum(axis=1), (said == 1).sum(axis=1)], axis=1)
    if cell.hidden:
        truth = np.mean([_agree(skill, cut, b, 0.0) for b in minds], axis=0)
    else:
        truth = _agree(skill, cut, 0.0, cell.leaning)
    named = None
    if who is not None and not cell.hidden:
        item = np.repeat(np.arange(n), k)
        named = Named(item, who.ravel(), said.ravel(), np.arange(cell.raters).astype(object))
    return counts, decisions, named, truth


def _agree(skill, cut, shift, spread):
    """P(classifier and person say the same), the person's latent x + shift + N(0, 1 + spread²)."""
    size = np.sqrt(2 + spread**2)
    rho = skill / size
    no = both_below(cut, -shift / size, rho)
    return 1 + 2 * no - special.ndtr(cut) - special.ndtr(-shift / size)


def said_and_right(cell, data_sets, seed):
    """Stated chance that the leader is best, whether it is, stated loss and the loss, (D,) each."""
    out = []
    for run in range(data_sets):
        counts, decisions, named, truth = world(np.random.default_rng([seed, run]), cell)
        if not (decisions != decisions[:, :1]).any():
            continue
        choice = Choice.of(label_moments(counts, decisions, None, named), None)
        leader = choice.first_two[0]
        behind = truth.max() - truth[leader]
        out.append((choice.probability(), behind <= 0, choice.loss(), behind))
    return np.array(out).T
