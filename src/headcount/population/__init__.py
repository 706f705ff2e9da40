"""How much people differ from item to item, and the best that any classifier could do."""

from headcount.population.best_possible import population, unanswerable
from headcount.population.fitting import fit_population
from headcount.population.model import Population
from headcount.population.population_result import PopulationOfItems

__all__ = [
    "Population",
    "PopulationOfItems",
    "fit_population",
    "population",
    "unanswerable",
]
