"""A plan from a pilot: its closed form, its raters, its words, and what it refuses."""

import json

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from tests.plan.pilots import SETTINGS, Setting, pilot

import headcount as hc
from headcount.data import Named
from headcount.errors import OptionError, UnanswerableError
from headcount.plan import Aim, pilot_plan
from headcount.plan.choice import Choice, both_below, expected_gain, right_choice
from headcount.plan.pilot_moments import agreeing, label_moments, stratum_shares, who_agrees
from headcount.plan.right_answers import agreement_to_right, learnt_error
from headcount.simulate import make


def some_pilot(seed=1, items=400, labels=3, gap=0.01):
    counts, decisions, _ = pilot(np.random.default_rng(seed), Setting(items=items), gap)
    return counts[:, :labels], decisions


@pytest.fixture(scope="module")
def plan():
    return pilot_plan(("a", "b"), *some_pilot())


def test_two_normals_against_scipy_reference():
    rng = np.random.default_rng(0)
    for _ in range(60):
        h, k, rho = *rng.normal(0, 2, 2), rng.uniform(-0.99, 0.99)
        known = stats.multivariate_normal.cdf([h, k], [0, 0], [[1, rho], [rho, 1]])
        assert float(both_below(h, k, rho)) == pytest.approx(known, abs=1e-9)
    assert float(both_below(0, 0, 0.3)) == pytest.approx(0.25 + np.arcsin(0.3) / (2 * np.pi))
    assert float(both_below(0, -1.3, 0.0)) == pytest.approx(stats.norm.cdf(-1.3) / 2)


def test_the_closed_form_against_theory():
    """METHODS: x_i, Δ̂, s₀², v, ρ, Φ₂, and the loss of choosing now; a stated prior shrinks."""
    counts, decisions = some_pilot()
    delta, s0, v = by_hand(counts, decisions)
    t = 0.03
    plan = pilot_plan(("a", "b"), counts, decisions, prior_sd=t)
    share = t**2 / (t**2 + s0**2)
    mean, sd = share * delta, np.sqrt(share) * s0
    z = mean / sd
    assert plan.gap.value == pytest.approx(abs(mean))
    loss = sd * stats.norm.pdf(z) - abs(mean) * stats.norm.cdf(-abs(z))
    assert plan.loss_now == pytest.approx(loss)
    assert plan.misjudged_per_thousand == pytest.approx(1000 * loss)
    assert plan.probability() == pytest.approx(stats.norm.cdf(abs(z)))
    for more in (50, 1000, 30_000):
        later = 1 / (1 / s0**2 + more / v)
        rho = np.sqrt(1 - t**2 * later / (t**2 + later) / sd**2)
        cov = [[1, rho], [rho, 1]]
        known = sum(
            stats.multivariate_normal.cdf([sign * z, sign * z / rho], [0, 0], cov)
            for sign in (1, -1)
        )
        assert plan.probability(more) == pytest.approx(known, abs=1e-8)
    fewest = plan.items_for(0.97)
    assert plan.probability(fewest) >= 0.97 > plan.probability(fewest - 1)
    least = plan.items_for_loss(plan.loss_now / 3)
    assert plan.loss(least) <= plan.loss_now / 3 < plan.loss(least - 1)


def by_hand(counts, decisions):
    """Δ̂, s₀ and v of two classifiers."""
    c, n = np.take_along_axis(counts, decisions, axis=1), counts.sum(axis=1)
    x = (c[:, 0] - c[:, 1]) / n
    apart = decisions[:, 0] != decisions[:, 1]
    up, down = ((c[:, k] / n * apart).mean() for k in (0, 1))
    return x.mean(), np.sqrt(x.var(ddof=1) / len(x)), up + down - x.mean() ** 2


