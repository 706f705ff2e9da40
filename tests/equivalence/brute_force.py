"""The definition, by brute force: every ordered way to survey k raters and hold out r others.

Slow and plain on purpose; it shares nothing with the engines but combiners' simple formulas.
"""

import itertools
from fractions import Fraction

import numpy as np


def answers_of(counts):
    """The answers behind each row of counts, as lists of label positions."""
    return [list(np.repeat(range(len(row)), row)) for row in counts]


def split(answers, k, r):
    """Every (survey, held-out answers) of one item, over subsets of its raters."""
    people = range(len(answers))
    for surveyed in itertools.combinations(people, k):
        rest = [person for person in people if person not in surveyed]
        for held in itertools.combinations(rest, r):
            yield [answers[i] for i in surveyed], [answers[i] for i in held]


def plurality(labels, n_labels):
    """Winners of a vote, as shares."""
    votes = np.bincount(labels, minlength=n_labels)
    top = votes == votes.max()
    return top / top.sum()


def sequence_chance(survey, answers):
    """The chance that a random order of an item's answers starts with this survey's labels."""
    votes, ours = np.bincount(survey, minlength=9), np.bincount(answers, minlength=9)
    chance = Fraction(1)
    for label, wanted in enumerate(votes):
        for i in range(wanted):
            chance *= max(int(ours[label]) - i, 0)
    for i in range(len(survey)):
        chance /= len(answers) - i
    return chance


def abc(survey, others, n_labels, r=1):
    """(prediction of r raters' plurality, answers forgotten) from the other items' answers."""
    sums = sum(
        float(sequence_chance([*survey, *held], each)) * plurality(held, n_labels)
        for each in others
        if len(each) >= len(survey) + r
        for held in itertools.product(range(n_labels), repeat=r)
    )
    if np.sum(sums) > 0:
        return sums / np.sum(sums), 0
    tried = [abc([*survey[:i], *survey[i + 1 :]], others, n_labels, r) for i in range(len(survey))]
    nearest = min(depth for _, depth in tried)
    kept = [prediction for prediction, depth in tried if depth == nearest]
    return np.mean(kept, axis=0), nearest + 1


def predict(combiner, survey, others, everyone, n_labels, values, r=1):
    """A combiner's prediction by its definition."""
    votes = np.bincount(survey, minlength=n_labels)
    if combiner == "abc":
        return abc(survey, others, n_labels, r)[0]
    if combiner == "plurality":
        return plurality(survey, n_labels)
    if combiner == "mean":
        means = [np.mean(values[each]) for each in others]
        return np.mean(values[survey]) if survey else np.mean(means)
    if survey:
        return votes / len(survey)
    if combiner == "frequency":
        return np.full(n_labels, 1 / n_labels)
    shares = [np.bincount(each, minlength=n_labels) / len(each) for each in everyone]
    return np.mean(shares, axis=0)


def rows(combiner, counts, k, r=1, values=None):
    """The whole table at k: (item, prediction, label, weight), each item weighing one."""
    answers, n_labels = answers_of(counts), counts.shape[1]
    for i, mine in enumerate(answers):
        others = answers[:i] + answers[i + 1 :]
        ways = [*split(mine, k, r)]
        memo = {}
        for survey, held in ways:
            key = tuple(sorted(survey))
            if key not in memo:
                memo[key] = predict(combiner, list(key), others, answers, n_labels, values, r)
            for label, share in enumerate(plurality(held, n_labels)):
                if share:
                    yield i, memo[key], label, share / len(ways)


def agreement(prediction, label, _epsilon):
    """Of a vote's shares, or of the most probable labels."""
    top = prediction >= prediction.max() * (1 - 1e-12)
    return top[label] / top.sum()


def agreement_of_shares(prediction, label, _epsilon):
    """Ties are already shared."""
    return prediction[label]


def cross_entropy(prediction, label, epsilon):
    """log₂ of the clipped and normalised probability."""
    held = np.clip(prediction, epsilon, 1 - epsilon)
    return np.log2(held[label] / held.sum())


def brier(prediction, label, _epsilon):
    """Half the squared distance, negative."""
    return -0.5 * ((prediction - np.eye(len(prediction))[label]) ** 2).sum()


def brier_of_shares(prediction, label, _epsilon):
    """The expectation over the coin flip that breaks a tie."""
    return -(1 - prediction[label])


def score(combiner, scorer, counts, k, r=1):
    """The mean row score of a decomposable scorer."""
    rule = {"agreement": agreement, "cross_entropy": cross_entropy, "brier": brier}[scorer]
    if combiner == "plurality":
        rule = {"agreement": agreement_of_shares, "brier": brier_of_shares}[scorer]
    epsilon = 0.04 / counts.shape[1]
    total = sum(
        weight * rule(prediction, label, epsilon)
        for _, prediction, label, weight in rows(combiner, counts, k, r)
    )
    return total / len(counts)
