"""Which estimate to believe, measured on the paper's simulator."""

import pytest

from headcount.accuracy.checks import Check, which_to_believe
from research.accuracy_study import study_accuracy, violations

SYSTEMS = (0.1, 0.3, 0.5, 0.7, 0.9)


def _closer(study, system):
    """Settings in which latent classes come closer to the truth."""
    return [
        panel
        for panel in study.panels
        if study.distance(panel, system=system, which="latent_estimate")
        < study.distance(panel, system=system)
    ]


def test_latent_classes_come_closer_for_systems_better_than_the_raters():
    """Five violations × systems at .7 and .9, raters at .6: at least eight of ten settings."""
    broken = violations(5000)[1:]
    study = study_accuracy(broken, systems=[0.7, 0.9], runs=8, latent_class=True, seed=7)
    assert len(_closer(study, 0.7)) + len(_closer(study, 0.9)) >= 8


@pytest.mark.prove
@pytest.mark.parametrize("cases", [200, 1000, 5000])
def test_the_table_of_the_documentation(cases):
    study = study_accuracy(violations(cases), systems=SYSTEMS, runs=40, latent_class=True, seed=1)
    print(f"\n{cases} cases")
    for panel in study.panels:
        cells = [
            f"{study.distance(panel, system=system):.3f}/"
            f"{study.distance(panel, system=system, which='latent_estimate'):.3f}"
            for system in SYSTEMS
        ]
        print(f"| {panel} | {' | '.join(cells)} |")
    if cases == 5000:
        closer = [panel for system in (0.7, 0.9) for panel in _closer(study, system)]
        assert len([panel for panel in closer if panel != "met"]) >= 8


def _failing():
    return [Check("even_errors", "errors spread evenly", "k-property", "violated", "")]


def test_sound_data_believe_the_algebra():
    sound = [Check("equal_raters", "raters equally accurate", "k-property", "holds", "")]
    assert which_to_believe(sound, "it was switched off")[0] == "algebraic"


def test_failing_checks_without_latent_classes_are_admitted():
    believe, why = which_to_believe(_failing(), "it was switched off")
    assert believe == "algebraic"
    assert '"errors spread evenly" fails, and there is no other' in why


def test_other_kinds_of_checks_do_not_decide():
    clipped = [Check("base_rates", "base rates possible", "data", "violated", "")]
    assert "no check speaks against" in which_to_believe(clipped, "none")[1]