def test_how_far_apart_rivals_are_is_left_to_the_data_against_brute_force(plan):
    """τ even from 0 to .3, each weighted by how likely it makes the lead: a fine sum over τ."""
    delta, s0, _ = by_hand(*some_pilot())
    tau = (np.arange(20_000) + 0.5) / 20_000 * 0.3
    weight = stats.norm.pdf(delta, 0, np.sqrt(s0**2 + tau**2))
    share = tau**2 / (tau**2 + s0**2)
    mean, sd = share * abs(delta), np.sqrt(share) * s0
    weight /= weight.sum()
    assert plan.probability() == pytest.approx(weight @ stats.norm.cdf(mean / sd), abs=2e-3)
    loss = sd * stats.norm.pdf(mean / sd) - mean * stats.norm.cdf(-mean / sd)
    assert plan.loss_now == pytest.approx(weight @ loss, rel=0.01)
    # The numbers on a page add up: the lead is that of the shares beside it.
    assert plan.gap.value == pytest.approx(abs(delta))


def test_losses_and_probabilities_against_simulation():
    """Draw the truth and what further items will say; choose; count."""
    rng = np.random.default_rng(4)
    mean, sd, noise, matters = 0.4, 1.0, 0.8, 0.3
    truth = rng.normal(mean, sd, 400_000)
    later = truth + rng.normal(0, noise, truth.size)
    believed = (mean / sd**2 + later / noise**2) / (1 / sd**2 + 1 / noise**2)
    moved = np.sqrt(sd**2 - 1 / (1 / sd**2 + 1 / noise**2))
    chosen = np.where(believed > 0, truth, 0)
    best = np.maximum(truth, 0)
    assert float(right_choice(mean, sd, moved)) == pytest.approx((chosen == best).mean(), abs=3e-3)
    near = (best - chosen < matters).mean()
    assert float(right_choice(mean, sd, moved, matters)) == pytest.approx(near, abs=3e-3)
    loss = float(expected_gain(mean, sd) - expected_gain(mean, moved))
    assert loss == pytest.approx((best - chosen).mean(), abs=3e-3)


def test_many_classifiers_are_two_where_there_are_two():
    """The draws for more classifiers, forced upon two, give the closed form."""

    class Drawn(Choice):
        two = False

    found = label_moments(*some_pilot())
    for options in ({}, {"prior_sd": 0.02}):
        exact, drawn = Choice(found, **options), Drawn(found, **options)
        for items in (0, 300, 5000):
            assert drawn.probability(items) == pytest.approx(exact.probability(items), abs=2e-3)
            assert drawn.loss(items) == pytest.approx(exact.loss(items), abs=0.01 * exact.loss())
        np.testing.assert_allclose(drawn.best_chances(), exact.best_chances(), atol=1e-3)


def test_the_best_of_several_against_simulation():
    """Four classifiers: believed means and covariances drawn independently of the code."""
    rng = np.random.default_rng(2)
    counts = rng.multinomial(5, [0.5, 0.3, 0.2], size=300)
    decisions = rng.integers(0, 3, (300, 4))
    found = label_moments(counts, decisions)
    s = agreeing(counts, decisions)
    seen, centred = np.cov(s.T) / len(s), np.eye(4) - 1 / 4
    tau = (np.arange(300) + 0.5) / 1000
    drawn = []
    basis = np.linalg.svd(centred)[0][:, :3]
    x, inside = basis.T @ s.mean(axis=0), basis.T @ seen @ basis
    logs = [stats.multivariate_normal.logpdf(x, cov=inside + t**2 / 2 * np.eye(3)) for t in tau]
    weights = np.exp(logs - np.max(logs))
    for t, n in zip(tau, rng.multinomial(200_000, weights / weights.sum()), strict=True):
        pull = t**2 / 2 * np.linalg.inv(inside + t**2 / 2 * np.eye(3))
        drawn.append(rng.multivariate_normal(pull @ x, pull @ inside, n) @ basis.T)
    drawn = np.vstack(drawn)
    chances = np.bincount(drawn.argmax(axis=1), minlength=4) / len(drawn)
    choice = Choice(found)
    np.testing.assert_allclose(choice.best_chances(), chances, atol=6e-3)
    leader = int(s.mean(axis=0).argmax())
    assert choice.loss() == pytest.approx((drawn.max(axis=1) - drawn[:, leader]).mean(), rel=0.03)
    made = pilot_plan(tuple("abcd"), counts, decisions)
    assert made.leader == "abcd"[leader]
    assert sum(each.best for each in made.classifiers) == pytest.approx(1)
    chance = [made.probability(more) for more in (0, 300, 3000, 30_000)]
    assert chance == sorted(chance)
    assert made["b"].agreement.value == pytest.approx(s.mean(axis=0)[1])


