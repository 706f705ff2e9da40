"""All of it on one data set, and what needs more than one method."""

from headcount.evaluation.checkup import Checkup, examine

__all__ = ["Checkup", "examine"]
