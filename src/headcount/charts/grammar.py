"""The part of Altair's grammar that our charts are written in, without Altair.

A chart is written down here in Altair's words (`grammar.Chart(…).mark_line().encode(x=…)`) and
becomes either of two things: Vega-Lite's specification as a plain dictionary, which is all that
a report needs, or the same chart of Altair's, made by saying the same words to Altair, which is
what whoever asks for a chart gets. A report draws many charts, and loading Altair and having it
check and copy each of them took a third of a small evaluation's time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Any

from headcount.frozen import frozen

_TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
_SECONDARY = ("x2", "y2")
"""Channels that take the type of the first."""


_OF_SCRIPTS = (
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__",
    "__lookupSetter__",
)  # fmt: skip
"""Names that every object of a script has: Vega looks categories up in objects, finds these there
before any category was put in, and draws nothing."""


def _drawable(told: Any) -> Any:
    """A name that charts can show: one of those in scripts gets a sign that nobody sees."""
    return f"{told}\u200b" if isinstance(told, str) and told in _OF_SCRIPTS else told


class Recipe:
    """Something that can be told to Vega-Lite and to Altair."""

    def spec(self) -> Any:
        """It in Vega-Lite's terms."""
        raise NotImplementedError

    def altair(self) -> Any:
        """It as Altair's own object."""
        raise NotImplementedError


class Part(Recipe):
    """A scale, an axis, a title, a value: what stands inside a chart."""

    def __init__(self, kind: str, *words: Any, **options: Any) -> None:
        self.kind, self.words, self.options = kind, words, options

    def spec(self) -> dict[str, Any]:
        """Options as they are; words under the names that Vega-Lite has for them."""
        named = zip(_WORDS.get(self.kind, ()), self.words, strict=True)
        return {**dict(named), **_plain(self.options)}

    def altair(self) -> Any:
        """The object of this name in Altair."""
        import altair as alt

        options = {name: as_altair(value) for name, value in self.options.items()}
        return getattr(alt, self.kind)(*map(as_altair, self.words), **options)


_WORDS = {"Title": ("text",), "Step": ("step",), "value": ("value",), "datum": ("datum",)}


class Channel(Part):
    """What a column of the rows is shown by: "score:Q" is a quantity called score."""

    def spec(self) -> dict[str, Any]:
        """The column, its type, and the options."""
        return {**_column(self.words[0]), **_plain(self.options)}


class Condition(Part):
    """One look where a test holds and another where it does not."""

    def spec(self) -> dict[str, Any]:
        """The look where it holds stands inside, the other outside."""
        test, holds, otherwise = self.words
        return {"condition": {"test": test, **holds.spec()}, **otherwise.spec()}


X, Y, X2, Y2 = (partial(Channel, name) for name in ("X", "Y", "X2", "Y2"))
YOffset, Color, Facet = (partial(Channel, name) for name in ("YOffset", "Color", "Facet"))
StrokeDash, Text = (partial(Channel, name) for name in ("StrokeDash", "Text"))
Tooltip = partial(Channel, "Tooltip")
Axis, Legend, Scale = (partial(Part, name) for name in ("Axis", "Legend", "Scale"))
Step, Title = partial(Part, "Step"), partial(Part, "Title")
value, datum = partial(Part, "value"), partial(Part, "datum")
condition = partial(Condition, "condition")


@frozen(eq=False)
class Rows(Recipe):
    """The rows that a chart draws; charts that share them hold the same object."""

    values: tuple[Any, ...]

    def spec(self) -> dict[str, Any]:
        """The rows, inline."""
        return {"values": list(self.values)}

    def altair(self) -> Any:
        """The same object each time: Altair too tells shared rows by that."""
        return self._inline

    @cached_property
    def _inline(self) -> Any:
        import altair as alt

        # A tuple, which Altair hands on instead of copying.
        return alt.InlineData(values=self.values)


def inline(rows: Iterable[Any]) -> Rows:
    """The rows of a chart."""
    return Rows(tuple(_drawable_row(row) for row in rows))


def _drawable_row(row: Any) -> Any:
    """The same row, unless a name in it has to be changed: shared rows are told by identity."""
    if not isinstance(row, dict) or not any(each in _OF_SCRIPTS for each in row.values()):
        return row
    return {name: _drawable(each) for name, each in row.items()}