def test_further_items_against_simulation():
    """The variance that a pilot predicts for fresh items, with one label and with three."""
    rng = np.random.default_rng(3)
    setting = Setting(items=40_000)
    counts, decisions, _ = pilot(rng, setting, 0.03)
    found, contrast = label_moments(counts, decisions), np.array([1, -1])
    for each in (1, 3):
        fresh, told, _ = pilot(rng, Setting(items=40_000, ratings=(each, each)), 0.03)
        x = agreeing(fresh, told) @ contrast
        assert contrast @ found.labels(each) @ contrast == pytest.approx(x.var(), rel=0.04)


def crossed(rng, items, raters, sd):
    """Every rater labels every item: rater r sides with the first with 0.5 + b_r + item."""
    lean = 0.5 + rng.uniform(-0.2, 0.2, items)[:, None] + rng.normal(0, sd, raters)
    said = (rng.random((items, raters)) > np.clip(lean, 0, 1)).astype(int)
    counts = np.stack([(said == 0).sum(axis=1), (said == 1).sum(axis=1)], axis=1)
    item, rater = np.divmod(np.arange(items * raters), raters)
    return counts, Named(item, rater, said.ravel(), np.arange(raters).astype(object))


def test_variance_over_raters_against_simulation():
    """Mean of the estimate over many data sets: 4 σ²/R where labels count ±1."""
    decisions = np.tile([0, 1], (200, 1))
    contrast = np.array([1, -1])
    effects, means = [], []
    for run in range(150):
        counts, named = crossed(np.random.default_rng([9, run]), 200, 8, 0.1)
        found = label_moments(counts, decisions, None, named)
        effects.append(contrast @ found.rater @ contrast)
        means.append(contrast @ found.mean)
    assert np.mean(effects) == pytest.approx(4 * 0.1**2, rel=0.1)
    assert np.var(means) == pytest.approx(4 * 0.01 / 8 + 0.2 / 200, rel=0.35)


def test_ragged_raters_are_estimated_without_bias():
    setting = Setting(items=400, ratings=(2, 5), differ=1.0, raters=12, rater_sd=0.1)
    contrast = np.array([1, -1])
    effects = []
    for run in range(150):
        counts, decisions, named = pilot(np.random.default_rng([2, run]), setting, 0.0)
        found = label_moments(counts, decisions, None, named)
        effects.append(contrast @ found.rater @ contrast)
    assert np.mean(effects) == pytest.approx(4 * 0.1**2, rel=0.12)


def test_raters_of_single_labels_are_estimated_too():
    """Each item by one rater: raters' means differ by more than their items explain."""
    contrast, decisions = np.array([1, -1]), np.tile([0, 1], (900, 1))
    effects = []
    for run in range(200):
        rng = np.random.default_rng([4, run])
        rater = np.arange(900) % 30
        lean = 0.5 + rng.normal(0, 0.1, 30)[rater] + rng.uniform(-0.2, 0.2, 900)
        label = (rng.random(900) > lean).astype(int)
        named = Named(np.arange(900), rater, label, np.arange(30).astype(object))
        found = label_moments(np.eye(2, dtype=int)[label], decisions, None, named)
        effects.append(contrast @ found.rater @ contrast)
    assert np.mean(effects) == pytest.approx(4 * 0.1**2, rel=0.15)


