"""The models fitted to ratings and classifiers' answers, and the assumptions they are nested in.

Free error rates, raters who err together with a system that errs on its own or along with them,
and raters with rates of their own. Classifiers that are judged by the same items are climbed side
by side: they share nearly all rows, and many small steps cost more than few larger ones.

An assumption is a nested model: fitted with and without it, twice the difference of the
log-likelihoods is a χ². A large sample rejects any assumption, so rejection alone is not called a
violation: the accuracy must also move by a share of what its interval leaves open anyway.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import chdtrc, ndtri

from headcount.accuracy.ballots import (
    RATINGS_A_NUMBER,
    Answered,
    Ballots,
    Members,
    ballots,
    thinned,
)
from headcount.accuracy.likelihood_profile import Curve, profile, profiles, swept
from headcount.accuracy.shared_errors import Held, Model, climb, divided_items, starting_model
from headcount.arrays import Floats, Ints
from headcount.data import Named
from headcount.frozen import frozen

EVEN, INDEPENDENT, EQUAL = (
    "errors spread evenly",
    "raters err independently",
    "raters equally good",
)
"""The assumptions, by name."""

# A difference as large comes up in fewer than this share of data sets where all is as assumed.
DOUBT = 0.01

# Share of the interval's half-width by which the answer must move: a bias of a quarter of it (half
# a standard error) brings an interval of 95 % down to 92 %, one of half of it to 83 %.
MOVES = 0.25


@frozen
class Assumption:
    """A likelihood-ratio test and what it does to the answer.

    `held` and `freed` are the accuracy with and without the assumption; `moved` is their
    distance over the interval's half-width.
    """

    name: str
    statistic: float
    freedom: int
    p_value: float
    held: float
    freed: float
    moved: float

    @property
    def rejected(self) -> bool:
        """Whether the data speak against it."""
        return self.p_value < DOUBT

    @property
    def violated(self) -> bool:
        """Whether they do and it matters to the answer."""
        return self.rejected and self.moved >= MOVES


def even_errors(
    data: Ballots,
    free: Model,
    reached: float,
    half_width: float,
    weight: Floats | None = None,
) -> Assumption:
    """Are raters right with one chance whatever the truth, and wrong labels all alike?

    With two labels this is sensitivity equal to specificity: one degree of freedom, which
    three ratings an item are enough to test. `free` is the fitted model with free error rates
    and `reached` its log-likelihood; `weight` (D,) are the items behind each row, the ballots'
    own where None.
    """
    n = data.n_labels
    start = starting_model(data, np.zeros((n, 1)), weight)
    load = None if weight is None else weight[None]
    even, below = climb(data, start, held=Held(even=True, weight=load))
    # Even errors have one number; free ones a matrix whose columns sum to one.
    held, freed = float(even.accuracy()[0]), float(free.accuracy()[0])
    gain, freedom = reached - float(below[0]), n * (n - 1) - 1
    return judged(EVEN, gain, freedom, held, freed, half_width)


@frozen
class RatingsAlone:
    """What ratings say of raters: even and independent errors tested, the answer being how often
    a rating is right, and `low` to `high` of it over all dependence that the data allow.
    """

    assumptions: tuple[Assumption, ...]
    low: float
    high: float


def ratings_alone(
    counts: Ints, size: Floats, *, confidence: float = 0.95, seed: int = 0
) -> RatingsAlone:
    """Raters judged by the ratings alone; what is open of how often they are right is what so many
    items leave open anyway, beyond it what raters who err together leave.

    `counts` (G, L) are patterns of ratings, `size` (G,) the items that have each.
    """
    n = counts.shape[1]
    size = thinned(counts, None, size, seed=seed)
    data = ballots([counts[size > 0]], size[size > 0], None)
    models, reached = climb(data, starting_model(data, swept(n)))
    even, below = climb(data, starting_model(data, np.zeros((n, 1))), held=Held(even=True))
    sound = models.recognised() | ~models.recognised()[0]
    best = int(np.argmax(np.where(sound, reached, -np.inf)))
    right = _rater_accuracy(models)
    free = float(right[0])
    deviation = math.sqrt(max(free * (1 - free), 1e-6) / data.n_items)
    half, gain = float(ndtri(0.975)) * deviation, float(reached[0] - below[0])
    quantile = float(ndtri((1 + confidence) / 2))
    # The likelihood-ratio test's limit: half the square of the normal quantile.
    allowed = sound & (reached >= reached[best] - quantile**2 / 2)
    return RatingsAlone(
        (
            judged(EVEN, gain, n * (n - 1) - 1, float(_rater_accuracy(even)[0]), free, half),
            independent_errors(float(reached[best] - reached[0]), free, float(right[best]), half),
        ),
        float(right[allowed].min()) - quantile * deviation,
        float(right[allowed].max()) + quantile * deviation,
    )


def _rater_accuracy(model: Model) -> Floats:
    """How often a rating is right, (S,), in models of ratings without a system."""
    n = model.joint.shape[0]
    own = model.chances[np.arange(n), np.arange(n)]
    right: Floats = (model.joint.sum(axis=1) * own).sum(axis=0)
    return right


def judged(
    name: str, gain: float, freedom: int, held: float, freed: float, half_width: float
) -> Assumption:
    """The test from the `gain` in log-likelihood that `freedom` more numbers bring."""
    statistic = 2 * max(float(gain), 0.0)
    return Assumption(
        name=name,
        statistic=statistic,
        freedom=freedom,
        p_value=float(chdtrc(freedom, statistic)),
        held=held,
        freed=freed,
        moved=abs(held - freed) / max(half_width, 1e-12),
    )


def independent_errors(gain: float, held: float, freed: float, half_width: float) -> Assumption:
    """Do raters err independently given the truth?

    Independence is the end of a scale (a correlation cannot be told to be below nothing), so
    half of the chance lies on no gain at all and the p-value is half of the χ²'s.
    """
    test = judged(INDEPENDENT, gain, 1, held, freed, half_width)
    return replace(test, p_value=test.p_value / 2 if gain > 0 else 1.0)


# Ratings that a named rater is lent in each class, spread as all raters' are.
LENT = 2.0

# Items × raters × labels past which named raters are taken together.
MOST_CELLS = 4_000_000

# Distinct rows × labels of classifiers that are climbed side by side; more are work enough.
MOST_TOGETHER = 20_000


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
    """Ratings `counts` (n, L) and one classifier's `answer` (n,), one of `n_answers` possible.

    `size` (n,) tells how many items a row stands for, `named` are the ratings by those who gave
    them, where there are enough of each.
    """

    counts: Ints
    answer: Ints
    size: Floats
    n_answers: int
    named: Answered | None = None

    def thinned(self, seed: int) -> "Judgements":
        """What models are fitted to: a random part of the items where rows are too many."""
        load = thinned(self.counts, self.answer, self.size, seed=seed)
        held = load > 0
        return replace(self, counts=self.counts[held], answer=self.answer[held], size=load[held])


def sweep_models(
    classifiers: Sequence[Judgements], *, confidence: float = 0.95, seed: int = 0
) -> tuple[Sweep, ...]:
    """Latent classes with raters who err alone and together, and with rates of their own.

    Where a classifier has more distinct rows than can be fitted in a second or so, a random part
    of the items is taken: the intervals are then wider, as they should be.
    """
    thin = [each.thinned(seed) for each in classifiers]
    found: dict[int, Sweep] = {}
    for some in _alike(thin):
        sweeps = _swept([thin[place] for place in some], confidence)
        found |= dict(zip(some, sweeps, strict=True))
    return tuple(found[place] for place in range(len(thin)))


def _alike(thin: Sequence[Judgements]) -> Iterator[list[int]]:
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


def _swept(classifiers: Sequence[Judgements], confidence: float) -> list[Sweep]:
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
    # One weight row a classifier: all of them climb on the same distinct rows.
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
    classifier: Judgements,
    confidence: float,
) -> Sweep:
    """One classifier's models; `weight` (D,) are its items behind each row."""
    (alone, models), (together, leaning) = fitted_alone, fitted_together
    best, free = alone.best(), models.pick(np.array([0]))
    held, freed = (float(alone.accuracy[place]) for place in (0, best))
    half = (alone.first[1] - alone.first[0]) / 2
    assumptions = [
        even_errors(data, free, _likelihood(data, free, weight), half, weight),
        independent_errors(float(alone.drop[0] - alone.drop[best]), held, freed, half),
    ]
    parts = [
        _holding("latent_class", held, *alone.first),
        _at_best("shared_errors", alone),
        _at_best("shared_with_system", together),
    ]
    fits = [
        Fitted("latent_class", free),
        Fitted("shared_errors", models.pick(np.array([best]))),
        Fitted("shared_with_system", leaning.pick(np.array([together.best()])), coupling=1.0),
    ]
    if classifier.named is not None:
        curve, fit, gain, freedom = _by_rater(classifier.named, data.n_answers, free, confidence)
        parts.append(_at_best(fit.name, curve))
        fits.append(fit)
        assumptions.append(judged(EQUAL, gain, freedom, held, float(curve.accuracy[0]), half))
    items = round(float(weight.sum()))
    return Sweep(tuple(parts), tuple(assumptions), alone, together, items, tuple(fits))


