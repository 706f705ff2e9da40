"""The colours: apart for colour-blind readers, and visible on their background."""

from itertools import combinations

import numpy as np
import pytest

from headcount.charts import theme

# Machado, Oliveira & Fernandes (2009), full severity, on linear RGB.
SIGHT = {
    "full colour": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}
NEVER_CONFUSED = 25.0  # CIE76 distance; about 2.3 is just noticeable


def _linear(colour: str) -> np.ndarray:
    channel = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def _luminance(colour: str) -> float:
    return float(_linear(colour) @ [0.2126, 0.7152, 0.0722])


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _lab(colour: str, sight: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(sight @ _linear(colour), 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_series_colours_stay_apart(mode: theme.Mode, sight: str) -> None:
    colours = {name: _lab(name, SIGHT[sight]) for name in theme.palette(mode)}
    for one, other in combinations(colours, 2):
        apart = float(np.linalg.norm(colours[one] - colours[other]))
        assert apart > NEVER_CONFUSED, f"{one} and {other} are {apart:.1f} apart"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_show_on_their_background(mode: theme.Mode) -> None:
    look = theme.config(mode)
    marks = [*theme.palette(mode), theme.MUTED, theme.EMPHASIS]
    assert {mark: _contrast(mark, look["background"]) >= 3 for mark in marks} == dict.fromkeys(
        marks, True
    )
    for words in (look["axis"]["labelColor"], look["title"]["subtitleColor"]):
        assert _contrast(words, look["background"]) >= 4.5