def test_raters_as_a_sample_widen_what_is_believed():
    counts, named = crossed(np.random.default_rng(1), 300, 6, 0.12)
    decisions = np.tile([0, 1], (300, 1))
    plans = {
        who: pilot_plan(("a", "b"), counts, decisions, named=named, raters=who)
        for who in ("fixed", "new", "same")
    }
    widths = {who: made.gap.high - made.gap.low for who, made in plans.items()}
    assert widths["new"] == widths["same"] > widths["fixed"]
    # The same raters can never tell what others would say.
    assert plans["same"].probability(10**7) < plans["new"].probability(10**7)
    assert plans["same"].items_for(0.9999) is None
    assert pilot_plan(("a", "b"), counts, decisions).raters == "fixed"
    assert "a sample of people" in plans["new"].summary()
    assert "never learnt" in plans["same"].summary()
    two = Named(named.item[:4], named.rater[:4] % 2, named.label[:4], named.raters[:2])
    few = pilot_plan(("a", "b"), counts, decisions, named=two)
    assert few.raters == "fixed"
    assert any("fewer than three raters" in line for line in few.unchecked())


def test_a_prior_makes_small_differences_smaller(plan):
    shrunk = pilot_plan(("a", "b"), *some_pilot(), prior_sd=0.01)
    assert abs(shrunk.gap.value) < abs(plan.gap.value)
    assert shrunk.probability() < plan.probability()
    assert "standard deviation) before these data" in shrunk.summary()


def test_groups_are_their_items():
    counts, decisions = some_pilot()
    content = np.column_stack([counts, decisions])
    rows, sizes = np.unique(content, axis=0, return_counts=True)
    one = pilot_plan(("a", "b"), counts, decisions)
    other = pilot_plan(("a", "b"), rows[:, :3], rows[:, 3:], sizes=sizes)
    assert other.loss_now == pytest.approx(one.loss_now)
    assert other.probability(500) == pytest.approx(one.probability(500))
    assert other.differ == pytest.approx(one.differ)


def test_a_pilot_and_single_labels_are_weighed_by_what_they_tell():
    """Five labels an item beside many single ones: no more doubt than with the pilot alone."""
    rng = np.random.default_rng(6)
    five, told, _ = pilot(rng, Setting(items=500), 0.02)
    single, more, _ = pilot(rng, Setting(items=1500, ratings=(1, 1)), 0.02)
    counts, decisions = np.vstack([five, single]), np.vstack([told, more])
    sd = {
        weigh: Choice(label_moments(counts, decisions, weigh=weigh)).difference(0, 1)[1]
        for weigh in ("items", "labels")
    }
    alone = [
        Choice(label_moments(*each)).difference(0, 1)[1] for each in ((five, told), (single, more))
    ]
    assert sd["labels"] == pytest.approx((1 / sum(1 / s**2 for s in alone)) ** 0.5, rel=0.06)
    assert sd["labels"] < sd["items"]
    equal = Choice(label_moments(five, told, weigh="labels")).difference(0, 1)
    assert equal == pytest.approx(Choice(label_moments(five, told)).difference(0, 1))


def test_labels_put_where_classifiers_differ_do_not_bend_the_difference():
    rng = np.random.default_rng(8)
    counts, decisions, _ = pilot(rng, Setting(items=6000), 0.04)
    apart = decisions[:, 0] != decisions[:, 1]
    labelled = (np.arange(6000) < 600) | (apart & (np.arange(6000) < 4000))
    share = stratum_shares(decisions[labelled], decisions)
    whole = Choice(label_moments(counts, decisions)).difference(0, 1)
    part = Choice(label_moments(counts[labelled], decisions[labelled], share=share)).difference(
        0, 1
    )
    bent = Choice(label_moments(counts[labelled], decisions[labelled])).difference(0, 1)
    assert part[0] == pytest.approx(whole[0], abs=3 * part[1])
    assert bent[0] > 1.5 * whole[0]
    assert stratum_shares(decisions[:600], decisions) is None
    assert who_agrees(np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 2]])).tolist()[0] == 0
    assert len(set(who_agrees(np.array([[1, 1, 0], [1, 0, 1], [0, 1, 2]])).tolist())) == 3


