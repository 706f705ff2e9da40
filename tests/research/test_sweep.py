"""The sweep: complete, exact where it must be, resumable, and on any array module."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from headcount.errors import InputError, OptionError
from research.sweep import sweep
from research.sweep.__main__ import main
from research.sweep.grid import AXES, axis_values, make_grid
from research.sweep.state import exact_failures

SMALL = {
    "accuracy": "0.6:0.9:0.1",
    "margin": [0.02, 0.1],
    "label_accuracy": "0.6:1:0.2",
    "labels": "3,5",
    "items": "1:12",
}
CORRELATED = {
    "form": "correlated",
    "worse_accuracy": "0:0.8:0.4",
    "better_if_worse_wrong": "0.5:1:0.25",
    "better_if_worse_right": "0:1:0.5",
    "label_accuracy_if_better": "0.6:1:0.1",
    "label_accuracy_if_worse": "0.6:0.9:0.1",
    "labels": [3],
    "items": [1, 2, 7],
}


def test_every_point_is_compared_against_exact_arithmetic():
    """A grid small enough to do in fractions: same counts, same winners."""
    found = sweep(**CORRELATED, assume_unbiased=False, workers=1, batch=100)
    axes = {name: CORRELATED[name] for name in AXES["correlated"]}
    grid = make_grid("correlated", axes, [3], [1, 2, 7])
    points = equal = beaten = by_ties = 0
    for index in range(grid.size):
        only_better, only_worse = grid.point(index).only_right()
        if only_better > only_worse:
            (one, one_tie), (many, many_tie) = exact_failures(grid, index)
            points, equal, beaten = points + 1, equal + (one == many), beaten + (many < one)
            by_ties += many < one and one - one_tie / 2 <= many - many_tie / 2
    assert (found.points, found.equal, found.counter_examples) == (points, equal, beaten)
    assert found.by_ties == by_ties
    assert 0 < by_ties < beaten
    assert found.unexplained == beaten - by_ties


def test_no_counter_example_within_the_assumptions():
    found = sweep(**SMALL)
    assert found.points == 4 * 2 * 3 * 2 * 12
    assert found.counter_examples == 0
    assert found.closest is not None
    assert 0 < found.closest_gain < 1
    assert "never beaten" in found.verdict()


def test_ties_explain_what_the_majority_wins_within_the_assumptions():
    """One item ties less often than three: worth points only while a tie is a failure."""
    found = sweep(**CORRELATED)
    assert found.counter_examples == found.by_ties == 4
    assert found.unexplained == 0
    assert found.largest_items == 1
    assert found.equal > 0
    assert {(row["items"], row["better_if_worse_right"]) for row in found.found} == {(1, 0.0)}
    assert all(row["tie_one_label"] > row["tie_majority"] for row in found.found)
    assert "beaten only by ties" in found.verdict()
    assert "assumption 1" in found.summary()


def test_counter_examples_outside_the_assumptions_have_exact_values():
    found = sweep(**CORRELATED, assume_unbiased=False)
    assert "More labels an item win at" in found.verdict()
    first = found.found[0]
    assert not first["by_ties"]
    assert first["failure_majority"] < first["failure_one_label"]
    assert first["label_accuracy_if_better"] < first["label_accuracy_if_worse"]
    assert "Counter-examples" in found.summary()
    json.dumps(found.to_dict(), allow_nan=False)


def test_threads_and_batches_change_nothing():
    base = sweep(**SMALL, workers=1, batch=10_000).to_dict()
    other = sweep(**SMALL, workers=2, batch=7).to_dict()
    for told in (base, other):
        told.pop("seconds")
    base_ratio, other_ratio = (told["closest"].pop("failure_ratio") for told in (base, other))
    gains = base.pop("closest_gain"), other.pop("closest_gain")
    assert base == other
    assert base_ratio == pytest.approx(other_ratio)
    assert gains[0] == pytest.approx(gains[1])


class StoppedError(Exception):
    """Stops a sweep half-way, as Ctrl-C would."""


def stop_after(runs):
    def progress(iterable, **_):
        for done, value in enumerate(iterable):
            if done == runs:
                raise StoppedError
            yield value

    return progress


def test_an_interrupted_sweep_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "sweep.json"
    with pytest.raises(StoppedError):
        sweep(**SMALL, checkpoint=path, batch=50, progress=stop_after(3))
    state = json.loads(path.read_text())
    assert state["next_point"] == 150
    seen = []

    def count(iterable, *, total, **_):
        seen.append(total)
        return iterable

    resumed = sweep(**SMALL, checkpoint=path, batch=50, progress=count)
    whole = sweep(**SMALL)
    assert seen == [(whole.grid.size - 150 + 49) // 50]
    assert (resumed.points, resumed.closest) == (whole.points, pytest.approx(whole.closest))
    # Finished: nothing is left to do, and the answer is the same.
    again = sweep(**SMALL, checkpoint=path)
    assert again.points == whole.points


def test_a_checkpoint_of_another_grid_is_refused(tmp_path):
    path = tmp_path / "sweep.json"
    sweep(**SMALL, checkpoint=path)
    with pytest.raises(InputError, match="another grid"):
        sweep(**{**SMALL, "items": "1:13"}, checkpoint=path)
    path.write_text("not a checkpoint")
    with pytest.raises(InputError, match="is not a sweep's checkpoint"):
        sweep(**SMALL, checkpoint=path)
    with pytest.raises(InputError, match="there is no folder"):
        sweep(**SMALL, checkpoint=tmp_path / "nowhere" / "sweep.json")


class Foreign(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that lives elsewhere: NumPy's own functions refuse it, as they refuse CuPy's."""

    def __init__(self, data):
        self.data = data

    shape = property(lambda self: self.data.shape)
    size = property(lambda self: self.data.size)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if ufunc.__name__ not in OPERATORS:
            raise TypeError(f"numpy.{ufunc.__name__} was called on a foreign array")
        plain = [value.data if isinstance(value, Foreign) else value for value in inputs]
        if any(isinstance(value, np.ndarray) and value.ndim for value in inputs):
            raise TypeError("a foreign array met a host array")
        return Foreign(getattr(ufunc, method)(*plain, **kwargs))

    def __array_function__(self, func, types, args, kwargs):
        raise TypeError(f"numpy.{func.__name__} was called on a foreign array")

    def __array__(self, dtype=None, copy=None):
        raise TypeError("implicit conversion to a host array")

    def __getitem__(self, key):
        return Foreign(self.data[_plain(key)])

    def __setitem__(self, key, value):
        self.data[_plain(key)] = _plain(value)

    def __bool__(self):
        return bool(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def get(self):
        """To the host, as CuPy spells it."""
        return self.data


OPERATORS = {
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "negative"),
    *("bitwise_and", "bitwise_or", "less", "less_equal", "greater", "greater_equal", "equal"),
}