def _at_best(name: str, curve: Curve) -> Part:
    """A model at the dependence that fits best, with the ends over all that the data allow."""
    return _holding(name, float(curve.accuracy[curve.best()]), *curve.span())


def _holding(name: str, value: float, low: float, high: float) -> Part:
    """A model's part with ends that hold its value: those of a few items that are all right or all
    wrong are pulled towards the middle, past what the model itself says.
    """
    return Part(name, value, min(float(low), value), max(float(high), value))


def _by_rater(
    named: Answered, n_answers: int, free: Model, confidence: float
) -> tuple[Curve, Fitted, float, int]:
    """Error rates for each rater, and what so many more numbers gain in log-likelihood."""
    members, n_labels = named.counts, named.counts[0].shape[1]
    data = ballots(members, named.size, named.answer, n_answers)
    raters = len(members)
    pooled = np.tile(free.chances, (raters, 1, 1))
    prior = LENT * pooled[:, :, 0]
    curve, models = profile(
        data, dependences=np.zeros((n_labels, 1)), confidence=confidence, prior=prior
    )
    alike = Model(free.joint, pooled, models.dependence)
    gain = _likelihood(data, models) - _likelihood(data, alike)
    fit = Fitted("latent_class_by_rater", models, prior=prior, by_rater=True)
    return curve, fit, gain, (raters - 1) * n_labels * (n_labels - 1)


def members_of(named: Named, n_items: int, n_labels: int) -> Members | None:
    """Named raters' answers item by item; None where they are too few for rates of each rater's
    own, or too many. Raters without any rating are left out.
    """
    seen, place = np.unique(named.rater, return_inverse=True)
    few = len(named.item) < RATINGS_A_NUMBER * len(seen) * n_labels * (n_labels - 1)
    if len(seen) < 2 or few or n_items * len(seen) * n_labels > MOST_CELLS:
        return None
    counts = np.zeros((len(seen), n_items, n_labels), dtype=np.int64)
    counts[place.ravel(), named.item, named.label] = 1
    return Members(list(counts))


def _likelihood(data: Ballots, model: Model, weight: Floats | None = None) -> float:
    load = None if weight is None else weight[None]
    return float(divided_items(data, model, load)[1][0])
