"""Data with known truth: seeded recipes for tests, demonstrations and planning.

To add a recipe, copy `running_example.py`, and name it in `RECIPES` below.
"""

from typing import Any

from headcount.errors import OptionError
from headcount.simulate.comments import Comments
from headcount.simulate.divided import Divided
from headcount.simulate.fallible import Fallible
from headcount.simulate.mixture import Mixture
from headcount.simulate.recipe import Recipe, Setting, Simulated
from headcount.simulate.running_example import RunningExample
from headcount.simulate.scores import Scores
from headcount.simulate.tournament import Tournament

RECIPES: dict[str, type[Recipe]] = {
    kind.name: kind
    for kind in (Comments, RunningExample, Mixture, Scores, Divided, Fallible, Tournament)
}

__all__ = [
    "RECIPES",
    "Comments",
    "Divided",
    "Fallible",
    "Mixture",
    "Recipe",
    "RunningExample",
    "Scores",
    "Setting",
    "Simulated",
    "Tournament",
    "make",
    "recipe",
]


def recipe(name: str, **options: Any) -> Recipe:
    """The recipe of that name with these options.

    Parameters
    ----------
    name : str
        One of `RECIPES`: "comments", "running-example", "mixture", "scores", "divided", "fallible",
        "tournament".
    **options
        What the recipe can be told; `recipe(name).settings()` lists it with the defaults.

    Returns
    -------
    Recipe
        Whose `make(seed)` draws the data.

    Examples
    --------
    >>> recipe("mixture", items=20, slip=0.1).slip
    0.1
    """
    if name not in RECIPES:
        raise OptionError(f"There is no recipe {name!r}: choose one of {', '.join(RECIPES)}.")
    return RECIPES[name].from_options(options)


def make(name: str, *, seed: int = 0, **options: Any) -> Simulated:
    """Simulated data from the recipe of that name.

    Parameters
    ----------
    name : str
        One of `RECIPES`, as in `recipe`.
    seed : int
        The same seed gives the same data.
    **options
        What the recipe can be told, such as ``items=500``.

    Returns
    -------
    Simulated
        `ratings`, `predictions`, the `truth` of each item and true `facts`.

    Examples
    --------
    >>> make("running-example", items=50, seed=3).facts["percent_agreement"]
    0.69...
    """
    return recipe(name, **options).make(seed)
