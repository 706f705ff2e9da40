"""The population of items: how much people differ, and the best that any classifier could do."""

from headcount.population.measure import population, unanswerable
from headcount.population.result import PopulationOfItems

__all__ = ["PopulationOfItems", "population", "unanswerable"]