def test_the_words_fit_what_is_known():
    """Decided, undecided, out of reach, and out of reach without mattering."""
    clear = pilot_plan(("a", "b"), *some_pilot(gap=0.15))
    assert "no more labels are needed" in clear.verdict()
    open_ = pilot_plan(("a", "b"), *some_pilot(gap=0.0), aim=Aim(matters=0.001))
    assert "of 1,000 items misjudged" in open_.verdict()
    assert "where they differ" in open_.verdict()
    far = pilot_plan(("a", "b"), *some_pilot(gap=0.0), aim=Aim(affordable=50, matters=0.001))
    assert "no affordable number of labels (up to 50)" in far.verdict()
    assert far.items_for_target is None
    counts, decisions, _ = pilot(np.random.default_rng(3), Setting(items=40_000, differ=0.02), 0)
    alike = pilot_plan(("a", "b"), counts, decisions, aim=Aim(affordable=1000))
    assert "cannot be told apart by any affordable number of labels" in alike.verdict()
    assert "it does not matter: they differ by at most 0." in alike.verdict()
    slow = pilot_plan(("a", "b"), counts, decisions, aim=Aim(affordable=10**7))
    assert "It does not matter which" in slow.verdict()
    for made in (clear, open_, far, alike, slow):
        assert "billion" not in made.summary()
        json.dumps(made.to_dict(), allow_nan=False)


def test_items_that_cost_want_more_labels_each():
    free = pilot_plan(("a", "b"), *some_pilot())
    dear = pilot_plan(("a", "b"), *some_pilot(), aim=Aim(costs=hc.Costs(item=20)))
    assert free.labels_each == 1
    assert dear.labels_each > 1
    assert dear.probability(1000) > free.probability(1000)
    assert dear.more[0].cost > dear.more[0].labels
    assert f"{dear.labels_each} labels for each item" in dear.summary()


def test_another_confidence_and_equality(plan):
    wider = plan.with_confidence(0.99)
    assert wider.gap.low < plan.gap.low < plan.gap.high < wider.gap.high
    assert wider.aim.confidence == 0.99
    assert plan == pilot_plan(("a", "b"), *some_pilot())
    assert plan != wider
    assert len(repr(plan).splitlines()) <= 10
    assert plan.to_frame()["labels"].to_pylist() == [100, 1000, 10_000]
    told = plan.to_dict()
    assert {"loss_now", "items_for_target", "labels_for_matters", "at_most"} <= set(told)
    assert told["classifiers"][0]["agreement"]["low"] < told["classifiers"][0]["agreement"]["high"]


def test_labels_where_they_differ_save_what_is_said(plan):
    assert plan.labels_for(1000) == pytest.approx(1000 * plan.differ, abs=1)
    first = plan.more[1]
    assert first.saved > first.saved_anywhere
    assert first.loss == pytest.approx(plan.loss(first.labels / plan.differ), rel=1e-6)


def test_gold_compares_right_answers():
    made = make("comments", items=400, seed=4)
    gold = dict(zip(made.truth["item"], made.truth["majority"], strict=True))
    few = {item: gold[item] for item in list(gold)[:150]}
    found = hc.plan_from_pilot(made.ratings, made.predictions, gold=few)
    assert (found.question, found.items) == ("right", 150)
    assert "is right more often than" in found.verdict()
    with pytest.raises(OptionError, match="fewer than two items"):
        hc.plan_from_pilot(made.ratings, made.predictions, gold={"nobody": "fine"})
    with pytest.raises(OptionError, match="which is not a label"):
        hc.plan_from_pilot(made.ratings, made.predictions, gold=dict.fromkeys(gold, "purple"))
    with pytest.raises(OptionError, match="one of the two"):
        hc.plan_from_pilot(made.ratings, made.predictions, gold=gold, label_accuracy=0.8)


