"""Ratings and predictions met once: what every method is handed, and nothing is read twice."""

import os
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from headcount.counting import bound_of, size
from headcount.data.answers import Column, Named
from headcount.data.design import Design
from headcount.data.judged import Judged, everything_rated, judge, judge_grouped
from headcount.data.labels import Labels
from headcount.data.mirrored import mirrored_predictions, mirrored_ratings
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings
from headcount.data.scale import Nearness, Scale
from headcount.door import positions, text_column
from headcount.door.frames import library_of
from headcount.door.layout import Layout
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.sampling.samples import FEW_RATERS, Plan, Samples

# What may be said of an item; every other column of items is a slice.
SAID_OF_ITEMS = ("text", "cluster", "gold", "time")


@frozen
class Study:
    """What people said, what classifiers said, and where they meet.

    Made once and handed to every method: the join, the groups and who said what are worked
    out when first asked for and kept.

    Parameters
    ----------
    ratings : Ratings
        What people said.
    predictions : Predictions, optional
        What classifiers said.
    positive : str, optional
        The label that a bare number is the probability of.
    unknown : {"error", "wrong", "drop"}
        What an answer outside the labels is.
    library : str
        The frame library the data came in, in which `to_frame` answers.
    in_groups : bool, optional
        Whether items are looked at in groups alone, alike in counts and answers, so that no id
        leaves where they lie. By default that is so past five million ratings, unless something is
        said of single items (slices, clusters, weights, groups of raters). Raters are then left out
        in turn on a part of the items (`people`).

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("comments", items=50)
    >>> study = hc.Study(data.ratings, data.predictions)
    >>> hc.survey_equivalence(study, n_bootstrap=0).names == study.names
    True
    """

    ratings: Ratings
    predictions: Predictions | None = None
    positive: str | None = None
    unknown: str = "error"
    library: str = "pyarrow"
    in_groups: bool | None = None

    def __post_init__(self) -> None:
        """Decide how items are looked at: by the data, and before anything is asked of them."""
        if self.in_groups is None:
            object.__setattr__(self, "in_groups", _fit_in_groups(self.ratings))
        if self.library == "pyarrow":
            library = _library(self.ratings, self.predictions)
            object.__setattr__(self, "library", library)

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.ratings.labels

    @property
    def scale(self) -> Scale:
        """What the labels are: names, levels in an order, or numbers."""
        return self.ratings.scale

    @cached_property
    def nearness(self) -> Nearness:
        """When two answers count as agreeing on this scale."""
        return Nearness.of(self.scale)

    @cached_property
    def symmetric(self) -> "Study":
        """The same study; of comparisons, one in which nothing hangs on which is called the first.

        Each comparison then stands beside its mirror image, both in one cluster.
        """
        if len(self.ratings.layout.systems) != 2 or self.ratings.source is None:
            return self
        machines = None if self.predictions is None else mirrored_predictions(self.predictions)
        people = mirrored_ratings(self.ratings)
        assert isinstance(people, Ratings)
        return replace(self, ratings=people, predictions=machines)

    @property
    def design(self) -> Design:
        """How the ratings were collected, which every method's recipe hangs on."""
        return self.ratings.design

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return () if self.predictions is None else self.predictions.names

    @cached_property
    def judged(self) -> Judged:
        """A row an item: those that every classifier answered, all where there is no classifier.

        Where items are looked at in groups alone, a row a group.
        """
        if self.in_groups:
            return self.groups
        if self.predictions is None:
            return everything_rated(self.ratings)
        return judge(self.ratings, self.predictions, positive=self.positive, unknown=self.unknown)

    @cached_property
    def groups(self) -> Judged:
        """The same in groups alike in counts and answers.

        Many ratings are joined where they are counted, and no id is looked at.
        """
        if self.predictions is None:
            patterns = self.ratings.patterns()
            return Judged(self.labels, patterns.counts, patterns.items, ())
        if self.ratings.n_ratings <= size.JOINED_IN_MEMORY and not self.in_groups:
            return self.judged.grouped()
        return judge_grouped(
            self.ratings, self.predictions, positive=self.positive, unknown=self.unknown
        )

    @cached_property
    def item_by_item(self) -> "Study":
        """The same study with a row an item, for what is asked of single items or raters."""
        return replace(self, in_groups=False) if self.in_groups else self

    @cached_property
    def named(self) -> Named | None:
        """First answers on the judged items by named raters; None where raters have no names."""
        if not self.ratings.named or self.in_groups:
            return None
        assert self.judged.items is not None
        first = self.ratings.answers().first()
        item = positions(first.items, self.judged.items)[first.item]
        kept = item >= 0
        seen, rater = np.unique(first.rater[kept], return_inverse=True)
        by = {name: Column(each.names, each.code[kept]) for name, each in first.by.items()}
        return Named(item[kept], rater.ravel(), first.label[kept], first.raters[seen], by)

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What methods of other rooms worked out of this study and keep with it, by its name."""
        return {}

    @cached_property
    def columns(self) -> dict[str, Column]:
        """What is said of the judged items, coded: text, cluster, gold, time, and the slices."""
        known = {} if self.in_groups else self.ratings.item_columns()
        if not known:
            return {}
        assert self.judged.items is not None
        row = positions(self.judged.items, self.ratings.item_counts().items)
        return {name: Column(each.names, each.code[row]) for name, each in known.items()}

    @property
    def is_large(self) -> bool:
        """Whether there are too many ratings to look at all of them by rater."""
        return bool(self.in_groups) or self.ratings.n_ratings > size.LARGE

    @property
    def slices(self) -> tuple[str, ...]:
        """The columns that items are to be looked at by."""
        layout = self.ratings.layout
        other = {*SAID_OF_ITEMS, *layout.systems} - {*layout.slices}
        return tuple(name for name in self.columns if name not in other)

    def sampled(self, *, two_way: bool | None = None) -> Samples:
        """What is taken as a sample: items, or their clusters, and raters where they are named.

        Parameters
        ----------
        two_way : bool, optional
            Whether raters count as a sample: by default where at least three are named. What the
            data do not name is not counted, and the plan says so.

        Returns
        -------
        Samples
            Whose `plan.sentence()` says what intervals are about.

        Examples
        --------
        >>> import headcount as hc
        >>> study = hc.Study(hc.simulate.make("running-example", items=20).ratings)
        >>> study.sampled(two_way=False).plan.counts_raters
        False
        """
        named = self._named_if_affordable(two_way)
        cluster = self.columns.get("cluster") if self.ratings.layout.cluster else None
        code, n_clusters = None, None
        if cluster is not None:
            used, code = np.unique(cluster.code, return_inverse=True)
            n_clusters = len(used)
        n_raters = None if named is None else named.n_raters
        by_row = cluster is not None or named is not None
        items = self.judged.n_items if by_row else self.ratings.n_items
        plan = Plan(max(items, 1), n_clusters, n_raters, self._cluster_noun())
        part = self._sampled_part(two_way) if named is None else None
        if part is not None:
            plan = replace(plan, raters=part.plan.raters)
            return Samples(plan, code, notes=(self._told_of(part),), part=part)
        if named is None or not plan.counts_raters:
            return Samples(plan, code, notes=self._uncounted(two_way))
        names = tuple(str(name) for name in named.raters)
        return Samples(plan, code, named.item, named.rater, named.label, names)

    def _named_if_affordable(self, two_way: bool | None) -> Named | None:
        if two_way is False:
            return None
        if two_way and not self.ratings.named:
            raise OptionError(
                "two_way=True counts raters as a sample, and these ratings do not name their "
                "raters: leave it out, or add a rater column."
            )
        if two_way is None and self.ratings.n_ratings > size.LARGE:
            return None
        return self.named

    @cached_property
    def part(self) -> "Study | None":
        """Some 50,000 of the items one by one, drawn by a hash of their ids; None without names.

        Raters are left out in turn on them where there are too many ratings to do so on all.
        """
        ratings = self.ratings.drawn
        if ratings is None or self.predictions is None:
            return None if ratings is None else replace(self, ratings=ratings, in_groups=False)
        ids = text_column(ratings.item_counts().items)
        bound = bound_of(self.ratings.n_items, self.ratings.n_ratings)
        answers = self.predictions.in_few_digits.drawn(bound, ids)
        if not answers.n_items:
            return None
        return replace(self, ratings=ratings, predictions=answers, in_groups=False)

    def people(self, asked: Samples) -> tuple["Study", Samples]:
        """The items on which raters are left out in turn, and who rated them.

        Parameters
        ----------
        asked : Samples
            What `sampled` gave.

        Returns
        -------
        study : Study
            This one, or its part where there are too many ratings. What a method finds on a part
            without each rater is moved (`stats.recentred`) to where it is on all items.
        samples : Samples
            Who rated these items.

        Examples
        --------
        >>> import headcount as hc
        >>> study = hc.Study(hc.simulate.make("running-example", items=20).ratings)
        >>> study.people(study.sampled())[0] is study
        True
        """
        if asked.part is None:
            return self, asked
        assert self.part is not None
        return self.part, asked.part

    def _sampled_part(self, two_way: bool | None) -> Samples | None:
        """Who rated the items of the part, where that tells how much raters differ."""
        if two_way is False or not self.is_large or self.part is None:
            return None
        sampled = self.part.sampled(two_way=True)
        return sampled if sampled.plan.counts_raters else None

    def _told_of(self, part: Samples) -> str:
        return (
            f"Raters were left out in turn on {part.plan.items:,} of the {self.ratings.n_items:,} "
            "items, drawn by a hash of their ids, so that intervals are also about other people."
        )

    def _uncounted(self, two_way: bool | None) -> tuple[str, ...]:
        """Why named raters are not taken as a sample."""
        if not self.ratings.named or two_way is False:
            return ()
        few = FEW_RATERS.get(self.ratings.some_raters)
        if few is not None:
            return (f"{few[0].upper()}{few[1:]}: intervals are about items alone.",)
        if self.in_groups:
            return ("Items were looked at in groups, so intervals are about items alone.",)
        if self.ratings.n_ratings > size.LARGE:
            return (f"With more than {size.LARGE:,} ratings intervals are about items alone.",)
        return ()

    def _cluster_noun(self) -> str:
        name = self.ratings.layout.cluster or ""
        return name.lower() if name.isalpha() else "cluster of items"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, merged and left out, one sentence each."""
        read = () if self.predictions is None else self.predictions.notes
        return tuple(dict.fromkeys((*self.groups.notes, *self.ratings.notes, *read)))


