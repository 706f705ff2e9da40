"""What Spark itself is asked for: items counted in one pass, and kept for the questions after it.

Grouping by item and rater, to see whether anybody answered twice, moves every answer between
machines. Bit masks of an item's raters move one row an item: a rater who answers twice sets the
same bits again, so an item with as many bits as answers is cleared. The few that are left are
looked at one by one.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headcount.door.frames import lazy_frame
from headcount.later import Later

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")

_MASKS = 8
"""Of 64 bits each: at ten ratings an item one innocent item in two hundred stays suspect."""


def is_spark(frame: nw.LazyFrame[Any]) -> bool:
    """Whether a lazy frame lives in Spark."""
    return bool(frame.implementation == nw.Implementation.PYSPARK)


def watched(said: nw.LazyFrame[Any], spellings: list[list[str]]) -> nw.LazyFrame[Any]:
    """A row an item: n0, n1, … and `extra`, 1 where a rater may have answered twice.

    `said` has item, rater and label; `spellings` are the texts that mean each label.
    """
    from pyspark.sql import functions as f

    label = f.col("label")
    known = label.isin([raw for raws in spellings for raw in raws])
    bit = f.xxhash64("rater")
    masks = [
        f.bit_or(f.when(known, f.expr(f"shiftleft(1L, CAST(({_bits(j)}) AS INT))"))).alias(f"m{j}")
        for j in range(_MASKS)
    ]
    counts = [
        f.sum(label.isin(raws).cast("long") if raws else f.lit(0)).alias(f"n{j}")
        for j, raws in enumerate(spellings)
    ]
    said_of = sum((f.col(f"n{j}") for j in range(len(spellings))), start=f.lit(0))
    maybe = f.lit(True)
    for j in range(_MASKS):
        maybe = maybe & (f.bit_count(f"m{j}") < said_of)
    native = said.to_native().withColumn("h", bit).groupBy("item").agg(*counts, *masks)
    names = [f"n{j}" for j in range(len(spellings))]
    return lazy_frame(native.select("item", *names, maybe.cast("long").alias("extra")))


def _bits(mask: int) -> str:
    return f"shiftright(h, {6 * mask}) & 63"


def suspects_of(said: nw.LazyFrame[Any], by_item: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """The answers about items that `watched` did not clear."""
    suspects = by_item.to_native().filter("extra > 0").select("item")
    return lazy_frame(said.to_native().join(suspects, "item", "left_semi"))


class KeptThere:
    """A frame that Spark keeps, in memory or on disk, as long as somebody holds this."""

    def __init__(self, frame: nw.LazyFrame[Any]) -> None:
        from pyspark import StorageLevel

        native = frame.to_native().persist(StorageLevel.MEMORY_AND_DISK)
        self.frame = lazy_frame(native)
        weakref.finalize(self, _let_go, native).atexit = False


def _let_go(native: Any) -> None:
    with suppress(Exception):  # the session may have been stopped before
        native.unpersist()
