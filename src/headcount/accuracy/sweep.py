"""The models fitted to ratings and classifiers' answers, and what each says of the accuracy.

Free error rates, raters who err together with a system that errs on its own or along with them,
and raters with rates of their own. Classifiers that are judged by the same items are climbed side
by side: they share nearly all rows, and many small steps cost more than few larger ones.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from headcount.accuracy.assumptions import (
    EQUAL,
    Assumption,
    even_errors,
    independent_errors,
    judged,
)
from headcount.accuracy.ballots import RATINGS_A_NUMBER, Ballots, Floats, Ints, ballots, thinned
from headcount.accuracy.members import Members
from headcount.accuracy.profile import Curve, profile, profiles, swept
from headcount.accuracy.shared_errors import Model, divided_items
from headcount.data import Named
from headcount.frozen import frozen

LENT = 2.0
"""Ratings that a named rater is lent in each class, spread as all raters' are."""

MOST_CELLS = 4_000_000
"""Items × raters × labels past which named raters are taken together."""

MOST_TOGETHER = 20_000
"""Distinct rows × labels of classifiers that are climbed side by side; more are work enough."""


@frozen
class Part:
    """One model's accuracy and interval, and whether it is part of the span (if not, why).

    The numbers are None where the model has no answer.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    counted: bool = True
    why: str = ""


@frozen
class Fitted:
    """A part's `model` where it fits best, to be fitted again to other ratings.

    `coupling` is how far the system shares errors in it, `prior` what its columns are lent;
    `by_rater` tells that each rater is a member of their own.
    """

    name: str
    model: Model
    coupling: float = 0.0
    prior: Floats | None = None
    by_rater: bool = False


@frozen
class Sweep:
    """The models fitted to ratings and one system's answers, all but the algebra.

    `items` says how many items they were fitted to, `fits` where each of them fits best.
    """

    parts: tuple[Part, ...]
    assumptions: tuple[Assumption, ...]
    alone: Curve
    together: Curve
    items: int
    fits: tuple[Fitted, ...] = ()

    def assumption(self, name: str) -> Assumption | None:
        """The assumption of this name, if it was tested."""
        return next((each for each in self.assumptions if each.name == name), None)


@frozen(eq=False)
class Judgements:
    """Ratings `counts` (n, L) and one classifier's `answer` (n,); `size` (n,) tells how many items
    a row stands for, `named` are the ratings by those who gave them, item by item.
    """

    counts: Ints
    answer: Ints
    size: Floats
    named: "People | None" = None

    @property
    def n_answers(self) -> int:
        """How many answers are possible, those outside the labels as one."""
        return max(int(self.counts.shape[1]), int(self.answer.max(initial=0)) + 1)

    def fitted_to(self, seed: int) -> "_Rows":
        """The rows that models are fitted to: a random part of the items where they are many."""
        load = thinned(self.counts, self.answer, self.size, seed=seed)
        held = load > 0
        return _Rows(self.counts[held], self.answer[held], load[held], self.n_answers, self.named)


@frozen(eq=False)
class _Rows:
    """What is left of judgements where rows are too many, with as many answers possible."""

    counts: Ints
    answer: Ints
    size: Floats
    n_answers: int
    named: "People | None"


def sweep_models(
    classifiers: Sequence[Judgements], *, confidence: float = 0.95, seed: int = 0
) -> tuple[Sweep, ...]:
    """Latent classes with raters who err alone and together, and with rates of their own.

    Where a classifier has more distinct rows than can be fitted in a second or so, a random part
    of the items is taken: the intervals are then wider, as they should be.
    """
    thin = [each.fitted_to(seed) for each in classifiers]
    found: dict[int, Sweep] = {}
    for some in _alike(thin):
        sweeps = _swept([thin[place] for place in some], confidence)
        found |= dict(zip(some, sweeps, strict=True))
    return tuple(found[place] for place in range(len(thin)))


def _alike(thin: Sequence[_Rows]) -> Iterator[list[int]]:
    """Which classifiers are climbed side by side: as many as are small enough together."""
    together: list[int] = []
    cells = 0
    for place in sorted(range(len(thin)), key=lambda place: thin[place].n_answers):
        more = thin[place].counts.size
        new = together and thin[place].n_answers != thin[together[-1]].n_answers
        if together and (new or cells + more > MOST_TOGETHER):
            yield together
            together, cells = [], 0
        together, cells = [*together, place], cells + more
    if together:
        yield together


def _swept(classifiers: Sequence[_Rows], confidence: float) -> list[Sweep]:
    """The models of classifiers with equally many answers, all at once."""
    counts = np.concatenate([each.counts for each in classifiers])
    answer = np.concatenate([each.answer for each in classifiers])
    n, n_answers = len(classifiers), classifiers[0].n_answers
    size = np.concatenate([each.size for each in classifiers])
    plain = ballots([counts], size, answer, n_answers)
    coupled = ballots([counts], size, answer, n_answers, coupling=1.0)
    whose = np.repeat(np.arange(n), [len(each.answer) for each in classifiers])
    rows = len(plain.weight)
    summed = np.bincount(whose * rows + plain.row, weights=size, minlength=n * rows)
    weight: Floats = summed.reshape(n, rows).astype(np.float64)
    dependences = swept(counts.shape[1])
    alone = profiles(plain, weight, dependences=dependences, confidence=confidence)
    together = profiles(coupled, weight, dependences=dependences, confidence=confidence)
    return [
        _sweep(plain, *each, confidence)
        for each in zip(weight, alone, together, classifiers, strict=True)
    ]


def _sweep(
    data: Ballots,
    weight: Floats,
    fitted_alone: tuple[Curve, Model],
    fitted_together: tuple[Curve, Model],
    classifier: _Rows,
    confidence: float,
) -> Sweep:
    """One classifier's models; `weight` (D,) are its items behind each row."""
    (alone, models), (together, leaning) = fitted_alone, fitted_together
    free = _free(data, models, alone, weight)
    half = (alone.first[1] - alone.first[0]) / 2
    assumptions = [
        even_errors(data, free.model, free.reached, half, weight),
        _independence(alone, free, half),
    ]
    parts = [free.part, *_sharing(alone, together)]
    fits = [
        Fitted("latent_class", free.model),
        Fitted("shared_errors", models.pick(np.array([alone.best()]))),
        Fitted("shared_with_system", leaning.pick(np.array([together.best()])), coupling=1.0),
    ]
    if classifier.named is not None:
        by_rater = _by_rater(classifier.named, data.n_answers, free, confidence)
        parts.append(by_rater.part)
        assumptions.append(by_rater.against(free, half))
        fits.append(by_rater.fit)
    items = round(float(weight.sum()))
    return Sweep(tuple(parts), tuple(assumptions), alone, together, items, tuple(fits))