def _fit_in_groups(ratings: Ratings) -> bool:
    """Whether there are so many ratings that items are better looked at in groups alone.

    What is said of single items (slices, clusters, weights, groups of raters) forbids that.
    """
    layout = ratings.layout
    # A time has no say in how items are grouped: whoever asks for it looks at them one by one.
    of_single_items = {*layout.of_items} - {"time"} or layout.weight or layout.groups
    return ratings.n_ratings > size.LARGE and not of_single_items


def as_study(
    ratings: Any,
    predictions: Any = None,
    *,
    positive: str | None = None,
    unknown: str = "error",
    item_by_item: Any = False,
) -> Study:
    """A study from whatever a user hands over: a Study, Ratings, a frame or a path.

    A study goes as it is, and was told then what its answers mean. `item_by_item` says that
    something is asked for that groups of items do not tell, however many items there are.
    """
    if isinstance(ratings, Study):
        if predictions is not None:
            raise OptionError("A Study holds its predictions already: leave predictions out.")
        return ratings.item_by_item if item_by_item else ratings
    people = as_ratings(ratings)
    if predictions is not None:
        machines = as_predictions(predictions)
    elif people.layout.classifiers and not isinstance(ratings, Ratings):
        machines = as_predictions(ratings, people.layout)
    else:
        machines = None
    in_groups = False if item_by_item else None
    return Study(people, machines, positive, unknown, _library(ratings, predictions), in_groups)


def as_ratings(given: Any) -> Ratings:
    """Ratings from Ratings, a path or a frame."""
    if isinstance(given, Study):
        return given.ratings
    if isinstance(given, Ratings):
        return given
    if isinstance(given, str | os.PathLike):
        return Ratings.read(given)
    return Ratings.from_frame(given)


def as_predictions(given: Any, sheet: Layout | None = None) -> Predictions:
    """Predictions from Predictions, a path or a frame, perhaps on a `sheet` of people's."""
    if isinstance(given, Predictions):
        return given
    told: dict[str, Any] = (
        {} if sheet is None else {"item": sheet.item, "classifiers": list(sheet.classifiers)}
    )
    if isinstance(given, str | os.PathLike):
        return Predictions.read(given, **told)
    return Predictions.from_frame(given, **told)


def _library(*given: Any) -> str:
    """The library of the first frame among what was given; Arrow where there is none."""
    for each in given:
        library: str = getattr(each, "library", None) or library_of(each)
        if library != "pyarrow":
            return library
    return "pyarrow"
