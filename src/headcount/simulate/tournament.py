"""Which of two answers is better: systems that meet on prompts, people and a judge who compare."""

from dataclasses import field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.simulate.recipe import (
    Columns,
    Recipe,
    Simulated,
    numbered,
    share,
    spread,
    whole,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen(kw_only=True)
class Tournament(Recipe):
    """Systems answer the same prompts, and people say which of two answers is better.

    On a prompt a system is as good as its strength and a draw of its own; a person says "tie" with
    chance `ties`, else the one is better with the chance of Bradley and Terry. Each person sees the
    two in an order of their own. `judge` sees every pair in both orders, hears the better one as a
    person does, gives `favour` more to the last system, and takes what is shown first whatever it
    is with chance `position`.

    Examples
    --------
    >>> Tournament(items=40).make(seed=0).labels
    ('A', 'tie', 'B')
    """

    name: ClassVar[str] = "tournament"
    about: ClassVar[str] = "which of two systems answers better: people, and a judge in both orders"

    items: int = field(default=200, metadata={"help": "how many prompts"})
    systems: int = field(default=6, metadata={"help": "how many systems there are"})
    pairs: int = field(default=2, metadata={"help": "comparisons on each prompt"})
    raters: int = field(default=20, metadata={"help": "how many people there are"})
    each: int = field(default=3, metadata={"help": "people asked about each comparison"})
    strength: float = field(default=0.8, metadata={"help": "how much systems differ, in logits"})
    prompt: float = field(default=0.5, metadata={"help": "how much a system varies over prompts"})
    ties: float = field(default=0.15, metadata={"help": "how often a person sees no difference"})
    favour: float = field(default=0.5, metadata={"help": "what the judge adds to the last system"})
    position: float = field(default=0.1, metadata={"help": "how often it takes the first shown"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("systems", self.systems, least=2)
        whole("pairs", self.pairs, least=1, most=self.systems * (self.systems - 1) // 2)
        whole("raters", self.raters, least=1)
        whole("each", self.each, least=1, most=self.raters)
        spread("strength", self.strength)
        spread("prompt", self.prompt)
        share("ties", self.ties)
        spread("favour", self.favour)
        share("position", self.position)

    def _make(self, rng: np.random.Generator) -> Simulated:
        n = self.items * self.pairs
        strength = self.strength * rng.standard_normal(self.systems)
        strength -= strength.mean()
        item = np.repeat(np.arange(self.items), self.pairs)
        one, other = self._who_meets(rng)
        quality = strength + self.prompt * rng.standard_normal((self.items, self.systems))
        gap = quality[item, one] - quality[item, other]
        names, prompts = numbered("s", self.systems), numbered("p", self.items)

        asked = np.repeat(np.arange(n), self.each)
        who = np.concatenate([rng.permutation(self.raters)[: self.each] for _ in range(n)])
        ahead = self._heard(rng, gap[asked])
        turned = rng.random(len(asked)) < 0.5
        ratings = _columns(
            prompts[item[asked]], "rater", numbered("r", self.raters)[who], ahead, turned
        ) | _sides(names, one[asked], other[asked], turned)

        leaning = gap + self.favour * (
            (one == self.systems - 1) * 1.0 - (other == self.systems - 1)
        )
        twice = np.tile(np.arange(n), 2)
        turned = np.repeat([False, True], n)
        heard = self._heard(rng, leaning)[twice]
        first = np.where(turned, -1, 1)
        heard = np.where(rng.random(2 * n) < self.position, first, heard)
        judge = np.full(2 * n, "judge", dtype=object)
        predictions = _columns(prompts[item[twice]], "judge", judge, heard, turned) | _sides(
            names, one[twice], other[twice], turned
        )
        facts = {str(name): float(each) for name, each in zip(names, strength, strict=True)}
        truth: Columns = {"item": prompts}
        return Simulated(("A", "tie", "B"), ratings, predictions, truth, facts)

    def _who_meets(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Different pairs of systems on each prompt."""
        first, second = np.triu_indices(self.systems, 1)
        chosen = [rng.permutation(len(first))[: self.pairs] for _ in range(self.items)]
        place = np.concatenate(chosen)
        return first[place], second[place]

    def _heard(self, rng: np.random.Generator, gap: Floats) -> Ints:
        """Who is better: 1 the first, −1 the second, 0 neither."""
        tied = rng.random(len(gap)) < self.ties
        won = rng.random(len(gap)) < 1 / (1 + np.exp(-gap))
        return np.where(tied, 0, np.where(won, 1, -1))


def _columns(
    item: NDArray[np.object_],
    role: str,
    who: NDArray[np.object_],
    ahead: Ints,
    turned: NDArray[np.bool_],
) -> Columns:
    """Answers as they are written down: A is what was shown first."""
    label = np.array(["B", "tie", "A"], dtype=object)[np.where(turned, -ahead, ahead) + 1]
    return {"item": item, role: who, "label": label}


def _sides(
    names: NDArray[np.object_], one: Ints, other: Ints, turned: NDArray[np.bool_]
) -> Columns:
    first, second = np.where(turned, other, one), np.where(turned, one, other)
    return {"model_a": names[first], "model_b": names[second]}
