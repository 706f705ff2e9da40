"""From a study to bare numbers: who rated what how high, and what each judge says of the items."""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.counting import size
from headcount.data import (
    Column,
    ItemNumbers,
    Study,
    another_scale,
    checked_unknown,
    classifier_numbers,
    item_numbers,
    met_by_id,
    one_by_one,
)
from headcount.errors import InputError, OptionError
from headcount.frozen import frozen
from headcount.results import count
from headcount.sampling.samples import FEW_RATERS, Plan, rater_groups
from headcount.scores.people import People, Said
from headcount.scores.sample import Sample


@frozen(eq=False)
class Numbers:
    """What people and judges said of the items that every judge answered.

    `judges` has each judge's numbers (I,) by name, `columns` what is said of the items, coded;
    `answered` how many of `out_of` rated items each judge answered.
    """

    sample: Sample
    judges: dict[str, Floats]
    columns: dict[str, Column]
    raters: tuple[str, ...]
    n_raters: int | None
    n_ratings: int
    least: float
    most: float
    whole: bool
    answered: dict[str, int] = field(default_factory=dict)
    out_of: int = 0
    notes: tuple[str, ...] = ()


def numbers_of(
    study: Study, *, unknown: str = "error", two_way: bool | None = None, confidence: float = 0.95
) -> Numbers:
    """The numbers of a study: joined by item id, cut to what all judges answered."""
    counted = item_numbers(study.ratings)
    judges, answered, notes = _judged(study, counted, checked_unknown(unknown))
    kept = np.ones(len(counted.n), dtype=bool)
    for said in judges.values():
        kept &= ~np.isnan(said)
    if not kept.any():
        raise InputError(
            f"No item is rated in {study.ratings.name} and answered by every classifier: check "
            "that both use the same item ids, or choose classifiers."
        )
    left_out = int((~kept).sum())
    if left_out:
        notes.append(
            f"{left_out:,} of {len(kept):,} rated items {'was' if left_out == 1 else 'were'} left "
            "out: classifiers are compared on the items that all of them answered."
        )
    items = counted.items[kept]
    sample, raters, more = _sample(study, counted, kept, items, two_way, confidence)
    return Numbers(
        sample=sample,
        judges={name: said[kept] for name, said in judges.items()},
        columns=study.ratings.columns_of(items),
        raters=raters,
        n_raters=study.ratings.n_raters,
        n_ratings=int(counted.n[kept].sum()),
        least=counted.least,
        most=counted.most,
        whole=counted.whole,
        answered=answered,
        out_of=len(kept),
        notes=(*notes, *more),
    )


def _judged(
    study: Study, counted: ItemNumbers, unknown: str
) -> tuple[dict[str, Floats], dict[str, int], list[str]]:
    predictions, labels = study.predictions, study.ratings.meaning.labels
    if predictions is None:
        return {}, {}, []
    predictions = predictions.here()
    rows = met_by_id(counted.items, predictions)
    notes = list(predictions.notes)
    judges, answered = {}, {}
    for raw in predictions.classifiers:
        said = classifier_numbers(predictions, raw, labels if labels.n else None, unknown=unknown)
        judges[raw.name] = np.where(rows >= 0, said[rows], np.nan)
        apart = another_scale(judges[raw.name], counted.least, counted.most)
        if apart is not None:
            notes.insert(0, f"{raw.name}: {apart}: its bias and distance are no errors of it.")
        answered[raw.name] = int((~np.isnan(judges[raw.name])).sum())
        if answered[raw.name] < len(rows):
            notes.append(
                f"{raw.name} answered {answered[raw.name]:,} of {len(rows):,} rated items."
            )
    unrated = predictions.n_items - int((rows >= 0).sum())
    if unrated:
        some = count(unrated, "predicted item has", "predicted items have")
        notes.append(f"{some} no rating in {study.ratings.name}.")
    return judges, answered, notes


def _sample(
    study: Study,
    counted: ItemNumbers,
    kept: NDArray[np.bool_],
    items: NDArray[np.object_],
    two_way: bool | None,
    confidence: float,
) -> tuple[Sample, tuple[str, ...], list[str]]:
    """What is taken as a sample: items or clusters, and raters where three are named."""
    ratings = study.ratings
    if two_way and not ratings.named:
        raise OptionError(
            "two_way=True counts raters as a sample, and these ratings do not name their raters: "
            "leave it out, or add a rater column."
        )
    cluster = ratings.columns_of(items).get("cluster")
    code, n_clusters = None, None
    if cluster is not None:
        used, code = np.unique(cluster.code, return_inverse=True)
        n_clusters = len(used)
    said: Said | None = None
    raters: tuple[str, ...] = ()
    notes: list[str] = []
    if ratings.n_ratings <= size.NUMBERS_ONE_BY_ONE:
        found = one_by_one(ratings, items)
        said = Said.of(found.item, found.value, len(items), found.rater)
        raters = found.raters
    else:
        notes.append(
            f"With more than {size.NUMBERS_ONE_BY_ONE:,} ratings distances, levels and raters are "
            "left out."
        )
    affordable = two_way or ratings.n_ratings <= size.NUMBERS_ONE_BY_ONE
    n_raters = len(raters) if raters and two_way is not False and affordable else None
    plan = Plan(len(items), n_clusters, n_raters, _cluster_noun(study))
    if plan.why_not_raters is not None:
        few = FEW_RATERS[len(raters)]
        notes.append(f"{few[0].upper()}{few[1:]}: intervals are about items alone.")
    elif raters and two_way is None and not affordable:
        notes.append(
            f"With more than {size.NUMBERS_ONE_BY_ONE:,} ratings intervals are about items alone."
        )
    groups = rater_groups(len(raters)) if plan.counts_raters else None
    people = (
        People(counted.n[kept], counted.mean[kept], counted.within[kept])
        if said is None
        else said.people()
    )
    return Sample(people, said, plan, code, groups, confidence), raters, notes


def _cluster_noun(study: Study) -> str:
    name = study.ratings.layout.cluster or ""
    return name.lower() if name.isalpha() else "cluster of items"
