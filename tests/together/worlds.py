"""Worlds in which promises are tested: populations that are known, and classifiers of them."""

import numpy as np

from headcount.data import Classifier, Judged, Labels
from headcount.population import fit_population
from headcount.sampling import Plan, Samples
from headcount.together.asking import Payoff, of_everyone, outcome_of
from headcount.together.promise import Asker
from headcount.together.survey_tables import SurveyTables


def contested(rng, n):
    """Comments, most of them clear: two labels."""
    kind = rng.choice(3, size=n, p=[0.75, 0.15, 0.1])
    p = np.choose(kind, [rng.beta(0.5, 8, n), rng.beta(3, 3, n), rng.beta(8, 2, n)])
    return np.column_stack([1 - p, p])


def rare(rng, n):
    """A label that 3 % of items mostly get."""
    p = np.where(rng.random(n) < 0.03, rng.beta(6, 3, n), rng.beta(0.3, 20, n))
    return np.column_stack([1 - p, p])


def labelled(n_labels):
    """Items of so many labels."""
    return lambda rng, n: rng.dirichlet(np.full(n_labels, 0.3), size=n)


WORLDS = {"contested": contested, "rare": rare, "four": labelled(4), "ten": labelled(10)}


def answers(rng, p, blur):
    """A classifier's chances: the item's own, blurred."""
    logits = np.log(np.maximum(p, 1e-3)) + blur * rng.normal(size=p.shape)
    q = np.exp(logits - logits.max(axis=1, keepdims=True))
    return q / q.sum(axis=1, keepdims=True)


def asker_of(rng, world, n_items, n_ratings, limit, *, blur=1.0, seed=0):
    """An asker in a world, and the table of 20,000 new items that truth is read from."""
    p = WORLDS[world](rng, n_items)
    n_labels = p.shape[1]
    names = Labels(tuple("abcdefghij"[:n_labels]))
    said = answers(rng, p, blur)
    counts = rng.multinomial(n_ratings, p)
    one_each = np.ones(n_items, dtype=np.int64)
    given = Classifier("it", probabilities=said)
    judged = Judged(names, counts, one_each, (given,))
    samples = Samples(Plan(n_items))
    start = fit_population(counts).mixture
    asker = Asker.learn(
        judged, given, samples, start, limit=limit, as_answers=n_labels == 2, seed=seed
    )
    new = WORLDS[world](rng, 20_000)
    cell = asker.cells.of(Classifier("it", probabilities=answers(rng, new, blur)))
    fresh = rng.multinomial(limit + 1, new)
    return asker, (fresh, cell)


def true_lead(asker, asking, fresh, k, payoff=None):
    """How much better the policy is than k people about every item, and its labels an item."""
    counts, cell = fresh
    payoff = payoff or Payoff()
    ones = np.ones(len(counts))
    by_cell = SurveyTables.of(counts, ones, cell, asker.cells.n)
    alone = SurveyTables.of(counts, ones, np.zeros_like(cell), 1)
    found = outcome_of(asking, asker.learned.predictions, payoff, by_cell)
    lead = found.scores - of_everyone(asker.learned.people[k], payoff, alone, k)
    return float(lead.mean()), float(lead.std() / np.sqrt(len(lead))), float(found.labels.mean())