def _plain(value):
    if isinstance(value, tuple | list):
        return type(value)(_plain(part) for part in value)
    return value.data if isinstance(value, Foreign) else value


def foreign_module():
    """A module with NumPy's functions that takes and gives only foreign arrays."""

    def wrapped(function):
        def call(*args, **kwargs):
            result = function(*(_plain(arg) for arg in args), **kwargs)
            if isinstance(result, tuple | list):
                return tuple(Foreign(np.asarray(part).copy()) for part in result)
            return Foreign(np.asarray(result))

        return call

    names = (
        *("asarray", "arange", "zeros", "reshape", "broadcast_arrays", "where", "nonzero"),
        *("sqrt", "exp", "expm1", "log", "log1p", "sin", "arcsin", "ceil", "floor", "abs"),
        *("minimum", "maximum", "max", "sum", "any", "argmax"),
    )
    return SimpleNamespace(
        **{name: wrapped(getattr(np, name)) for name in names}, float64=np.float64, inf=np.inf
    )


@pytest.mark.parametrize("grid", [SMALL, CORRELATED])
def test_any_array_module_gives_the_same_answer(grid):
    here = sweep(**grid, assume_unbiased=False).to_dict()
    there = sweep(**grid, assume_unbiased=False, array_module=foreign_module()).to_dict()
    for told in (here, there):
        told.pop("seconds")
    assert here == there