@frozen
class _Free:
    """The model with free error rates and independent raters: ρ = 0 of the sweep."""

    part: Part
    accuracy: float
    model: Model
    reached: float


def _free(data: Ballots, models: Model, curve: Curve, weight: Floats) -> _Free:
    model = models.pick(np.array([0]))
    accuracy = float(curve.accuracy[0])
    part = Part("latent_class", accuracy, *curve.first)
    return _Free(part, accuracy, model, _likelihood(data, model, weight))


def _sharing(alone: Curve, together: Curve) -> list[Part]:
    """The latent classes with shared errors, at their best dependence."""
    curves = {"shared_errors": alone, "shared_with_system": together}
    return [
        Part(name, float(curve.accuracy[curve.best()]), *curve.span())
        for name, curve in curves.items()
    ]


def _independence(alone: Curve, free: _Free, half_width: float) -> Assumption:
    best = alone.best()
    gain = float(alone.drop[0] - alone.drop[best])
    freed = float(alone.accuracy[best])
    return independent_errors(gain, free.accuracy, freed, half_width)


@frozen
class _Named:
    """The model with error rates for each rater: what its numbers gain in log-likelihood."""

    part: Part
    fit: Fitted
    accuracy: float
    gain: float
    freedom: int

    def against(self, free: _Free, half_width: float) -> Assumption:
        return judged(
            EQUAL,
            self.gain,
            self.freedom,
            free.accuracy,
            self.accuracy,
            half_width,
        )


@frozen
class People:
    """Named raters: each one's answers as counts (n, L), and the system's answer (n,)."""

    members: list[Ints]
    answer: Ints
    weight: Floats | None = None


def _by_rater(named: People, n_answers: int, free: _Free, confidence: float) -> _Named:
    """Error rates for each rater."""
    members, n_labels = named.members, named.members[0].shape[1]
    data = ballots(members, named.weight, named.answer, n_answers)
    raters = len(members)
    prior = LENT * np.tile(free.model.chances[:, :, 0], (raters, 1))
    curve, models = profile(
        data, dependences=np.zeros((n_labels, 1)), confidence=confidence, prior=prior
    )
    pooled = Model(free.model.joint, np.tile(free.model.chances, (raters, 1, 1)), models.dependence)
    return _Named(
        Part("latent_class_by_rater", float(curve.accuracy[0]), *curve.span()),
        Fitted("latent_class_by_rater", models, prior=prior, by_rater=True),
        float(curve.accuracy[0]),
        _likelihood(data, models) - _likelihood(data, pooled),
        (raters - 1) * n_labels * (n_labels - 1),
    )


def rater_members(ratings: Ints, n_labels: int) -> list[Ints] | None:
    """Each rater's answers as counts (n, L); None where there are too few for rates of their own.

    Raters without any rating are left out.
    """
    kept = ratings[:, (ratings >= 0).any(axis=0)]
    raters = kept.shape[1]
    numbers = raters * n_labels * (n_labels - 1)
    few = (kept >= 0).sum() < RATINGS_A_NUMBER * numbers
    if raters < 2 or few or kept.size * n_labels > MOST_CELLS:
        return None
    return [one_hot(kept[:, rater], n_labels) for rater in range(raters)]


def members_of(named: Named, n_items: int, n_labels: int) -> Members | None:
    """Named raters' answers; None where they are too few or too many."""
    if n_items * len(named.raters) * n_labels > MOST_CELLS:
        return None
    ratings = np.full((n_items, len(named.raters)), -1)
    ratings[named.item, named.rater] = named.label
    members = rater_members(ratings, n_labels)
    return None if members is None else Members(members)


def _likelihood(data: Ballots, model: Model, weight: Floats | None = None) -> float:
    load = None if weight is None else weight[None]
    return float(divided_items(data, model, load)[1][0])


def one_hot(codes: Ints, n_labels: int) -> Ints:
    """(n, L) counts of one answer an item, none where the code is −1."""
    counts: Ints = (codes[:, None] == np.arange(n_labels)).astype(np.int64)
    return counts
