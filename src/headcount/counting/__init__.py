"""Ratings counted wherever they lie: one protocol, and the engines behind it.

`Reductions` is the protocol: what every engine can say of ratings. Tables in files and in memory
are counted in DuckDB (`SqlCounting`), large lazy frames where they live (`LazyCounting`), and
tables of counts are added up (`Counted`). Equal rows become one in `groups`. From what size on
something is done in another way stands in `size`.
"""

from headcount.counting import size
from headcount.counting.answers_elsewhere import Afar, answers_afar, answers_in_files, cut_note
from headcount.counting.count_tables import Counted, label_names
from headcount.counting.duckdb_counting import SqlCounting
from headcount.counting.groups import Groups, ItemCounts, Patterns, group_rows, without_gaps
from headcount.counting.join import Kinds, KindsHere, Met
from headcount.counting.lazy_frames import LazyCounting, is_large
from headcount.counting.part_of_items import bound_of
from headcount.counting.protocol import CountsNumbers, Grouped, Reductions
from headcount.counting.size import ENOUGH

__all__ = [
    "ENOUGH",
    "Afar",
    "Counted",
    "CountsNumbers",
    "Grouped",
    "Groups",
    "ItemCounts",
    "Kinds",
    "KindsHere",
    "LazyCounting",
    "Met",
    "Patterns",
    "Reductions",
    "SqlCounting",
    "answers_afar",
    "answers_in_files",
    "bound_of",
    "cut_note",
    "group_rows",
    "is_large",
    "label_names",
    "size",
    "without_gaps",
]
