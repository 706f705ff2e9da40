"""Latent classes whose raters err together: likelihood, fit and profile."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, gammaln, logit

from headcount.accuracy.ballots import ballots
from headcount.accuracy.dawid_skene import fit
from headcount.accuracy.items import pattern_rows
from headcount.accuracy.likelihood_profile import allowance, profile, swept
from headcount.accuracy.shared_errors import Held, Model, climb, divided_items, starting_model


def _counts(ratings, n_labels):
    return np.stack([(ratings == label).sum(axis=1) for label in range(n_labels)], axis=1)


def _drawn(seed, n=300, k=3, prevalence=0.4, right=(0.9, 0.7), system=0.85):
    """Two labels: counts (n, 2) and a system's answers (n,)."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < prevalence).astype(int)
    hit = rng.random((n, k)) < np.array(right)[truth][:, None]
    ratings = np.where(hit, truth[:, None], 1 - truth[:, None])
    return _counts(ratings, 2), np.where(rng.random(n) < system, truth, 1 - truth)


def _random_model(rng, n_labels, n_answers, dependence):
    joint = rng.dirichlet(np.ones(n_labels * n_answers)).reshape(n_labels, n_answers, 1)
    chances = rng.dirichlet(np.ones(n_labels), size=n_labels).T[:, :, None]
    return Model(joint, chances, np.asarray(dependence, dtype=float)[:, None])


def _dirichlet_multinomial(counts, shares, rho):
    """The logarithm of P of one ordered sequence with these counts, by gamma functions."""
    alpha = shares * (1 - rho) / rho
    n = counts.sum()
    total = alpha.sum()
    rising = gammaln(alpha + counts) - gammaln(alpha)
    return rising.sum() - gammaln(total + n) + gammaln(total)


def test_likelihood_against_the_dirichlet_multinomial():
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 5, size=(12, 3))
    answer = rng.integers(0, 3, size=12)
    model = _random_model(rng, 3, 3, [0.1, 0.3, 0.05])
    data = ballots([counts], None, answer, 3)
    found = divided_items(data, model)[1][0]
    expected = 0.0
    for row, said in zip(counts, answer, strict=True):
        expected += np.log(
            sum(
                model.joint[t, said, 0]
                * np.exp(
                    _dirichlet_multinomial(row, model.chances[:, t, 0], model.dependence[t, 0])
                )
                for t in range(3)
            )
        )
    assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("coupling", [0.0, 0.5, 1.0])
def test_chances_of_all_sequences_sum_to_one_against_brute_force(coupling):
    """Over every sequence of three ratings and every answer, also with a system that shares."""
    rng = np.random.default_rng(2)
    model = _random_model(rng, 3, 3, [0.2, 0.0, 0.4])
    sequences = np.array(list(itertools.product(range(3), repeat=3)))
    counts = np.repeat(_counts(sequences, 3), 3, axis=0)
    answer = np.tile(np.arange(3), len(sequences))
    total = 0.0
    for row, said in zip(counts, answer, strict=True):
        one = ballots([row[None]], None, np.array([said]), 3, coupling=coupling)
        total += np.exp(divided_items(one, model)[1][0])
    assert total == pytest.approx(1.0, rel=1e-9)


def test_a_coupled_system_is_one_more_rater_against_theory():
    """With κ = 1 and the raters' own confusions, the system's answer is exchangeable with them."""
    rng = np.random.default_rng(3)
    base = rng.dirichlet(np.ones(2))
    chances = np.array([[0.8, 0.3], [0.2, 0.7]])
    joint = (base[:, None] * chances.T)[:, :, None]
    model = Model(joint, chances[:, :, None], np.full((2, 1), 0.25))

    def chance(counts, answer):
        one = ballots([np.array([counts])], None, np.array([answer]), 2, coupling=1.0)
        return divided_items(one, model)[1][0]

    assert chance([2, 1], 0) == pytest.approx(chance([3, 0], 1), rel=1e-12)


def test_independent_fit_against_dawid_and_skene():
    counts, answer = _drawn(4)
    data = ballots([counts], None, answer, 2)
    model, reached = climb(data, starting_model(data, np.zeros((2, 1))), tolerance=1e-9)
    patterns, row = np.unique(np.column_stack([counts, answer]), axis=0, return_inverse=True)
    both = np.column_stack([patterns[:, :2], patterns[:, 2] == 0, patterns[:, 2] == 1])
    rows = pattern_rows(both)
    rows = type(rows)(rows.said, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2)
    known = fit(rows, np.bincount(row.ravel()).astype(float), restarts=0)
    assert reached[0] == pytest.approx(known.log_likelihood, abs=1e-4)
    accuracy = (known.base_rates * known.chances[[2, 3], [0, 1]]).sum()
    assert model.accuracy()[0] == pytest.approx(accuracy, abs=1e-3)