def test_label_accuracy_scales_agreement_to_right_answers():
    agrees = pilot_plan(("a", "b"), *some_pilot(labels=2))
    right = pilot_plan(("a", "b"), *some_pilot(labels=2), label_accuracy=0.8)
    assert right.loss_now == pytest.approx(agrees.loss_now / 0.6)
    assert right.probability(500) == pytest.approx(agrees.probability(500))
    assert right.identified.learnt > right.identified.given > 0
    assert "learnt from these labels it would be" in right.summary()
    three = pilot_plan(("a", "b"), *some_pilot(), label_accuracy=0.8)
    assert three.identified.learnt is None
    assert agreement_to_right(0.8, 3) == pytest.approx(1 / 0.7)
    with pytest.raises(OptionError, match="better than guessing"):
        pilot_plan(("a", "b"), *some_pilot(), label_accuracy=0.3)


def test_what_labels_alone_would_tell_against_simulation():
    """The spread of maximum-likelihood fits with unknown accuracies, 7 labels an item."""
    rng = np.random.default_rng(5)
    items, apart, q, share, n = 4000, 1600, 0.75, 0.6, 7
    fits = []
    for _ in range(60):
        own = rng.random(apart) < share
        said = rng.binomial(n, np.where(own, q, 1 - q))
        k, how_many = np.arange(n + 1), np.bincount(said, minlength=n + 1)
        pi, a, b = share, q, q
        for _ in range(400):
            ours, theirs = stats.binom.pmf(k, n, a) * pi, stats.binom.pmf(k, n, 1 - b) * (1 - pi)
            w = how_many * ours / (ours + theirs)
            other = how_many - w
            pi, a = w.sum() / apart, (w @ k) / (n * w.sum())
            b = (other @ (n - k)) / (n * other.sum())
        fits.append(apart / items * (2 * pi - 1))
    expected = learnt_error(np.zeros(apart, int), np.full(apart, n), items, q, 0.4 * 0.2)
    fixed = (2 * share - 1) ** 2 * 0.4 * 0.6 / items  # the share of differing items was held
    assert np.std(fits) == pytest.approx(np.sqrt(expected**2 - fixed), rel=0.25)
    assert learnt_error(np.zeros(50, int), np.full(50, 2), 500, q, 0.01) is None


def test_one_item_that_differs_is_not_certainty():
    counts, decisions = np.tile([3, 0], (50, 1)), np.zeros((50, 2), int)
    decisions[0, 1] = 1
    made = pilot_plan(("a", "b"), counts, decisions)
    assert 0.5 < made.probability() < 0.95
    assert any("only 1 of these items" in line for line in made.unchecked())


def test_pilots_that_cannot_answer_say_why():
    counts, decisions = some_pilot(items=50)
    with pytest.raises(UnanswerableError, match="same answer on every one of 50 items"):
        pilot_plan(("a", "b"), counts, decisions[:, [0, 0]])
    with pytest.raises(UnanswerableError, match="one classifier only"):
        pilot_plan(("a",), counts, decisions[:, :1])
    with pytest.raises(UnanswerableError, match="only one label"):
        pilot_plan(("a", "b"), counts[:, :1], decisions)
    with pytest.raises(UnanswerableError, match="one item only"):
        pilot_plan(("a", "b"), counts[:1], decisions[:1])