@frozen(eq=False)
class View(Recipe):
    """What every chart can do: have properties, stand on another, or in a row of its likes."""

    data: Rows | None = None
    width: float | None = None
    height: float | Part | None = None
    title: str | Part | None = None
    scales: Mapping[str, str] = field(default_factory=dict)

    def properties(self, **look: Any) -> Any:
        """The same chart with a width, a height or a title."""
        return replace(self, **look)

    def resolve_scale(self, **scales: str) -> Any:
        """The same chart whose parts share scales or do not."""
        return replace(self, scales={**self.scales, **scales})

    def __add__(self, other: "View") -> "Layers":
        return layer(self, other)

    def facet(self, by: Channel, *, columns: int) -> "Faceted":
        """A chart for each value of a column."""
        return Faceted(data=self.data, inner=replace(self, data=None), by=by, columns=columns)

    def _shared(self) -> dict[str, Any]:
        """What charts of every kind say of themselves."""
        data = {} if self.data is None else {"data": self.data.spec()}
        resolved = {"resolve": {"scale": dict(self.scales)}} if self.scales else {}
        return {**data, **_plain(self._look()), **resolved}

    def _look(self) -> dict[str, Any]:
        told = {"width": self.width, "height": self.height, "title": self.title}
        return {name: each for name, each in told.items() if each is not None}

    def _looked(self, made: Any) -> Any:
        """Altair's chart with the properties of this one."""
        look = {name: as_altair(each) for name, each in self._look().items()}
        made = made.properties(**look) if look else made
        return made.resolve_scale(**self.scales) if self.scales else made


@frozen(eq=False)
class Chart(View):
    """Rows drawn with one mark."""

    mark: tuple[str, Mapping[str, Any]] | None = None
    encoding: Mapping[str, Any] = field(default_factory=dict)
    filters: tuple[str, ...] = ()

    def encode(self, **channels: Any) -> "Chart":
        """The same chart with more channels."""
        return replace(self, encoding={**self.encoding, **channels})

    def transform_filter(self, test: str) -> "Chart":
        """The same chart of the rows that pass a test."""
        return replace(self, filters=(*self.filters, test))

    def _marked(self, kind: str, **look: Any) -> "Chart":
        return replace(self, mark=(kind, look))

    def mark_area(self, **look: Any) -> "Chart":
        """The rows as an area."""
        return self._marked("area", **look)

    def mark_bar(self, **look: Any) -> "Chart":
        """The rows as bars."""
        return self._marked("bar", **look)

    def mark_line(self, **look: Any) -> "Chart":
        """The rows as a line."""
        return self._marked("line", **look)

    def mark_point(self, **look: Any) -> "Chart":
        """The rows as points."""
        return self._marked("point", **look)

    def mark_rect(self, **look: Any) -> "Chart":
        """The rows as rectangles."""
        return self._marked("rect", **look)

    def mark_rule(self, **look: Any) -> "Chart":
        """The rows as straight lines from one place to another."""
        return self._marked("rule", **look)

    def mark_text(self, **look: Any) -> "Chart":
        """The rows as words."""
        return self._marked("text", **look)

    def mark_tick(self, **look: Any) -> "Chart":
        """The rows as short strokes."""
        return self._marked("tick", **look)

    def spec(self) -> dict[str, Any]:
        """One mark and its channels."""
        kind, look = self.mark or ("", {})
        chosen = {"transform": [{"filter": test} for test in self.filters]} if self.filters else {}
        channels = {name: _channel(name, each) for name, each in self.encoding.items()}
        mark = {"type": kind, **_plain(look)}
        return {**self._shared(), "mark": mark, "encoding": channels, **chosen}

    def altair(self) -> Any:
        """The same words, said to Altair."""
        import altair as alt

        made = alt.Chart() if self.data is None else alt.Chart(self.data.altair())
        for test in self.filters:
            made = made.transform_filter(test)
        if self.mark is not None:
            made = getattr(made, f"mark_{self.mark[0]}")(**self.mark[1])
        channels = {name: as_altair(each) for name, each in self.encoding.items()}
        return self._looked(made.encode(**channels))


@frozen(eq=False)
class Layers(View):
    """Charts on top of each other, the first at the bottom."""

    charts: tuple[View, ...] = ()

    def __add__(self, other: View) -> "Layers":
        return replace(self, charts=(*self.charts, other))

    def spec(self) -> dict[str, Any]:
        """The layers without what Vega-Lite wants outside: size, and rows that all share."""
        data, charts = _hoisted(self)
        widths = [each.width for each in (self, *charts) if each.width is not None]
        heights = [each.height for each in (self, *charts) if each.height is not None]
        inner = (replace(each, width=None, height=None) for each in charts)
        outer = replace(
            self,
            data=data,
            width=next(iter(widths), None),
            height=next(iter(heights), None),
        )
        return {**outer._shared(), "layer": [each.spec() for each in inner]}

    def altair(self) -> Any:
        """Altair's layers."""
        import altair as alt

        data = {} if self.data is None else {"data": self.data.altair()}
        return self._looked(alt.layer(*(each.altair() for each in self.charts), **data))


