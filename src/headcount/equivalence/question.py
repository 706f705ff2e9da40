"""What is asked: options resolved against the labels, and what the data must hold for them."""

from dataclasses import replace
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from headcount.data import Block, Design, FirstAnswers, Kind, Labels, as_study, full_block
from headcount.equivalence.combiners import (
    COMBINERS,
    Combiner,
    Plurality,
    resolve_combiner,
)
from headcount.equivalence.exact import MOST_SURVEYS, Budget
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.metrics import (
    Scorer,
    check_combination,
    check_scorer,
    clip_for,
    resolve_scorer,
    usual_scorer,
)
from headcount.options import EquivalenceOptions
from headcount.population import score_of
from headcount.results import Progress, no_progress
from headcount.sampling import Bootstrap

OF_NUMBERS = (
    "The labels are numbers, whose worth is told by squared error: ask headcount scores "
    '(hc.scores), or read them as levels with scale="ordered" (--scale ordered).'
)

# Ways that r reference raters can fall on the labels, up to which they are enumerated.
_MOST_REFERENCE_DRAWS = 200_000


@frozen
class Question:
    """The options with their names looked up: `combiner`, `scorer`, the `positive` label's code.

    `chooses` leaves the combiner to the data, abc or fitted; where the question alone settles
    that, `settled` says why. `ordered` tells that labels lie from low to high, `design` how the
    ratings were collected, where that is known.
    """

    labels: Labels
    options: EquivalenceOptions
    combiner: Combiner
    scorer: Scorer
    positive: int | None
    progress: Progress = no_progress
    chooses: bool = False
    settled: str | None = None
    ordered: bool = False
    design: Design | None = None

    @property
    def first_answers(self) -> FirstAnswers | None:
        """The first answers of every item, where only these are like people's."""
        return None if self.design is None else self.design.first_answers

    @cached_property
    def bootstrap(self) -> Bootstrap:
        """The plan of samples."""
        return Bootstrap.of(self.options)

    @property
    def budget(self) -> Budget:
        """How much is enumerated before surveys are drawn."""
        asked = self.options.max_surveys
        return Budget(MOST_SURVEYS if asked is None else asked, seed=self.options.seed)

    @property
    def calibrates(self) -> bool:
        """Whether classifiers are calibrated: as asked, else where the scorer reads chances."""
        asked = self.options.calibrate
        return reads_probabilities(self.scorer) if asked is None else asked

    @property
    def clip(self) -> float | None:
        """How far the scorer is to keep probabilities from 0 and 1; None: its own way."""
        clip = self.options.clip
        return None if clip is None else clip_for(self.labels.n, clip)

    @property
    def used_clip(self) -> float | None:
        """The clip as the result names it: None where the scorer takes no logarithm."""
        takes_logs = self.scorer.name == "cross_entropy"
        return clip_for(self.labels.n, self.options.clip) if takes_logs else None

    @property
    def undefined(self) -> str:
        """Why a score may have no value."""
        learned = ", or no other item was left to learn from" if self.combiner.learned else ""
        return self.scorer.undefined + learned

    def of_two_pools(self) -> "Question":
        """The same about another pool's answers, which are learned item by item."""
        if self.combiner.name in ("fitted", "linear") and not self.chooses:
            raise OptionError(
                f"{self.combiner.name} knows one pool of raters, and another is to be predicted: "
                "use abc."
            )
        if not self.chooses:
            return self
        why = "abc was chosen: fitted knows one pool of raters."
        return replace(self, chooses=False, settled=why)

    def block(self, per_item: np.ndarray, sizes: np.ndarray) -> Block:
        """The items whose ratings reach far enough, by the K rule."""
        asked = self.options.max_raters
        reach = None if self.design is None else self.design.measured_to
        if self.first_answers is not None and (asked or 0) > (reach or 0):
            raise OptionError(
                f"max_raters={asked} would leave out the items on which the first {reach} ratings "
                'agree: leave it out, or say stopped="random" (--stopped random) if the number of '
                "ratings has nothing to do with the answers."
            )
        block = full_block(per_item, sizes, raters=reach if asked is None else asked)
        held_out = self.options.reference_raters
        if block.raters <= held_out:
            raise UnanswerableError(
                f"{held_out} held-out raters and at least one to survey need items "
                f"with {held_out + 1} ratings; the curve would be built on "
                f"{block.raters}: lower reference_raters or raise max_raters."
            )
        self.check_items(block.items_used)
        return block

    def check_items(self, items: int) -> None:
        """Refuse data that leave a combiner nothing to learn from."""
        if self.combiner.learned and items < 2:
            raise UnanswerableError(
                f"{self.combiner.name} learns from the other items, and there is only one: use "
                "the combiner frequency or plurality, or lower max_raters to keep more items."
            )


