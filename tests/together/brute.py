"""What the tables are by definition: every order of every item's own answers, in loops."""

from itertools import permutations

import numpy as np


def orders(counts):
    """Every order of an item's answers, as sequences of labels."""
    return list(permutations(np.repeat(np.arange(len(counts)), counts)))


def survey_of(answers, n_labels):
    """How often each label is among some answers."""
    return tuple(np.bincount(np.array(answers, dtype=int), minlength=n_labels))


def surveyed(counts, cell, k):
    """S_k by cell and survey, as a dictionary."""
    found = {}
    for row, where in zip(counts, cell, strict=True):
        every = orders(row)
        for order in every:
            key = (where, survey_of(order[:k], len(row)))
            found[key] = found.get(key, 0.0) + 1 / len(every)
    return found


def score(counts, cell, k, predicted):
    """The mean score of predictions {(cell, survey): scores (L,)} for the next answer."""
    total = 0.0
    for row, where in zip(counts, cell, strict=True):
        every = orders(row)
        said = [predicted[where, survey_of(o[:k], len(row))][o[k]] for o in every]
        total += sum(said) / len(every)
    return total / len(counts)
