"""The systems of an evaluation, where its ratings name them."""

from headcount.data import Study
from headcount.errors import UnanswerableError
from headcount.options import EvaluateOptions, RankOptions
from headcount.rank import Ranking, ranked


def ranking_of(study: Study, options: EvaluateOptions) -> Ranking:
    """Which system is best, and what classifiers are worth as rankers.

    Only where the ratings were read as comparisons or with a system: a column that is merely called
    like one may be anything.
    """
    if not study.ratings.layout.systems:
        raise UnanswerableError("The ratings name no systems.")
    return ranked(study, RankOptions.among(options.as_given()))