def question_for(
    labels: Labels,
    options: EquivalenceOptions,
    *,
    kind: Kind = "nominal",
    positive: str | None = None,
    design: Design | None = None,
    progress: Progress = no_progress,
) -> Question:
    """Check the options against each other and the labels, which are of a `kind`.

    `positive` stands in for the options' own.
    """
    left_open = isinstance(options.scorer, str) and options.scorer == "auto"
    if left_open and kind == "numeric":
        raise UnanswerableError(OF_NUMBERS)
    scorer = usual_scorer(kind) if left_open else resolve_scorer(options.scorer)
    combiner, chooses, settled = _combiner(options, scorer, labels)
    combiner.check(labels)
    check_scorer(scorer, labels)
    known = {name: each.produces for name, each in COMBINERS.items() if name != "linear"}
    check_combination(combiner.name, combiner.produces, scorer, known)
    if labels.n < 2:
        raise UnanswerableError(
            f"Every rating is {labels.names[0]!r}: with one label there is nothing to predict "
            "(name the others with order= if they exist)."
        )
    if (
        comb(labels.n + options.reference_raters - 1, options.reference_raters)
        > _MOST_REFERENCE_DRAWS
    ):
        raise OptionError(
            f"reference_raters={options.reference_raters} with {labels.n} labels has more than "
            f"{_MOST_REFERENCE_DRAWS:,} possible pluralities to work out: choose fewer."
        )
    chosen = options.positive or positive
    code = None if chosen is None else labels.positive(chosen)
    ordered = kind != "nominal"
    return Question(
        labels, options, combiner, scorer, code, progress, chooses, settled, ordered, design
    )


def _combiner(
    options: EquivalenceOptions, scorer: Scorer, labels: Labels
) -> tuple[Combiner, bool, str | None]:
    """The combiner, whether the data are to choose between it and fitted, and why if not."""
    if options.combiner == "auto":
        why = None
        if score_of(scorer) is None:
            why = f"abc was chosen: {scorer.name} does not tell which predictions are better."
        return COMBINERS["abc"], why is None, why
    combiner = resolve_combiner(options.combiner, n_labels=labels.n)
    if combiner.name == "linear" and (scorer.name != "brier" or options.reference_raters > 1):
        raise OptionError(
            'combiner="linear" is about squared error against one rater: use scorer="brier" with '
            "reference_raters=1."
        )
    if isinstance(combiner, Plurality) and options.nobody == "commonest":
        return replace(combiner, empty="commonest"), False, None
    return combiner, False, None


def reads_probabilities(scorer: Any) -> bool:
    """Whether certainty is punished by it, so that labels alone would be unfair to score.

    >>> reads_probabilities("cross_entropy"), reads_probabilities("agreement")
    (True, False)
    """
    found = resolve_scorer(scorer)
    return found.calibrated or (found.takes == "probabilities" and not found.hard_too)


def unanswerable(data: Any, options: EquivalenceOptions | None = None) -> str | None:
    """Why these data have no power curve, as a sentence; None where they have one.

    Of a study with predictions, the items that every classifier answered are asked.

    >>> import headcount as hc
    >>> unanswerable(hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["no", "yes"]))[:40]
    'No item has two ratings, so no rater can'
    """
    study = as_study(data)
    met = study.groups
    try:
        question = question_for(
            met.labels,
            options or EquivalenceOptions(),
            kind=study.scale.kind,
            design=study.design,
        )
        question.block(met.counts.sum(axis=1), met.size)
    except UnanswerableError as reason:
        return str(reason)
    return None
