"""One look for every chart: colours that colour-blind readers can tell apart, on light and dark.

In a page of our own (the report) the colours are CSS variables, so that the page switches its
charts between light, dark and print without drawing them again.

Chart files take their colours from the scheme (an `alt.Color` encoding without a `scale`) or
from the names here, which read on both backgrounds; they set no fonts and no other colours.
"""

from typing import Any, Literal

Mode = Literal["light", "dark"]

WIDTH = 560
"""The width of a chart in pixels; the report stretches or shrinks it to the page."""
HEIGHT = 320
"""The height of a chart in pixels."""

LIGHT_PALETTE = ("#2579f6", "#d87b12", "#10a66d", "#791867", "#7b4003", "#1096cd", "#49211d")
DARK_PALETTE = ("#6e92fb", "#d5913c", "#4fae7b", "#bc70a7", "#fdd535", "#82cdff", "#9de9d9")
"""The colours of series, in order: classifiers keep theirs through all charts of a report."""

SCORES = {"cross_entropy": "cross-entropy in bits"}
"""What an axis of scores is called, where that is not the scorer's name."""

MUTED = "#7d7d7d"
"""For reference lines, people's curve and error bars: a grey that shows on both backgrounds."""
EMPHASIS = "#d1495b"
"""For the one thing to look at (a threshold, a warning), on both backgrounds."""

_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
_INK: dict[str, dict[str, str]] = {
    "light": {"paper": "#ffffff", "ink": "#1f2328", "soft": "#57606a", "line": "#d8dee4"},
    "dark": {"paper": "#16191d", "ink": "#e6edf3", "soft": "#9da7b1", "line": "#343b43"},
}


def palette(mode: Mode) -> tuple[str, ...]:
    """The colours of series on a light or a dark page."""
    return LIGHT_PALETTE if mode == "light" else DARK_PALETTE


def config(mode: Mode) -> dict[str, Any]:
    """The Vega-Lite configuration of the theme, as plain values."""
    return _config(_INK[mode], palette(mode))


def page_config() -> dict[str, Any]:
    """The same configuration with the CSS variables of `css_variables` for colours."""
    ink = {name: f"var(--{name})" for name in _INK["light"]}
    series = tuple(f"var(--series-{number})" for number in range(1, len(LIGHT_PALETTE) + 1))
    return _config({**ink, "paper": "transparent"}, series)


def css_variables(mode: Mode) -> dict[str, str]:
    """The colours of one mode by the names that `page_config` uses."""
    series = {f"series-{number}": colour for number, colour in enumerate(palette(mode), 1)}
    return {f"--{name}": colour for name, colour in {**_INK[mode], **series}.items()}


def _config(ink: dict[str, str], series: tuple[str, ...]) -> dict[str, Any]:
    text = {"labelColor": ink["ink"], "titleColor": ink["ink"]}
    return {
        "background": ink["paper"],
        "font": _FONT,
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "title": {
            "color": ink["ink"],
            "subtitleColor": ink["soft"],
            "fontSize": 15,
            "subtitleFontSize": 12.5,
            "fontWeight": 600,
            "anchor": "start",
            "offset": 12,
        },
        "axis": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 12.5,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelLimit": 220,
            "gridColor": ink["line"],
            "domainColor": ink["soft"],
            "tickColor": ink["soft"],
        },
        "legend": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 12.5,
            "titleFontWeight": "normal",
            "labelLimit": 260,
            "orient": "top",
            "columns": 4,
        },
        "header": {**text, "labelFontSize": 12, "titleFontSize": 12.5},
        "mark": {"color": series[0]},
        "text": {"color": ink["ink"], "fontSize": 12},
        "line": {"strokeWidth": 2.5},
        "point": {"size": 60, "filled": True},
        "rule": {"strokeWidth": 1.5},
        "range": {
            "category": list(series),
            "ordinal": {"scheme": "viridis"},
            "ramp": {"scheme": "viridis"},
            "heatmap": {"scheme": "viridis"},
        },
    }


def themed(chart: Any, mode: Mode = "light") -> Any:
    """The chart with the theme as its own configuration; nothing global is touched."""
    import altair as alt

    copy = chart.copy(deep=False)
    copy.config = alt.Config.from_dict(config(mode))
    return copy
