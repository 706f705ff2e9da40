"""Long, wide or counts: what a row of the table is, and which column is what."""

from typing import Literal, cast, get_args

from headcount.door.roles import listing
from headcount.errors import OptionError
from headcount.frozen import frozen

Kind = Literal["long", "wide", "counts"]


@frozen
class Layout:
    """Which columns hold what.

    "long": a row an answer, with `item`, `label` and perhaps `rater`, `occasion`, `time`, `pool`,
    `groups`, `weight`. "wide": a row an item, `others` are the raters. "counts": a row an item,
    `others` are the labels. `text`, `slices`, `cluster` and `gold` say something of the item in any
    layout, and so does `time` where a row is an item; `classifiers` are columns that names tell to
    be classifiers' answers, and `unused` those that nothing was taken from. `sets` are the options
    where answers tick several, each of which is a yes/no question of its own. `systems` are the
    columns with the system that an item is of, or with the two that a comparison is between.
    """

    kind: Kind
    item: str
    label: str | None = None
    rater: str | None = None
    occasion: str | None = None
    pool: str | None = None
    groups: tuple[str, ...] = ()
    weight: str | None = None
    others: tuple[str, ...] = ()
    text: str | None = None
    slices: tuple[str, ...] = ()
    cluster: str | None = None
    gold: str | None = None
    unused: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    time: str | None = None
    systems: tuple[str, ...] = ()

    @property
    def named(self) -> bool:
        """Whether it is known who said what."""
        return self.kind == "wide" or self.rater is not None

    @property
    def group(self) -> str | None:
        """The first column of groups."""
        return self.groups[0] if self.groups else None

    @property
    def of_items(self) -> dict[str, str]:
        """The columns that say something of the item: role, or name of a slice, and column."""
        roles = {role: getattr(self, role) for role in ("text", "cluster", "gold")}
        if self.kind != "long":
            roles["time"] = self.time
        named = (*self.systems, *self.slices)
        return {role: name for role, name in roles.items() if name} | {n: n for n in named}

    @property
    def _roles(self) -> tuple[str, ...]:
        """The roles of a row that is an answer; a column that orders answers is their time too."""
        apart = () if self.time == self.occasion else ("time",)
        return ("item", "rater", "label", "occasion", *apart, "pool", "weight")

    def shown(self) -> dict[str, str]:
        """What the columns are, with the name of each, as a look at the first rows shows them."""
        if self.kind == "long":
            named = {role: name for role in self._roles if (name := getattr(self, role))}
            named |= {f"group {name}": name for name in self.groups}
        else:
            named = {"item": self.item} | {name: name for name in self.others[:8]}
        return named | {
            ("slice " + role if role in self.slices else role): name
            for role, name in self.of_items.items()
        }

    def describe(self) -> str:
        """Which columns were taken for what, as a sentence."""
        more = [f"{role} = {name!r}" for role, name in self.of_items.items() if role != name]
        if self.classifiers:
            more.append(f"classifiers = {listing(self.classifiers)}")
        if self.systems:
            more.append(f"systems = {listing(self.systems)}")
        if self.slices:
            more.append(f"slices = {listing(self.slices)}")
        if self.kind == "long":
            given = [(role, getattr(self, role)) for role in self._roles]
            taken = [f"{role} = {name!r}" for role, name in given if name]
            if self.groups:
                taken.append(f"groups = {listing(self.groups)}")
            return f"a row an answer: {', '.join(taken + more)}"
        what = "raters" if self.kind == "wide" else "labels"
        start = f"a row an item ({self.item!r}), with the {what} {listing(self.others)} as columns"
        return ", ".join([start, *more])


def check_kind(kind: str) -> Kind:
    """`layout=` as given by the user."""
    if kind in get_args(Kind):
        return cast(Kind, kind)
    raise OptionError(f'layout is "long", "wide" or "counts", not {kind!r}.')