def test_named_raters_against_dawid_and_skene():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, size=400)
    right = rng.random((400, 4)) < np.array([0.9, 0.8, 0.7, 0.5])
    ratings = np.where(right, truth[:, None], rng.integers(0, 3, size=(400, 4)))
    members = [(ratings[:, [j]] == np.arange(3)).astype(np.int64) for j in range(4)]
    data = ballots(members, None, None)
    _, reached = climb(data, starting_model(data, np.zeros((3, 1))), tolerance=1e-9)
    rows = pattern_rows(np.column_stack(members))
    rows = type(rows)(rows.said, np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4), 3)
    known = fit(rows, np.ones(400), restarts=0)
    assert reached[0] == pytest.approx(known.log_likelihood, abs=1e-3)


def _negative(parameters, data, rho, held=None):
    """Two labels: minus log-likelihood of (right in 0, right in 1, joint as logits)."""
    zero, one = expit(parameters[:2])
    if held is None:
        table = np.exp(np.append(parameters[2:5], 0.0))
        joint = (table / table.sum()).reshape(2, 2)
    else:
        a, b = expit(parameters[2:4])
        joint = np.array([[held * a, (1 - held) * b], [(1 - held) * (1 - b), held * (1 - a)]])
    chances = np.array([[zero, 1 - one], [1 - zero, one]])
    model = Model(joint[:, :, None], chances[:, :, None], np.full((2, 1), rho))
    return -divided_items(data, model)[1][0]


@pytest.mark.parametrize(("rho", "coupling"), [(0.0, 0.0), (0.1, 0.0), (0.15, 1.0)])
def test_summit_against_brute_force(rho, coupling):
    counts, answer = _drawn(6)
    data = ballots([counts], None, answer, 2, coupling=coupling)
    dependence = np.full((2, 1), rho)
    _, reached = climb(data, starting_model(data, dependence), tolerance=1e-9)
    start = [logit(0.8), logit(0.8), 1.0, -1.0, -1.0]
    best = minimize(_negative, start, args=(data, rho), method="BFGS")
    assert reached[0] == pytest.approx(-best.fun, abs=2e-3)
    held = 0.78
    _, there = climb(
        data, starting_model(data, dependence), held=Held(np.array([held])), tolerance=1e-9
    )
    best = minimize(_negative, [1.5, 1.5, 0.5, 0.0], args=(data, rho, held), method="BFGS")
    assert there[0] == pytest.approx(-best.fun, abs=2e-3)


def test_ends_of_the_profile_against_brute_force():
    counts, answer = _drawn(7)
    data = ballots([counts], None, answer, 2)
    curve, _ = profile(data, dependences=np.zeros((2, 1)))
    best = minimize(_negative, [1.5, 1.5, 1.0, -1.0, -1.0], args=(data, 0.0), method="BFGS").fun
    for end in curve.first:
        there = minimize(_negative, [1.5, 1.5, 0.5, 0.0], args=(data, 0.0, end), method="BFGS").fun
        assert there - best == pytest.approx(allowance(0.95), abs=0.08)


def test_raters_who_never_err_against_theory():
    """The truth is known, so the profile is a binomial's: n log-likelihoods of a share."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, size=200)
    answer = np.where(np.arange(200) < 20, 1 - truth, truth)
    counts = 3 * (truth[:, None] == np.arange(2)).astype(np.int64)
    curve, _ = profile(ballots([counts], None, answer, 2), dependences=np.zeros((2, 1)))

    def drop(share):
        return 180 * np.log(0.9 / share) + 20 * np.log(0.1 / (1 - share))

    assert curve.accuracy[0] == pytest.approx(0.9, abs=1e-3)
    for end in curve.first:
        assert drop(end) == pytest.approx(allowance(0.95), abs=0.05)


def test_the_likelihood_never_falls():
    rng = np.random.default_rng(9)
    for _ in range(10):
        counts = rng.integers(0, 4, size=(40, 3))
        counts[counts.sum(axis=1) == 0, 0] = 1
        data = ballots([counts], None, rng.integers(0, 3, size=40), 3, coupling=1.0)
        model = starting_model(data, swept(3))
        before = np.full(model.joint.shape[2], -np.inf)
        for _ in range(6):
            model, reached = climb(data, model, most_cycles=1)
            assert (reached >= before - 1e-8).all()
            before = reached


def test_labels_may_come_in_any_order():
    counts, answer = _drawn(10)
    one, _ = profile(ballots([counts], None, answer, 2), dependences=swept(2))
    other, _ = profile(ballots([counts[:, ::-1]], None, 1 - answer, 2), dependences=swept(2))
    assert one.span() == pytest.approx(other.span(), abs=1e-3)


def test_items_may_come_with_weights():
    counts, answer = _drawn(11, n=150)
    twice = ballots([np.repeat(counts, 2, axis=0)], None, np.repeat(answer, 2), 2)
    weighted = ballots([counts], np.full(150, 2.0), answer, 2)
    dependence = np.zeros((2, 1))
    one, _ = profile(twice, dependences=dependence)
    other, _ = profile(weighted, dependences=dependence)
    assert one.first == pytest.approx(other.first, abs=1e-9)
