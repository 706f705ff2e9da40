"""Plans keep their promise: probabilities and losses stated, over pilots with known gaps."""

import pytest
from tests.plan.pilots import SETTINGS, kept


@pytest.mark.parametrize("name", SETTINGS)
def test_promises_are_kept_coverage(name):
    """A small run; `make prove` has the full one, whose figures stand in docs/budget.md."""
    found = kept(SETTINGS[name], 150, seed=16)["stated"]
    assert found["more"] == pytest.approx(found["right more"], abs=0.07)
    assert found["now"] == pytest.approx(found["right now"], abs=0.09)


@pytest.mark.prove
@pytest.mark.parametrize("name", SETTINGS)
def test_promises_are_kept_full_coverage(name):
    """Within .02 of the probability and 15 % of the loss where the prior stated is the true one."""
    found = kept(SETTINGS[name], 6000, seed=161)
    for kind, each in found.items():
        shown = [f"{p} {each[p]:.3f} kept {each[f'right {p}']:.3f}" for p in ("now", "more")]
        shown += [f"target {each['target']:.3f} kept {each['right target']:.3f}"]
        shown += [f"{p} {1e4 * each[p]:.2f} kept {1e4 * each[f'lost {p}']:.2f}" for p in _LOSSES]
        print(f"{name}, {kind}: {', '.join(shown)}, equal weights {each['equal more']:.3f}")
    stated = found["stated"]
    if SETTINGS[name].gap is not None:  # one gap and no other: no prior to be calibrated by
        assert stated["right target"] >= 0.93
        return
    for promised in ("now", "more", "target"):
        assert stated[promised] == pytest.approx(stated[f"right {promised}"], abs=0.02)
    for promised in _LOSSES:
        assert stated[promised] == pytest.approx(stated[f"lost {promised}"], rel=0.15)


_LOSSES = ("loss", "left")
