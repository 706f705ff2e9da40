"""How much people differ from item to item, and the best that any classifier could do."""

from headcount.population.measure import population, unanswerable
from headcount.population.result import PopulationOfItems
from headcount.population.telling import RatingsPlan, plan_ratings

__all__ = ["PopulationOfItems", "RatingsPlan", "plan_ratings", "population", "unanswerable"]
