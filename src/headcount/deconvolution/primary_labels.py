"""`deconvolve`: the labels people hold, their slips set aside, and every score against them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.data import Labels, Ratings, Study, as_study
from headcount.deconvolution.adjusted_scores import Score, Scores
from headcount.deconvolution.contenders import (
    Kind,
    Part,
    Scorers,
    ScoringRule,
    chosen_scorers,
    part_of,
)
from headcount.deconvolution.jury import Bench, Panel, Session
from headcount.deconvolution.left_out import Hearing, score_hearing
from headcount.deconvolution.rates import FlipRates, given
from headcount.deconvolution.slips import DrawnLabels, disagreement_level, draw_codes
from headcount.deconvolution.sources import (
    Estimation,
    FlipOption,
    Method,
    flip_rates,
    unanswerable,
)
from headcount.deconvolution.split_scores import LEVELS, NO_GROUPS, SplitScores, by_group, by_level
from headcount.deconvolution.strata import StrataOption
from headcount.deconvolution.votes import Repeats, Votes, votes_of
from headcount.door import positions
from headcount.errors import OptionError, UnanswerableError
from headcount.metrics import caution
from headcount.options import DeconvolutionOptions, whole
from headcount.results import Progress, Result, Table, hidden, no_progress, record
from headcount.sampling import Bootstrap, Samples

_SOFT_NOTE = (
    "The paper's soft oracle says what share of people hold each label: scorers that read "
    "probabilities punish the certainty of the other one. Both repeat the labels they are scored "
    "on."
)
_NO_PREDICTIONS = (
    "There is nothing to score: give predictions, or deconvolve a Study that holds some "
    "(.oracle() asks for the paper's oracle alone)."
)


@record
class PrimaryLabels(Result):
    """What share of people hold each label on each item, once their slips are set aside.

    `score` and `oracle` compare against these labels; `by_level` and `by_group` do so apart;
    `draw` makes a test set of them.

    Attributes
    ----------
    labels : Labels
        The labels in order.
    items : ndarray
        (n,) ids of the items.
    shares : ndarray
        (n, L) the labels as given.
    primary : ndarray
        (n, L) the labels held.
    flip_rate : FlipRates
        How often an answer is a slip.
    items_dropped : int
        Items left out for too few ratings or no weight.

    Examples
    --------
    >>> import headcount as hc
    >>> people = hc.Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
    >>> held = hc.deconvolve(people, flip_rate=0.1, n_bootstrap=0)
    >>> held.shares.shape == held.primary.shape
    True
    """

    panel: Panel = hidden(compare=False)
    progress: Progress = hidden(default=no_progress, compare=False)

    also = (
        "items_used",
        "items_dropped",
        "label_names",
        "method",
        "flip_rate",
        "oracle_score",
        "unchecked",
    )
    named: ClassVar[Mapping[str, str]] = {"label_names": "labels", "oracle_score": "oracle"}

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.panel.labels

    @property
    def items(self) -> NDArray[np.object_]:
        """The ids of the items, in order."""
        return self.panel.votes.items

    @property
    def shares(self) -> Floats:
        """The share of each label as given, (n, L)."""
        return self.panel.jury.shares

    @cached_property
    def primary(self) -> Floats:
        """The share of people who hold each label, (n, L)."""
        return self.panel.jury.held()

    @property
    def flip_rate(self) -> FlipRates:
        """How often an answer is a slip: by item, by stratum, on average."""
        return self.panel.flips

    @property
    def items_dropped(self) -> int:
        """Items left out for too few ratings or no weight."""
        return self.panel.votes.dropped

    def score(
        self,
        predictions: Any = None,
        scorer: Scorers = "accuracy",
        *,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> Scores:
        """Classifiers against the majority label, labels as given and primary labels.

        Parameters
        ----------
        predictions
            Predictions, a frame, a path, or a Study that holds them; by default those of the
            study that was deconvolved.
        scorer
            A name ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy", any other
            scorer), a callable with `sample_weight`, several of these, or None for the six
            named here.
        positive
            The label that two-sided scorers look at.
        unknown
            What an answer outside the labels is: "error", "wrong" or "drop".
        clip
            How far probabilities are kept from 0 and 1.

        Returns
        -------
        Scores
            `scores["model"].adjusted`, and the paper's oracle beside it.

        Examples
        --------
        >>> import headcount as hc, pyarrow as pa
        >>> people = hc.Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
        >>> model = pa.table({"item": ["0", "1"], "model": ["fine", "toxic"]})
        >>> scores = hc.deconvolve(people, flip_rate=0.1, n_bootstrap=0).score(model)
        >>> round(scores.raw.value, 4), round(scores.adjusted.value, 4)
        (0.35, 0.3125)
        """
        scorers = chosen_scorers(scorer, self.labels, positive, clip)
        bench = self._bench(predictions, positive, unknown, decisions=False)
        if not bench(self.panel).classifiers:
            raise OptionError(_NO_PREDICTIONS)
        return self._scores(bench, scorers, positive, soft=False)

    def oracle(
        self,
        scorer: Scorers = "accuracy",
        *,
        positive: str | None = None,
        clip: float | None = None,
        soft: bool = False,
    ) -> Scores:
        """The paper's oracle, which always says what most people said.

        No classifier needs to exist yet: this is a diagnostic of the task. It is picked by the
        very labels it is scored on, so it is flattered.

        Parameters
        ----------
        scorer, positive, clip
            As in `score`.
        soft : bool
            Whether to add the soft oracle, which says what share of people hold each label, for
            scorers that read probabilities.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import headcount as hc
        >>> people = hc.Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
        >>> hc.deconvolve(people, flip_rate=0, n_bootstrap=0).oracle().raw.value
        0.75
        """
        scorers = chosen_scorers(scorer, self.labels, positive, clip)
        return self._scores(_nobody, scorers, positive, soft=soft)

    def by_level(
        self,
        predictions: Any = None,
        scorer: Scorers = "accuracy",
        *,
        levels: Sequence[float] = LEVELS,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> SplitScores:
        """The scores on items that everyone agrees on, and on more and more contested ones.

        Parameters
        ----------
        predictions, scorer, positive, unknown, clip
            As in `score`; without any predictions the oracle stands alone.
        levels : sequence of float
            The upper ends, as shares of labels that are not the majority's.

        Returns
        -------
        SplitScores

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("comments", items=80)
        >>> held = hc.deconvolve(data.ratings, flip_rate=0.04, n_bootstrap=0)
        >>> len(held.by_level(data.predictions, levels=(0.2, 0.5)).parts)
        3
        """
        scorers = chosen_scorers(scorer, self.labels, positive, clip)
        decisions = all(each.reads_labels for each in scorers)
        bench = self._bench(predictions, positive, unknown, decisions=decisions)
        return by_level(self.panel, bench, scorers, levels, self.progress)

    def by_group(
        self,
        predictions: Any = None,
        scorer: Scorers = "accuracy",
        *,
        positive: str | None = None,
        unknown: str = "error",
        clip: float | None = None,
    ) -> SplitScores:
        """The scores among each group of raters: what share of that group would agree.

        Parameters
        ----------
        predictions, scorer, positive, unknown, clip
            As in `score`.

        Returns
        -------
        SplitScores

        Examples
        --------
        >>> import headcount as hc, pyarrow as pa
        >>> data = hc.simulate.make("divided", items=80)
        >>> ratings = hc.Ratings.from_frame(pa.table(data.rating_columns), groups="group")
        >>> held = hc.deconvolve(ratings, flip_rate=0.03, n_bootstrap=0)
        >>> [part.name for part in held.by_group(data.predictions).parts]
        ['majority', 'minority', 'everyone']
        """
        if self.panel.votes.by_group is None:
            raise UnanswerableError(NO_GROUPS)
        scorers = chosen_scorers(scorer, self.labels, positive, clip)
        decisions = all(each.reads_labels for each in scorers)
        bench = self._bench(predictions, positive, unknown, decisions=decisions)
        return by_group(self.panel, bench, scorers, self.progress)

    def draw(self, labels_per_item: int = 10, *, seed: int = 0) -> DrawnLabels:
        """A test set of primary labels drawn for every item, to `.write("labels.csv")`.

        Parameters
        ----------
        labels_per_item : int
            How many are drawn for each.
        seed : int
            The same seed gives the same labels.

        Returns
        -------
        DrawnLabels

        Examples
        --------
        >>> import headcount as hc
        >>> people = hc.Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
        >>> drawn = hc.deconvolve(people, flip_rate=0.1, n_bootstrap=0).draw(5, seed=1)
        >>> len(drawn.columns()["label"])
        10
        """
        whole("labels_per_item", labels_per_item, 1, "a whole number of at least 1")
        codes = draw_codes(self.primary, labels_per_item, seed)
        return DrawnLabels.of(self.items, self.labels.names, codes, self.library)

    def verdict(self) -> str:
        """How many people hold what most of them said, in one sentence."""
        return self._oracle.verdict()

    def tables(self) -> tuple[Table, ...]:
        """The oracle's accuracy and the flip rates."""
        return self._oracle.tables()

    def assumptions(self) -> tuple[str, ...]:
        """What the primary labels rest on."""
        return self._oracle.assumptions()

    def unchecked(self) -> tuple[str, ...]:
        """What was left out or could not be estimated."""
        return self._oracle.unchecked()

    def columns(self) -> dict[str, list[Any]]:
        """A row an item: disagreement, flip rate, labels as given and as held."""
        out: dict[str, list[Any]] = {
            "item": self.items.tolist(),
            "ratings": self.panel.votes.answers.astype(int).tolist(),
            "disagreement": disagreement_level(self.shares).tolist(),
            "flip_rate": self.flip_rate.rate.tolist(),
        }
        for j, name in enumerate(self.labels.names):
            out[f"given:{name}"] = self.shares[:, j].tolist()
        for j, name in enumerate(self.labels.names):
            out[f"primary:{name}"] = self.primary[:, j].tolist()
        return out

    @property
    def items_used(self) -> int:
        """Items that had ratings enough."""
        return self.panel.votes.n_items

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels' names in order."""
        return self.labels.names

    @property
    def method(self) -> Method:
        """How slips are set aside."""
        return self.panel.method

    @property
    def oracle_score(self) -> Score:
        """The accuracy of the paper's oracle."""
        return self._oracle.oracle[0]

    def at_confidence(self, confidence: float) -> Self:
        """The same labels, whose scores have intervals of another confidence."""
        plan = replace(self.panel.plan, confidence=confidence)
        return replace(self, panel=replace(self.panel, plan=plan))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrimaryLabels):
            return NotImplemented
        return self.columns() == other.columns() and self._oracle == other._oracle

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _oracle(self) -> Scores:
        return self.oracle("accuracy")

    def _bench(
        self, predictions: Any, positive: str | None, unknown: str, *, decisions: bool
    ) -> Callable[[Panel], Bench]:
        """Who is judged, on this panel or its part; joined once for each."""
        given = self.panel.study.predictions if predictions is None else predictions

        @cache
        def seated(part: bool) -> Bench:
            panel = self.panel.part if part else self.panel
            assert panel is not None
            own = given if part else predictions
            return panel.bench(own, positive, unknown, decisions=decisions)

        return lambda panel: seated(panel is not self.panel)

    def _scores(
        self,
        bench: Callable[[Panel], Bench],
        scorers: tuple[ScoringRule, ...],
        positive: str | None,
        *,
        soft: bool,
    ) -> Scores:
        """Scorers of decisions and of probabilities apart: what one says hangs on no other."""
        panel, seated = self.panel, bench(self.panel)
        read = {each.name for each in scorers if each.rule.takes == "probabilities"}
        soft = bool(read) and (soft or any(each.soft for each in seated.classifiers))
        scores: list[Score] = []
        used = 0
        for of_labels in (True, False):
            own = tuple(each for each in scorers if each.reads_labels == of_labels)
            if not own:
                continue

            def parts(session: Session, soft: bool = soft and not of_labels) -> list[Part]:
                seated = session.classifiers
                return [part_of(session.jury, session.judged, seated, soft=soft)]

            def ask(
                panel: Panel,
                of_labels: bool = of_labels,
                parts: Callable[[Session], list[Part]] = parts,
            ) -> Hearing:
                here = bench(panel)
                return Hearing(here.decided() if of_labels else here, here.answered, parts)

            session, _, found = score_hearing(panel, ask, own, self.progress)
            scores += found[0]
            used = session.items(session.judged)
        order = [each.name for each in scorers]
        scores.sort(key=lambda each: order.index(each.scorer))
        warned = [caution(each, rule.rule) for each in seated.classifiers for rule in scorers]
        two = self.labels.n == 2 or positive is not None
        return Scores(
            used,
            panel.votes.dropped + panel.votes.n_items - used,
            self.labels.names[self.labels.positive(positive)] if two else None,
            panel.plan.confidence,
            panel.method,
            panel.flips,
            _by_contender(scores, "classifier"),
            _by_contender(scores, "oracle"),
            tuple(each for each in _by_contender(scores, "soft_oracle") if each.scorer in read),
            (
                *panel.votes.notes,
                *seated.notes,
                *panel.samples.notes,
                *dict.fromkeys(sentence for sentence in warned if sentence),
                *(_SOFT_NOTE,) * soft,
            ),
            replace(panel.samples.plan, items=max(used, 1)),
            library=self.library,
            collected=self.collected,
        )