@pytest.mark.parametrize(
    ("aim", "sentence"),
    [
        ({"target": 1.0}, "target is a probability"),
        ({"target": "sure"}, "target is a number"),
        ({"matters": -0.1}, "matters is a difference"),
        ({"loss": 0.0}, "loss is a share"),
        ({"affordable": 0}, "affordable is at least one"),
        ({"confidence": 1.2}, "confidence is a probability"),
    ],
)
def test_impossible_aims_get_one_sentence(aim, sentence):
    with pytest.raises(OptionError, match=sentence):
        Aim(**aim)


def test_impossible_choices_get_one_sentence(plan):
    data = some_pilot()
    for options, sentence in (
        ({"raters": "all"}, "raters is"),
        ({"weigh": "words"}, "weigh is"),
        ({"prior_sd": 0}, "prior_sd is a share"),
    ):
        with pytest.raises(OptionError, match=sentence):
            pilot_plan(("a", "b"), *data, **options)
    with pytest.raises(OptionError, match="probability lies"):
        plan.items_for(1.0)
    with pytest.raises(OptionError, match="more is a number of items"):
        plan.probability(-1)
    made = make("comments", items=100, seed=1)
    with pytest.raises(OptionError, match="there is no classifier 'best'"):
        hc.plan_from_pilot(made.ratings, made.predictions, classifiers=["llm_judge", "best"])
    with pytest.raises(OptionError, match="two or more, each once"):
        hc.plan_from_pilot(made.ratings, made.predictions, classifiers=["llm_judge"])


@pytest.mark.filterwarnings("error")
def test_small_tables_of_any_kind_give_finite_numbers():
    """Two items, answers that are no label, raters of few items: a plan or a sentence."""
    rng, made = np.random.default_rng(0), 0
    for _ in range(120):
        n, labels, classifiers, raters = (int(k) for k in rng.integers(2, (25, 6, 5, 6)))
        said = rng.integers(-1, labels, (n, raters))
        said[np.arange(n), rng.integers(0, raters, n)] = rng.integers(0, labels, n)
        counts = np.stack([(said == label).sum(axis=1) for label in range(labels)], axis=1)
        item, rater = np.nonzero(said >= 0)
        named = Named(item, rater, said[item, rater], np.arange(raters).astype(object))
        options = {
            "raters": str(rng.choice(["new", "same", "fixed"])),
            "weigh": str(rng.choice(["items", "labels"])),
            "prior_sd": float(rng.choice([0.001, 0.03])) if rng.random() < 0.5 else None,
        }
        decisions = rng.integers(-1, labels, (n, classifiers))
        try:
            found = pilot_plan("abcd"[:classifiers], counts, decisions, named=named, **options)
        except UnanswerableError:
            continue
        json.dumps(found.to_dict(), allow_nan=False)
        assert found.summary()
        losses = [found.loss(more) for more in (0, 10, 1000)]
        assert all(loss >= 0 for loss in losses)
        assert losses[0] >= losses[2] - 1e-9
        made += 1
    assert made > 100


def test_frames_and_studies_are_taken_too():
    made = make("comments", items=150, seed=1)
    one = hc.plan_from_pilot(made.ratings, made.predictions)
    frames = pa.table(made.rating_columns), pa.table(made.prediction_columns)
    assert hc.plan_from_pilot(*frames) == one
    assert hc.plan_from_pilot(hc.Study(made.ratings, made.predictions)) == one


def test_every_setting_makes_a_plan():
    for setting in SETTINGS.values():
        rng = np.random.default_rng(1)
        counts, decisions, named = pilot(rng, setting, setting.draw_gap(rng))
        made = pilot_plan(("a", "b"), counts, decisions, named=named)
        assert 0.5 <= made.probability() <= 1


def test_real_judges_are_planned_for(shared_data):
    """Two LLM judges, three raters, one of the judges with 25 answers out of form."""
    folder = shared_data("pandalm-judges")
    found = hc.plan_from_pilot(folder / "ratings.csv", folder / "predictions.csv", unknown="wrong")
    assert found.n_raters == 3
    assert "agrees more with people" in found.verdict()
