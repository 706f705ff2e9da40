"""The span of one classifier from bare arrays, by the road that `system_accuracy` takes."""

import numpy as np

from headcount.accuracy.algebra import estimate
from headcount.accuracy.items import group_items
from headcount.accuracy.rating_models import Judgements, members_of, sweep_models
from headcount.accuracy.sources import algebraic_draws
from headcount.accuracy.span import accuracy_span
from headcount.data import Classifier, Judged, Labels, Named
from headcount.results import no_progress
from headcount.sampling import Bootstrap, estimate_from_draws


def span_of(counts, answer, *, ratings=None, misled=0.05, confidence=0.95, n_bootstrap=200, seed=0):
    """The span and the models behind it: from ratings by label (n, L), the answer to each item
    (n,), L for one outside the labels, and who said what (n, J) where raters have names.
    """
    n, n_labels = counts.shape
    labels = Labels(tuple(f"label {code}" for code in range(n_labels)))
    codes = np.where(answer < n_labels, answer, -1)
    classifier = Classifier("system", codes, None, answered=n, out_of=n)
    judged = Judged(labels, counts, np.ones(n, dtype=np.int64), (classifier,))
    items = group_items(judged, None)
    value = float(estimate(items, items.size[None].astype(float)).accuracy()[0, 0])
    plan = Bootstrap(n_bootstrap, confidence, seed)
    drawn = algebraic_draws(items, plan, no_progress)["accuracy"][:, 0]
    ends = tuple(estimate_from_draws(value, drawn, plan.tail(n)))
    members = None if ratings is None else members_of(_named(ratings), n, n_labels)
    named = None if members is None else members.with_answers(answer)
    n_answers = n_labels + int((answer == n_labels).any())
    (sweep,) = sweep_models(
        [Judgements(counts, answer, np.ones(n), n_answers, named)], confidence=confidence, seed=seed
    )
    span = accuracy_span(
        None if ends[0] is None else ends,
        sweep,
        labels.names,
        items=n,
        misled=misled,
        confidence=confidence,
    )
    return span, sweep


def _named(ratings):
    """From labels by item and rater (n, J), −1 for none."""
    item, rater = np.nonzero(ratings >= 0)
    names = np.array([str(code) for code in range(ratings.shape[1])], dtype=object)
    return Named(item, rater, ratings[item, rater], names)
