"""What classifiers say of the items of a file, in the order of its rows."""

from collections.abc import Sequence

from headcount.data import Classifier, Labels, Predictions, settle


def answers_of(
    predictions: Predictions, names: Sequence[str], labels: Labels, positive: int
) -> tuple[Classifier, ...]:
    """Some classifiers of a file with a row an item; what is no label, or blank, is coded −1."""
    raw = {each.name: each for each in predictions.classifiers}
    found = []
    for name in names:
        answers = settle(predictions, raw[name], labels, positive)
        found.append(
            Classifier(
                name,
                codes=answers.codes,
                probabilities=answers.probabilities,
                scores=answers.scores,
            )
        )
    return tuple(found)
