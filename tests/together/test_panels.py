"""Several classifiers as one: the pool, who is taken in, and what it must cost or add nothing."""

import json
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import minimize

import headcount as hc
from headcount.data import Classifier
from headcount.together.judge_pool import JudgePool, JudgeReading, PoolItems, evidence_of
from headcount.together.panel_scores import PanelFolds, PanelReading


def judged(n_items, n_judges, seed, n_labels=2, slips=0.15):
    """Counts of items, their shares, and judges who say a label as one person would, or slip."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_labels, 0.6), size=n_items)
    counts = rng.multinomial(8, p)
    said = [
        np.where(
            rng.random(n_items) < slips * j,
            rng.integers(n_labels, size=n_items),
            (rng.random(n_items)[:, None] > p.cumsum(axis=1)).sum(axis=1).clip(max=n_labels - 1),
        )
        for j in range(n_judges)
    ]
    return counts, p, said


def files(counts, said, labels="ab", names=None):
    """Ratings and predictions as `hc.panel` takes them."""
    ratings = hc.Ratings.from_counts(counts, labels=list(labels))
    names = names or [f"judge{j}" for j in range(len(said))]
    table = {"item": [str(i) for i in range(len(counts))]}
    table |= {name: [labels[code] for code in each] for name, each in zip(names, said, strict=True)}
    return ratings, pa.table(table)


def items_of(seed=0, n_judges=3, n_labels=3):
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.ones(n_labels), size=60)
    said = [rng.dirichlet(np.ones(n_labels) + 3 * row) for row in share for _ in range(n_judges)]
    said = np.array(said).reshape(60, n_judges, n_labels)
    weight = rng.integers(1, 4, size=60).astype(float)
    base = weight @ share / weight.sum()
    return PoolItems(evidence_of(list(said.swapaxes(0, 1)), base), share, weight)


def test_a_pool_is_where_the_loss_is_least_against_reference():
    items = items_of()
    found = items.pool(range(3))
    n, n_labels = 3, 3

    def loss(at):
        return items.loss(JudgePool((0, 1, 2), at[:n], at[n:], items.base))

    bounds = [(0, None)] * n + [(None, None)] * n_labels
    best = minimize(loss, np.zeros(n + n_labels), bounds=bounds, tol=1e-14)
    assert items.loss(found) <= best.fun + 1e-9
    assert found.weights == pytest.approx(best.x[:n], abs=1e-3)


def test_what_a_pool_says_against_brute_force():
    items = items_of(1)
    pool = items.pool((0, 2))
    said = pool.of(items.evidence)
    for row in range(5):
        odds = [
            pool.base[label]
            * np.exp(pool.bias[label])
            * np.prod(
                [
                    np.exp(w * items.evidence[row, j, label])
                    for j, w in zip((0, 2), pool.weights, strict=True)
                ]
            )
            for label in range(3)
        ]
        assert said[row] == pytest.approx(np.array(odds) / sum(odds))


def test_the_best_two_are_those_of_any_order_that_steps_down_against_brute_force():
    items = items_of(2)
    path = items.path(3)
    alone = [items.loss(items.pool((j,))) for j in range(3)]
    assert path[0].members == (int(np.argmin(alone)),)
    first = path[0].members[0]
    pairs = {j: items.loss(items.pool((first, j))) for j in range(3) if j != first}
    assert set(path[1].members) == {first, min(pairs, key=pairs.get)}
    assert path[2].members == (0, 1, 2)
    losses = {items.loss(items.pool(order)) for order in permutations(range(3))}
    assert max(losses) - min(losses) < 1e-9


def test_a_hard_judge_is_read_by_what_people_say_there_against_brute_force():
    counts = np.array([[3, 1], [0, 4], [2, 2], [4, 0]])
    judge = Classifier("it", codes=np.array([0, 1, 0, -1]))
    size = np.array([1.0, 2.0, 1.0, 1.0])
    said = JudgeReading.learn(judge, counts, size).of(judge)
    overall = (0.75 + 0.5 + 1.0) / 5
    assert said[0, 0] == pytest.approx((0.75 + 0.5 + overall) / 3)
    assert said[1, 0] == pytest.approx(overall / 3)
    assert said[3, 0] == pytest.approx((1.0 + overall) / 2)


def test_nothing_is_learned_from_an_items_own_fold():
    counts, _, said = judged(200, 3, seed=4)
    judges = [Classifier(f"j{j}", codes=each) for j, each in enumerate(said)]
    fold = np.arange(200) % 4
    ones = np.ones(200)

    def says(labels):
        folds = PanelFolds.of(judges, labels, ones, fold)
        pools = ([items.path(2)[-1]] for items in folds.outside)
        return folds.of_pools(pools, 1)[0]

    turned = np.where((fold == 0)[:, None], counts[:, ::-1], counts)
    assert says(counts)[fold == 0] == pytest.approx(says(turned)[fold == 0])
    assert np.abs(says(counts)[fold == 1] - says(turned)[fold == 1]).max() > 0.01


def test_judges_who_are_people_are_worth_as_many_against_theory():
    counts, _, said = judged(4000, 3, seed=1, slips=0.0)
    found = hc.panel(*files(counts, said), n_bootstrap=0)
    assert [each.worth.value for each in found.best] == pytest.approx([1, 2, 3], abs=0.2)
    assert found.worth.value == found.best[-1].worth.value
    assert [each.adds.value for each in found.members] == pytest.approx([1, 1, 1], abs=0.2)
    assert found.times_mean == pytest.approx(3, abs=0.2)
    assert found.smallest.size == 3


def test_copies_are_worth_no_more():
    counts, _, said = judged(1500, 2, seed=2, slips=0.0)
    two = hc.panel(*files(counts, said), n_bootstrap=0)
    six = hc.panel(*files(counts, [said[0]] * 5 + [said[1]]), n_bootstrap=0)
    assert six.worth.value == pytest.approx(two.worth.value, abs=0.03)
    assert six.smallest.size == two.smallest.size == 2
    assert all(each.adds.value == pytest.approx(0, abs=0.03) for each in six.members[:5])


def test_judges_that_know_nothing_add_nothing():
    counts, _, said = judged(800, 2, seed=3)
    rng = np.random.default_rng(1)
    noise = [rng.integers(2, size=800) for _ in range(4)]
    found = hc.panel(*files(counts, [*said, *noise, np.zeros(800, dtype=int)]), n_bootstrap=0)
    two = hc.panel(*files(counts, said), n_bootstrap=0)
    assert found.worth.value == pytest.approx(two.worth.value, abs=0.08)
    assert found.smallest.size <= 2
    assert tuple(found.members[-1].adds) == (0.0, 0.0, 0.0)
    assert found.members[-1].weight == 0


@pytest.mark.parametrize("n_items", [60, 400])
def test_what_is_said_of_a_panel_holds_for_new_items(n_items):
    """Cross-fitted scores are those of items never seen, with twenty judges of whom few know."""
    off = []
    for seed in range(6):
        counts, _, said = judged(n_items, 20, seed=100 + seed, slips=0.05)
        fresh, _, new = judged(4000, 20, seed=500 + seed, slips=0.05)
        judges = [Classifier(f"j{j}", codes=each) for j, each in enumerate(said)]
        fold = np.random.default_rng(seed).permutation(n_items) % 5
        folds = PanelFolds.of(judges, counts, np.ones(n_items), fold)
        own = folds.of_pools(([i.pool(range(20))] for i in folds.outside), 1)[0]
        reading = PanelReading.learn(judges, counts, np.ones(n_items))
        there = reading.of([Classifier(f"j{j}", codes=each) for j, each in enumerate(new)])
        off.append(
            (counts / 8 * np.log2(own)).sum(1).mean() - (fresh / 8 * np.log2(there)).sum(1).mean()
        )
    assert np.mean(off) < 2 * np.std(off) / np.sqrt(len(off)) + 0.005  # not better than it is


def test_neither_names_nor_columns_nor_rows_matter():
    counts, _, said = judged(500, 3, seed=6)
    found = hc.panel(*files(counts, said), n_bootstrap=20)
    order = np.random.default_rng(0).permutation(500)
    other = hc.panel(
        *files(counts[order], [each[order] for each in said[::-1]], names=["z", "b", "a"]),
        n_bootstrap=20,
    )
    assert other.worth.value == pytest.approx(found.worth.value, abs=1e-9)
    adds = [each.adds.value for each in found.members]
    assert [each.adds.value for each in other.members] == pytest.approx(adds[::-1], abs=1e-9)
    renamed = dict(zip(found.names, ("a", "b", "z"), strict=True))
    assert [[renamed[n] for n in each.names] for each in found.best] == [
        list(each.names) for each in other.best
    ]


def test_the_json_has_the_documented_shape(data):
    team = hc.together(*data, n_bootstrap=20)
    found = json.loads(team.to_json())["panel"]
    assert set(found) == {"worth", "members", "best", "collected"}
    assert set(found["members"][0]) == {"name", "worth", "adds", "weight"}
    assert set(found["best"][0]) == {"size", "names", "worth"}
    assert [each["size"] for each in found["best"]] == [1, 2, 3]
    alone = {each["name"]: each["worth"] for each in found["members"]}
    assert found["best"][0]["worth"] == alone[found["best"][0]["names"][0]]
    assert found["best"][-1]["worth"] == found["worth"]
    assert hc.panel(*data, n_bootstrap=20) == team.panel
    alone = hc.together(data[0], data[1].select(data[1].names[:1]), n_bootstrap=0)
    assert json.loads(alone.to_json())["panel"] is None


def test_a_panel_goes_where_a_classifier_does(data):
    ratings, predictions = data
    found = hc.panel(ratings, predictions, n_bootstrap=0)
    again = hc.survey_equivalence(ratings, found.predictions, n_bootstrap=0)["panel"]
    assert again.worth.value == pytest.approx(found.worth.value, rel=0.15)
    policy = found.policy(as_good_as=2)
    assert policy.route(found.predict(predictions)).num_rows == predictions.n_items
    with_people = [found.team.worth_with(k).value for k in (1, 2, 3)]
    assert with_people == sorted(with_people)
    with pytest.raises(hc.HeadcountError, match="has no answers of"):
        found.predict(predictions.select(predictions.names[:1]))


def test_an_answer_that_is_no_label_is_one_more():
    counts, _, said = judged(300, 2, seed=8)
    ratings, table = files(counts, said)
    odd = ["?" if i % 7 == 0 else x for i, x in enumerate(table["judge0"].to_pylist())]
    table = table.set_column(1, "judge0", pa.array(odd))
    found = hc.panel(ratings, table, unknown="wrong", n_bootstrap=0)
    assert found.worth.value > 0
    chances = found.predict(table).table.column("panel:a")
    assert 0 < float(chances[0].as_py()) < 1


def test_it_is_said_and_drawn(data, tmp_path):
    found = hc.panel(*data, n_bootstrap=20)
    assert found.verdict().startswith("Together the three classifiers are worth ")
    found.chart().save(str(tmp_path / "panel.json"))
    assert (tmp_path / "panel.json").stat().st_size > 1000
    with pytest.raises(hc.HeadcountError, match="two classifiers or more"):
        hc.panel(data[0], data[1].select(data[1].names[:1]))


def of(shared_data, folder, *, more=".gz", **options):
    path = shared_data(folder)
    ratings = hc.Ratings.read(path / f"ratings.csv{more}")
    return hc.panel(ratings, path / f"predictions.csv{more}", two_way=False, **options)


def test_worths_of_real_panels_against_sketches(shared_data):
    pandalm = of(shared_data, "pandalm-judges", more="", unknown="wrong", n_bootstrap=0)
    assert pandalm.worth.value == pytest.approx(0.35, abs=0.02)
    summeval = of(shared_data, "summeval", scorer="cross_entropy", n_bootstrap=0)
    assert summeval.worth.value == pytest.approx(0.74, abs=0.02)
    worths = [each.worth.value for each in summeval.best]
    assert worths == pytest.approx([0.59, 0.69, 0.73, 0.74, 0.74, 0.74], abs=0.02)
