"""Numbers that go back to the paper's formulas, to six decimals."""

import pytest

from headcount.plan import plan_comparison


@pytest.mark.parametrize(
    ("accuracy", "margin", "q", "budget", "labels", "items", "probability"),
    [
        (0.8, 0.05, 0.8, 300, 1, 300, 0.796984),
        (0.8, 0.05, 0.8, 300, 3, 100, 0.721355),
        (0.8, 0.05, 0.8, 300, 5, 60, 0.681539),
        (0.9, 0.02, 0.7, 999, 1, 999, 0.703881),
        (0.9, 0.02, 0.7, 999, 3, 333, 0.657863),
    ],
)
def test_probabilities_against_paper(accuracy, margin, q, budget, labels, items, probability):
    plan = plan_comparison(
        accuracy=accuracy, margin=margin, label_accuracy=q, budget=budget, labels_per_item=labels
    )
    assert plan.best.items == items
    assert round(plan.best.probability, 6) == probability


def test_sample_sizes_against_paper():
    plan = plan_comparison(accuracy=0.8, margin=0.02, label_accuracy=0.8, target=0.95)
    one = plan.best
    assert (one.strategy.majority_of, one.items) == (1, 6318)
    assert (one.items_cramer, one.items_hoeffding) == (13_808, 41_608)
    three = next(o for o in plan.plans if o.strategy.majority_of == 3 and not o.strategy.adaptive)
    assert (three.items, three.labels) == (3640, 10_920)


def test_worse_by_less_is_found_only_with_more_items_than_hoeffding_can_promise():
    """Figure 1's message: Cramér promises rivals where Hoeffding cannot promise one."""
    plan = plan_comparison(accuracy=0.9, margin=0.1, label_accuracy=0.9, budget=800)
    ranked = plan.rivals_ranked(plan.best.strategy, [800.0], tolerance=0.05)
    assert ranked["Hoeffding"][0] < 10 < 1000 < ranked["Cramér"][0] <= ranked["exact"][0]