@frozen(eq=False)
class Concatenated(View):
    """Charts below ("vconcat") or beside ("hconcat") each other."""

    how: str = "vconcat"
    charts: tuple[View, ...] = ()
    spacing: float = 0

    def spec(self) -> dict[str, Any]:
        """The charts in their order."""
        data, charts = _hoisted(self)
        outer = replace(self, data=data)
        return {
            **outer._shared(),
            self.how: [each.spec() for each in charts],
            "spacing": self.spacing,
        }

    def altair(self) -> Any:
        """Altair's concatenation."""
        import altair as alt

        made = getattr(alt, self.how)(
            *(each.altair() for each in self.charts), spacing=self.spacing
        )
        return self._looked(made)


@frozen(eq=False)
class Faceted(View):
    """The same chart for each value of a column."""

    inner: View = field(default_factory=View)
    by: Channel = field(default_factory=lambda: Facet(""))
    columns: int = 1

    def spec(self) -> dict[str, Any]:
        """The chart once, and the column."""
        inner = {"facet": self.by.spec(), "spec": self.inner.spec(), "columns": self.columns}
        return {**self._shared(), **inner}

    def altair(self) -> Any:
        """Altair's facets."""
        inner = replace(self.inner, data=self.data).altair()
        return self._looked(inner.facet(self.by.altair(), columns=self.columns))


def layer(*charts: View, data: Rows | None = None) -> Layers:
    """Charts on top of each other."""
    return Layers(data=data, charts=charts)


def vconcat(*charts: View, spacing: float) -> Concatenated:
    """Charts below each other."""
    return Concatenated(how="vconcat", charts=charts, spacing=spacing)


def hconcat(*charts: View, spacing: float) -> Concatenated:
    """Charts beside each other."""
    return Concatenated(how="hconcat", charts=charts, spacing=spacing)


def as_altair(recipe: Any) -> Any:
    """A recipe as Altair's object; lists of them likewise, and anything else as it is."""
    if isinstance(recipe, Recipe):
        return recipe.altair()
    return [as_altair(each) for each in recipe] if isinstance(recipe, list) else _drawable(recipe)


def _plain(told: Any) -> Any:
    """Options in Vega-Lite's terms, all the way down."""
    if isinstance(told, Recipe):
        return told.spec()
    if isinstance(told, Mapping):
        return {name: _plain(each) for name, each in told.items()}
    return [_plain(each) for each in told] if isinstance(told, list | tuple) else _drawable(told)


def _channel(name: str, told: Any) -> Any:
    if isinstance(told, Sequence) and not isinstance(told, str):
        return [_channel(name, each) for each in told]
    spec = _column(told) if isinstance(told, str) else told.spec()
    return {key: each for key, each in spec.items() if name not in _SECONDARY or key != "type"}


def _column(shorthand: str) -> dict[str, Any]:
    """The column and its type.

    >>> _column("score:Q")
    {'field': 'score', 'type': 'quantitative'}
    """
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, "type": _TYPES[kind]}


def _hoisted(whole: Layers | Concatenated) -> tuple[Rows | None, tuple[View, ...]]:
    """The rows of the whole, where all charts draw the same ones, and the charts without them."""
    charts = tuple(_with_own_rows(each) for each in whole.charts)
    data = whole.data if whole.data is not None or not charts else charts[0].data
    if data is None or any(each.data is not data for each in charts if each.data is not None):
        return whole.data, charts
    if whole.data is None and any(each.data is None for each in charts):
        return None, charts
    return data, tuple(replace(each, data=None) for each in charts)


def _with_own_rows(chart: View) -> View:
    """A chart of charts with the rows that all of them share as its own."""
    if not isinstance(chart, Layers | Concatenated):
        return chart
    data, charts = _hoisted(chart)
    return replace(chart, data=data, charts=charts)


def spec_of(chart: View) -> dict[str, Any]:
    """The chart in Vega-Lite's terms; rows that several of its parts draw stand in it once."""
    shelf: list[list[Any]] = []
    spec: dict[str, Any] = _shelved(chart.spec(), shelf)
    return {**spec, "datasets": {f"data-{at}": rows for at, rows in enumerate(shelf, 1)}}


def _shelved(spec: Any, shelf: list[list[Any]]) -> Any:
    """The same specification with names for rows, which are put on the shelf."""
    if isinstance(spec, list):
        return [_shelved(each, shelf) for each in spec]
    if not isinstance(spec, dict):
        return spec
    rows = spec.get("data", {}).get("values") if isinstance(spec.get("data"), dict) else None
    named = {} if rows is None else {"data": {"name": f"data-{_place(rows, shelf)}"}}
    parts = ("layer", "vconcat", "hconcat", "spec")
    inner = {name: _shelved(spec[name], shelf) for name in parts if name in spec}
    return {**spec, **named, **inner}


def _place(rows: list[Any], shelf: list[list[Any]]) -> int:
    """Where these rows stand on the shelf, counted from one."""
    for at, known in enumerate(shelf, 1):
        if known == rows:
            return at
    shelf.append(rows)
    return len(shelf)
