"""An alarm that may be looked at after every batch, on bare arrays: an e-process of falls.

Against "the mean of x is no lower than m" one bets that it is: what a bet of size λ begun at
batch s has made is Π (1 + λ (m − x)) over the values since, on average no more than 1 where the
mean is at least m. A mixture over starts, with weights 1/(s (s + 1)), and over sizes of bets
stays so:

    E_n = Σ_s w_s mean_λ Π_{i = s … n} (1 + λ (m − x_i)).

It ever reaches 1/α with a chance of at most α (Ville), however often one looks. The reference m is
itself an estimate: half of α is spent on its lower limit.
"""

import numpy as np
from scipy import special

from headcount.arrays import Floats, Ints, Mask
from headcount.frozen import frozen

# Bets as shares of the largest that cannot lose everything, from small falls to large ones.
_BETS = np.geomspace(0.02, 0.95, 12)
# A reference of fewer values is known too badly to be fallen below.
LEAST_REFERENCE = 30
# Values that a log begins with, below whose mean it must not fall: few of them serve soon, many
# tell small falls; each has half of the error. Fixed, so that a log that grows is held against the
# same ones at every look.
REFERENCES = (100, 400)


@frozen
class Alarm:
    """What an e-process made: `log_wealth` (b,) after each batch, against the mean `reference`.

    `fired` is the batch at which it first passed the limit, None where it never did.
    """

    log_wealth: Floats
    reference: float
    fired: int | None


def watch_mean(
    values: Floats, batch: Ints, in_reference: Mask, *, error: float = 0.05
) -> Alarm | None:
    """Whether `values` (n,) from 0 to 1 fell below their mean in the reference; None if too few.

    `batch` (n,) numbers the batches in the order of time; order within a batch has no say.

    >>> steady = np.tile([1.0, 1.0, 1.0, 0.0], 100)
    >>> fallen = np.concatenate([steady, np.tile([1.0, 0.0, 0.0, 0.0], 25)])
    >>> batch = np.arange(len(fallen)) // 20
    >>> watch_mean(steady, batch[:400], batch[:400] < 10).fired is None
    True
    >>> watch_mean(fallen, batch, batch < 10).fired - 20 < 3
    True
    """
    known = values[in_reference]
    if len(known) < LEAST_REFERENCE:
        return None
    low = _lower_limit(known, error / 2)
    later = ~in_reference
    n_batches = int(batch.max(initial=-1)) + 1
    wealth = np.zeros(n_batches)
    bets = _BETS / max(1.0 - low, 1e-9)
    running = np.full(len(bets), -np.inf)
    fired, step = None, 0
    limit = -np.log(error / 2)
    order = np.argsort(batch, kind="stable")
    edges = np.searchsorted(batch[order], np.arange(n_batches + 1))
    for at in range(n_batches):
        rows = order[edges[at] : edges[at + 1]]
        here = values[rows[later[rows]]]
        if len(here):
            step += 1
            start = -np.log(step * (step + 1.0))
            made = np.log1p(np.outer(bets, low - here)).sum(axis=1)
            running = np.logaddexp(running, start) + made
        # Bets not yet begun keep what they hold: Σ_{s > n} w_s = 1 / (n + 1).
        begun = special.logsumexp(running) - np.log(len(bets))
        wealth[at] = np.logaddexp(begun, -np.log(step + 1.0))
        if fired is None and wealth[at] >= limit:
            fired = at
    return Alarm(wealth, low, fired)


def watch_judge(
    agree: Floats, pairs: Floats, batch: Ints, slope: float, *, error: float = 0.05
) -> tuple[bool | None, int | None]:
    """Whether a judge is steady, and the batch of the alarm; None where the log is too short.

    `agree` and `pairs` (n,) are JP and PP of items in batches (n,). Two processes must fire: JP
    itself fell, and JP − `slope` PP fell, so that items or people do not explain it. Where the
    judge did not change one of them has no ground, and fires with a chance of at most `error`.

    >>> agree = np.concatenate([np.ones(300), np.zeros(60)])
    >>> watch_judge(agree, np.ones(360), np.arange(360) // 10, 1.0)
    (False, 31)
    >>> watch_judge(agree, agree, np.arange(360) // 10, 1.0)
    (True, None)
    >>> watch_judge(agree[:90], agree[:90], np.arange(90), 1.0)
    (None, None)
    """
    sizes = np.cumsum(np.bincount(batch))
    beyond = (agree - slope * pairs + slope) / (1 + slope)
    steady, fired = None, []
    for reference in REFERENCES:
        enough = np.flatnonzero(sizes >= reference)
        if not len(enough) or enough[0] + 1 >= len(sizes):
            continue
        first, share = batch <= enough[0], error / len(REFERENCES)
        alarms = [watch_mean(each, batch, first, error=share) for each in (agree, beyond)]
        when = [each.fired for each in alarms if each is not None and each.fired is not None]
        steady = True
        if len(when) == len(alarms):
            fired.append(max(when))
    return (False, min(fired)) if fired else (steady, None)


def _lower_limit(values: Floats, error: float) -> float:
    """The lower limit of a mean, by Student's t; the binomial bound where all values are alike."""
    n = len(values)
    middle = float(values.mean())
    spread = float(values.std(ddof=1)) / np.sqrt(n)
    low = middle + float(special.stdtrit(n - 1.0, error)) * spread
    never = middle * error ** (1.0 / n)  # of values that are all alike
    return float(np.clip(min(low, never) if spread == 0 else low, 1e-6, 1.0 - 1e-6))
