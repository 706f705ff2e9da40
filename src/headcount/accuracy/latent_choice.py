"""Whether latent classes can be fitted, and with one confusion matrix or one a rater."""

from headcount.accuracy.cases import Named, RaterModel
from headcount.data import Judged

EACH_NEEDS = 15
"""Ratings for each number that a matrix a rater adds. On the paper's simulator (three raters,
five labels, a system at .9) one shared matrix came closer to the truth at 50, 100 and 200
cases, 2.5 to 10 ratings a number, and as close or less close from 1,000 cases on."""

SHARED_NEEDS = 5
"""Ratings for each number of a shared matrix, below which nothing is fitted."""


def choose_rater_model(choice: str, judged: Judged, named: Named | None) -> RaterModel | str:
    """One matrix a rater ("each") or one for all ("shared"), or the reason why neither."""
    if choice == "off":
        return "it was switched off"
    per_case = judged.counts.sum(axis=1)
    n, ratings = judged.labels.n, int(per_case.sum())
    if not (per_case >= 3).any():
        return "it takes cases with three ratings, and there are none"
    if ratings < SHARED_NEEDS * _numbers(1, n):
        return (
            f"{ratings:,} ratings are too few for the {_numbers(1, n)} numbers that even one "
            f"shared confusion matrix of {n} labels has"
        )
    if choice == "shared":
        return "shared"
    if choice == "each":
        return "each" if named is not None else "raters have no names"
    enough = named is not None and ratings >= EACH_NEEDS * _numbers(len(named.raters), n)
    return "each" if enough else "shared"


def _numbers(matrices: int, n_labels: int) -> int:
    """How many free numbers that many confusion matrices and the base rates have."""
    return matrices * n_labels * (n_labels - 1) + n_labels - 1
