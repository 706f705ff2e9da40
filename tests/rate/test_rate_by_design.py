"""The rate of X, plans from pilots and the algebra read first answers where more hung on them."""

import numpy as np
import pytest
from tests.data.designs import WORLDS, study_of

import headcount as hc


@pytest.fixture(scope="module")
def study():
    return study_of(WORLDS["drawn", 2], "2+1", 1200, 40, 5)


@pytest.fixture(scope="module")
def shares(study):
    return study.design.first_answers.shares(study.judged.counts)


def test_people_alone_are_their_first_answers(study, shares):
    found = hc.true_rate(study.ratings, study.predictions, of="l1")
    assert found["hard"].people.value == pytest.approx(shares[:, 1].mean(), abs=1e-12)
    assert "first 2 of every item count" in found.collected[0]


def test_a_plan_from_a_pilot_reads_them(study, shares):
    found = hc.plan_from_pilot(study)
    answers = [each.top() for each in study.judged.classifiers]
    means = {
        each.name: shares[np.arange(len(shares)), said].mean()
        for each, said in zip(study.judged.classifiers, answers, strict=True)
    }
    assert found.gap.value == pytest.approx(means[found.leader] - means[found.rival], abs=0.02)
    told = {each.name: each.agreement.value for each in found.classifiers}
    assert told == pytest.approx(means, abs=1e-9)


def test_agreement_in_the_algebra_is_that_of_two_people(study):
    found = hc.system_accuracy(study, n_bootstrap=0, latent_class="off")
    two = hc.agreement(study, n_bootstrap=0, contested=0).two_people.value
    assert found.agreement.value == pytest.approx(two, abs=1e-12)


def test_agreement_in_the_algebra_counts_items_where_harder_ones_got_more():
    harder = study_of(WORLDS["scale", 2], "harder", 800, 40, 5)
    found = hc.system_accuracy(harder, n_bootstrap=0, latent_class="off")
    two = hc.agreement(harder, n_bootstrap=0, contested=0).two_people.value
    assert found.agreement.value == pytest.approx(two, abs=1e-12)
