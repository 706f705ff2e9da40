"""From a question (as good as three people? half a label an item?) to a policy with its promise."""

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results import Estimate, percent
from headcount.sameness import exceeds
from headcount.together.asking import Asking, Payoff, asking_for
from headcount.together.policy import Policy, PolicyFigures, promise_words
from headcount.together.promise import Asker
from headcount.together.team_curve import Team, Way

Floats = NDArray[np.float64]

AS_GOOD_AS = (1, 2, 3, 5, 7)
"""People about every item whom policies are compared with, unless others are asked for."""

_AGREE = Payoff()
"""That people agree: one object, by which an asker finds again what it worked out."""

_NOT_ASKED = "it was not promised against people"


@frozen(eq=False)
class WhomToAsk:
    """What policies of a classifier are made from: its `team`, as `given`, and how it is heeded."""

    team: Team
    given: Classifier
    way: Way
    library: str = "pyarrow"
    _kept: dict[int, Asker] = field(default_factory=dict, init=False)

    def asker(self) -> Asker:
        """What was learned, once."""
        if 0 not in self._kept:
            found = self.team.found
            self._kept[0] = Asker.learn(
                found.judged,
                self.given,
                found.samples,
                self.team.mixtures[0],
                limit=self.team.most,
                as_answers=self.way == "answers",
                seed=found.question.options.seed,
            )
        return self._kept[0]

    def figures(self) -> tuple[PolicyFigures, ...]:
        """The promises of the usual sizes, as far as the data reach."""
        found = []
        for k in AS_GOOD_AS:
            if k <= self.team.most:
                policy = self.policy(as_good_as=k)
                found.append(
                    PolicyFigures(k, policy.labels, policy.agree, policy.kept, policy.saves)
                )
        return tuple(found)

    def policy(
        self,
        *,
        as_good_as: int | None = None,
        agree: float | None = None,
        labels: float | None = None,
        price: float | None = None,
        costs: Any = None,
        limit: int | None = None,
    ) -> Policy:
        """See `TeamMember.policy`."""
        asked = [each is not None for each in (as_good_as, agree, labels, price)]
        if sum(asked) != 1:
            raise OptionError(
                "A policy is as good as so many people (as_good_as=3), has so many agree "
                "(agree=.85), so many labels an item (labels=.5) or a price of a label "
                "(price=.01): give one of them."
            )
        payoff = _AGREE if costs is None else self._payoff(costs)
        most = self._limit(limit)
        if as_good_as is not None:
            return self._as_good_as(as_good_as, payoff, most)
        asker = self.asker()
        if agree is not None:
            _between("agree", agree, 0, 1, "a share such as .85")
            chosen = asker.promised(payoff, most=most, than=None, at_least=agree)
            words = f"what at least {percent(agree, 0)} of people agree with"
            if chosen is None:
                dearest = asker.policies(payoff, most)[0]
                return self._made(dearest, payoff, words, kept=False)
            return self._made(chosen, payoff, words)
        if labels is not None:
            _between("labels", labels, 0, most, "labels an item, such as .5")
            chosen = asker.within(payoff, most=most, labels=labels)
            return self._made(chosen, payoff, f"no dearer than {labels:g} labels an item")
        assert price is not None
        _between("price", price, 0, float(np.inf), "the price of a label, such as .01")
        chosen = asking_for(asker.learned.predictions[: most + 1], payoff, price)
        return self._made(chosen, payoff, f"best where a label costs {price:g}", kept=False)

    def _as_good_as(self, k: int, payoff: Payoff, most: int) -> Policy:
        if isinstance(k, bool) or k != int(k) or not 1 <= k <= self.team.most:
            raise OptionError(
                f"as_good_as is a whole number of people from 1 to {self.team.most}, as many as "
                f"the data can judge by; it was {k!r}."
            )
        asker = self.asker()
        # A classifier that people alone do better without has no part in what asking saves.
        chosen = None
        if self.way != "people":
            chosen = asker.promised(payoff, most=most, than=k)
        words = promise_words(k)
        if chosen is not None:
            made = self._made(chosen, payoff, words, than=k)
            if made.labels.value is not None and exceeds(k, made.labels.value, scale=1.0):
                return made
        return self._everyone(k, payoff, words)

    def _everyone(self, k: int, payoff: Payoff, words: str) -> Policy:
        """Ask k people about every item: nothing else was shown to be as good."""
        asker = self.asker()
        judging, labels = asker.judging, self.team.found.judged.labels
        agree = judging.estimate(asker.everyone(_AGREE, k))
        nothing = Asking((np.zeros(asker.learned.predictions[0].shape[:2], dtype=bool),), 0.0)
        return Policy(
            self.given.name, words, "not shown", Estimate(float(k)), agree, agree,
            Estimate(0.0), Estimate(0.0), asker=asker, asking=nothing, payoff=payoff, of=labels,
            everyone=k, positive=self.team.found.question.positive, library=self.library,
        )  # fmt: skip

    def _made(
        self,
        asking: Asking,
        payoff: Payoff,
        words: str,
        *,
        than: int | None = None,
        kept: bool = True,
    ) -> Policy:
        asker = self.asker()
        judging, labels = asker.judging, self.team.found.judged.labels
        outcome, agreeing = asker.outcome(asking, payoff), self._agreeing(asking, payoff)
        of_raters, leads = asker.scores_without(asking, _AGREE, than)
        asked = judging.estimate(outcome.labels)
        none = Estimate.undefined(_NOT_ASKED)
        people = lead = saves = none
        if than is not None:
            theirs = asker.everyone(_AGREE, than)
            people = judging.estimate(theirs)
            lead = judging.estimate(agreeing - theirs, leads)
            saves = judging.estimate(1 - outcome.labels / than)
        return Policy(
            self.given.name, words, "shown" if kept else "not shown", asked,
            judging.estimate(agreeing, of_raters), people, saves, lead, asker=asker,
            asking=asking, payoff=payoff, of=labels,
            positive=self.team.found.question.positive, library=self.library,
        )  # fmt: skip

    def _agreeing(self, asking: Asking, payoff: Payoff) -> Floats:
        """The share of people who agree with what a policy decides, row by row (n,)."""
        asker = self.asker()
        if payoff.costs is None:
            return asker.outcome(asking, _AGREE).scores
        return asker.outcome(asking, _Deciding(payoff)).scores

    def _payoff(self, costs: Any) -> Payoff:
        n = self.team.found.judged.labels.n
        matrix = np.asarray(costs, dtype=np.float64)
        if matrix.shape != (n, n) or not np.isfinite(matrix).all():
            raise OptionError(
                f"costs is a table of {n} × {n} numbers, a row a decision and a column what a "
                f"person says, in the order of the labels; it was of shape {matrix.shape}."
            )
        return Payoff("cost", matrix)

    def _limit(self, limit: int | None) -> int:
        if limit is None:
            return self.team.most
        if isinstance(limit, bool) or limit != int(limit) or not 0 <= limit <= self.team.most:
            raise OptionError(
                f"limit is a whole number of labels an item from 0 to {self.team.most}, as many "
                f"as the data can judge by; it was {limit!r}."
            )
        return int(limit)


class _Deciding(Payoff):
    """Whether people agree with decisions that were made for what they cost."""

    def __init__(self, payoff: Payoff) -> None:
        super().__init__("cost", payoff.costs)

    def scores(self, q: Floats) -> Floats:
        """One for the label that is decided for (…, L)."""
        return np.eye(q.shape[-1])[self.decision(q)]


def _between(name: str, value: float, low: float, high: float, what: str) -> None:
    if isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"{name} is {what}; it was {value!r}.")
