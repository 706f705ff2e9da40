"""The share of X among all items: a judge on all of them, people on some."""

from headcount.rate.rate_of_items import Rate, rate_of_items
from headcount.rate.true_rate import true_rate
from headcount.rate.true_rate_result import ClassifierRate, TrueRate

__all__ = ["ClassifierRate", "Rate", "TrueRate", "rate_of_items", "true_rate"]
