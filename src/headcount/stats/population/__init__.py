"""The population of items: how label distributions vary from item to item."""

from headcount.stats.population.population import Population, fit_population

__all__ = ["Population", "fit_population"]