def _nobody(panel: Panel) -> Bench:
    return Bench((), np.ones(len(panel.votes.items), dtype=bool))


def _by_contender(scores: Sequence[Score], kind: Kind) -> tuple[Score, ...]:
    """The scores of a kind, contender by contender."""
    chosen = [each for each in scores if each.kind == kind]
    names = list(dict.fromkeys(each.name for each in chosen))
    return tuple(sorted(chosen, key=lambda each: names.index(each.name)))


def deconvolve(
    ratings: Any,
    *,
    flip_rate: FlipOption = DeconvolutionOptions.flip_rate,
    method: Method = "unbiased",
    strata: StrataOption = DeconvolutionOptions.strata,
    formula: str = DeconvolutionOptions.formula,
    min_ratings: int = DeconvolutionOptions.min_ratings,
    repeats: Repeats = "first",
    weigh_by: str = DeconvolutionOptions.weigh_by,
    group_weights: Mapping[str, float] | None = DeconvolutionOptions.group_weights,
    two_way: bool | None = DeconvolutionOptions.two_way,
    n_bootstrap: int = DeconvolutionOptions.n_bootstrap,
    confidence: float = DeconvolutionOptions.confidence,
    seed: int = DeconvolutionOptions.seed,
    progress: Progress = no_progress,
) -> PrimaryLabels:
    """Set people's slips aside: what share of them holds each label.

    Parameters
    ----------
    ratings
        A Study, Ratings, a frame or a path. The predictions of a study are those that `score`
        looks at unless it is given others.
    flip_rate
        The chance that an answer is not what its rater mostly says: "retest" (from raters who
        were asked twice), "svd" (from a model of each rater; extra `svd`), a number, a rate for
        each item (a mapping from item id, an array in the order of the ids, or the name of a
        column of the ratings or of a file with item and rate), or "auto": retests on a hundred
        items or more, else svd, else what retests there are, else zero.
    method
        "unbiased" sets slips aside on average, which makes means over items right; "paper" cuts
        each item's shares at zero, as the paper does, and takes strata by its rule.
    strata
        The levels of disagreement within which flip rates are pooled: "auto" (all together,
        unless they differ by more than chance; by the paper's method the most that hold a
        hundred items with retests each), a number, a width, or edges.
    formula
        The retest formula for as many labels as there are, "all-labels", or "two-labels".
    min_ratings
        Leave out items with fewer answers.
    repeats
        "all" also counts a rater's later answers on the same item.
    weigh_by
        Let every one of the "items" or of the "ratings" count the same.
    group_weights
        Mix the groups of raters by these weights instead of by their numbers.
    two_way
        Whether raters are a sample too: the intervals of scores are then also about other people
        like these. By default where at least three raters are named; items that have a cluster
        are drawn by the cluster.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps slow loops, such as a progress bar.

    Returns
    -------
    PrimaryLabels
        `.score(predictions)`, `.oracle()`, `.by_level(…)`, `.by_group(…)`, `.draw(…)`, and the
        labels held item by item (`.primary`, `.to_frame()`).

    Notes
    -----
    Slips at rate f, spread evenly over the other labels, turn the share s of people who hold a
    label into p = (1 − f)·s + f·(1 − s)/(L − 1). The way back,
    s = (p − f/(L − 1)) / (1 − f·L/(L − 1)), is linear, so means of it over items are right on
    average, although single items can come out below 0 or above 1. The paper cuts those off
    item by item, which biases the mean: .90 came out as .87 (five ratings, slips of .1).
    Every scorer of weighted rows is a function of such means. Where items or answers are picked
    by the labels themselves (levels of disagreement, the oracles), in a callable of your own
    that reads probabilities, and wherever single items are asked for (`primary`, `draw`), the
    labels held are posterior means given the item's answers, under a population of items fitted
    through the slips. That takes two labels, fifty items, two ratings on some and one flip
    rate; otherwise shares are cut at zero there as in the paper.

    References
    ----------
    Gordon, Zhou, Patel, Hashimoto, Bernstein: The Disagreement Deconvolution, CHI 2021.

    Examples
    --------
    >>> from headcount.data import Ratings
    >>> people = Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
    >>> labels = deconvolve(people, flip_rate=0.176, method="paper", n_bootstrap=0)
    >>> labels.primary.round(3)
    array([[0.654, 0.346],
           [1.   , 0.   ]])
    >>> round(labels.oracle("accuracy").adjusted.value, 3)
    0.827
    """
    options = DeconvolutionOptions.among(locals())
    # Groups tell what nobody's slips change: an evaluation asks that, where it looks at groups.
    no_slips = isinstance(flip_rate, int | float) and flip_rate == 0  # else by item, or to be found
    of_items = two_way or not (no_slips and isinstance(ratings, Study))
    study = as_study(ratings, item_by_item=of_items)
    reason = unanswerable(study, options)
    if reason is not None:
        raise UnanswerableError(reason)
    estimation = Estimation(strata, options.formula, method, seed, progress)

    def votes_in(study: Study) -> Votes:
        return votes_of(
            study, repeats=repeats, min_ratings=min_ratings, group_weights=group_weights
        )

    votes = votes_in(study)
    flips = flip_rates(study.ratings, votes, flip_rate, estimation)
    by_ratings, plan = options.weigh_by == "ratings", Bootstrap.of(options)
    # Of all rated items, whoever is judged: classifiers may be handed over later.
    rated = study if study.in_groups else replace(study, predictions=None)
    samples, part = rated.sampled(two_way=two_way), None
    if samples.part is not None:
        some, those = rated.people(samples)
        counted = votes_in(some)
        part = Panel(
            some,
            counted,
            _flips_of_part(flips, votes, study.ratings, counted, some),
            by_ratings,
            plan,
            method,
            samples=_of_votes(those, counted),
        )
    panel = Panel(
        study,
        votes,
        flips,
        by_ratings,
        plan,
        method,
        samples=_of_votes(samples, votes),
        part=part,
    )
    return PrimaryLabels(panel, progress, library=study.library, collected=study.design.lines)


def _of_votes(samples: Samples, votes: Votes) -> Samples:
    """What is a sample among the items that have votes."""
    if votes.rows is None or not samples.by_row:
        return samples
    kept = np.zeros(int(samples.plan.items), dtype=bool)
    kept[votes.rows] = True
    return samples if kept.all() else samples.take(kept)


def _flips_of_part(
    whole: FlipRates, votes: Votes, ratings: Ratings, part: Votes, study: Study
) -> FlipRates:
    """The flip rates of a part of the items, and what its raters told of them."""
    if votes.size is not None:
        return given(np.full(len(part.items), whole.mean), whole.method)
    found = whole.take(positions(part.items, votes.items))
    if found.trials is None:
        return found
    here = positions(ratings.answers().raters, study.ratings.answers().raters)
    return replace(found, trials=replace(found.trials, rater=here[found.trials.rater]))