def test_axes_are_read_as_decimals():
    assert [str(value) for value in axis_values("x", "0.1:0.3:0.1")] == ["1/10", "1/5", "3/10"]
    assert [float(value) for value in axis_values("x", np.array([0.3, 0.1]))] == [0.1, 0.3]
    assert axis_values("x", 0.5) == axis_values("x", "0.5")
    assert [int(value) for value in axis_values("x", "1:4,9", largest=None)] == [1, 2, 3, 4, 9]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"form": "random"}, "form is"),
        ({"accuracy": None}, "needs values for accuracy"),
        ({"worse_accuracy": [0.5]}, "has no worse_accuracy"),
        ({"margin": "0.1:0.0:0.1"}, "first:last:step"),
        ({"margin": "a:b"}, "margin holds numbers"),
        ({"margin": []}, "margin has no values"),
        ({"accuracy": "0.5:1.5:0.1"}, "accuracy lies from 0 to 1"),
        ({"margin": "0:1:0.00000001"}, "take a larger step"),
        ({"labels": "2,3"}, "labels are odd numbers"),
        ({"items": "0.5,2"}, "items are whole numbers"),
        ({"workers": 0}, "workers is a whole number"),
        ({"batch": 0}, "batch is a whole number"),
    ],
)
def test_bad_grids_get_one_sentence(change, sentence):
    with pytest.raises(OptionError, match=sentence):
        sweep(**{**SMALL, **change})


def test_a_grid_without_comparisons_says_so():
    found = sweep(accuracy=[0.3], margin=[0.5], label_accuracy=[0.4], items=[1])
    assert found.points == 0
    assert "nothing checked" in found.verdict()
    assert any("left out" in line for line in found.remarks())


def test_a_grid_too_large_to_number_is_refused(monkeypatch):
    monkeypatch.setattr("research.sweep.grid.LARGEST", 100)
    with pytest.raises(OptionError, match=r"the grid has 576 points: a sweep holds at most"):
        sweep(**SMALL)


def test_the_command_prints_counts_and_goes_on_from_a_checkpoint(tmp_path, capsys):
    path = tmp_path / "kept.json"
    words = ["--items", "1:5", "--labels", "3", "--checkpoint", str(path), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["points"] == told["grid_points"] == 9 * 4 * 9 * 5
    assert told["counter_examples"] == 0
    assert json.loads(path.read_text())["next_point"] == told["grid_points"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["points"] == told["points"]
    assert main(["--form", "correlated", "--items", "1:3", "--biased"]) == 0
    assert "More labels an item win at" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--margin", "a"], "margin holds numbers"),
        (["--worse-accuracy", "0.5"], "has no worse_accuracy"),
        (["--gpu"], "headcount[gpu]"),
    ],
)
def test_the_command_refuses_in_a_sentence(words, sentence, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    assert main(words) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.prove
def test_ten_million_points_have_no_unexplained_counter_example():
    """The run that docs/budget.md tells of, within its time on two cores."""
    shares, labels = "0.05:1:0.05", "0.55:0.95:0.05"
    found = sweep(
        form="correlated",
        worse_accuracy="0:0.95:0.05",
        better_if_worse_wrong=shares,
        better_if_worse_right="0:1:0.05",
        label_accuracy_if_better=labels,
        label_accuracy_if_worse=labels,
        labels="3,5",
        items="1:20,30,50,100,150,200",
        workers=2,
    )
    print(f"{found.points / found.seconds * 60 / 1e6:.1f} million points a minute")
    assert found.points == 10_271_250
    assert (found.counter_examples, found.unexplained) == (5369, 0)
    assert found.points / found.seconds * 60 > 2e6
