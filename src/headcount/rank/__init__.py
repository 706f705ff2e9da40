"""Which system is best, and whether a judge ranks systems as people do."""

from headcount.rank.ranking import rank, ranked
from headcount.rank.ranking_result import (
    Favour,
    Flips,
    Position,
    RankedSlice,
    RankedSystem,
    Ranking,
    RankingCurve,
    RankingJudge,
    TwoSystems,
)

__all__ = [
    "Favour",
    "Flips",
    "Position",
    "RankedSlice",
    "RankedSystem",
    "Ranking",
    "RankingCurve",
    "RankingJudge",
    "TwoSystems",
    "rank",
    "ranked",
]
