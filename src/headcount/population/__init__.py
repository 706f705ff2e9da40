"""How much people differ from item to item, and the best that any classifier could do."""

from headcount.population.best_possible import population, unanswerable
from headcount.population.fitting import CrossFitted, enumerated_scores, fit_population
from headcount.population.folds import Folds
from headcount.population.functionals import (
    Score,
    curve_of,
    expected_score,
    ideal_of,
    label_scores,
    moment_bounds,
    own_score,
    score_of,
)
from headcount.population.maximum_likelihood import Fit, Likelihood
from headcount.population.mixtures import Atoms, Dirichlets, Mixture, two_label_grid
from headcount.population.model import Population
from headcount.population.population_result import PopulationOfItems
from headcount.population.profile_likelihood import Inflate, lowest
from headcount.population.refits import Refits, Table, table_of
from headcount.population.share_of_possible import share_of
from headcount.population.study_fits import FOLDS, Everyone, Fits, fits_of
from headcount.population.surveys import (
    LinearSurvey,
    chance_of,
    count_surveys,
    every_survey,
    log_orders,
)
from headcount.population.training_labels import SoftLabels, soft_labels

__all__ = [
    "FOLDS",
    "Atoms",
    "CrossFitted",
    "Dirichlets",
    "Everyone",
    "Fit",
    "Fits",
    "Folds",
    "Inflate",
    "Likelihood",
    "LinearSurvey",
    "Mixture",
    "Population",
    "PopulationOfItems",
    "Refits",
    "Score",
    "SoftLabels",
    "Table",
    "chance_of",
    "count_surveys",
    "curve_of",
    "enumerated_scores",
    "every_survey",
    "expected_score",
    "fit_population",
    "fits_of",
    "ideal_of",
    "label_scores",
    "log_orders",
    "lowest",
    "moment_bounds",
    "own_score",
    "population",
    "score_of",
    "share_of",
    "soft_labels",
    "table_of",
    "two_label_grid",
    "unanswerable",
]
