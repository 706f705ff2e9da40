"""Charts of rankings."""

import pytest

import headcount as hc
from headcount.charts import draw, save
from headcount.errors import OptionError


@pytest.fixture(scope="module")
def found() -> hc.Ranking:
    data = hc.simulate.make("tournament", seed=1)
    return hc.rank(data.ratings, data.predictions, n_bootstrap=50)


def test_all_parts_in_one_chart(found, tmp_path):
    chart = draw(found)
    assert len(chart.to_dict()["vconcat"]) == 3
    assert save(chart, tmp_path / "rank.svg").stat().st_size > 5_000


@pytest.mark.parametrize("part", ["systems", "pairs", "judges"])
def test_each_part_alone(found, part, tmp_path):
    assert save(draw(found, part=part), tmp_path / f"{part}.svg").exists()


def test_the_best_system_comes_first_and_titles_say_what_was_found(found):
    spec = draw(found, part="systems").to_dict()
    assert spec["layer"][0]["title"]["text"] == found.verdict().splitlines()[0]
    rows = next(iter(spec["datasets"].values())) if "datasets" in spec else spec["data"]["values"]
    assert rows[0]["system"] == found.systems[0].name
    pairs = draw(found, part="pairs").to_dict()
    told = sum(each.told_apart() for each in found.pairs)
    assert pairs["title"]["text"].startswith(f"{told} of 15 pairs")


def test_what_cannot_be_drawn_says_so(found):
    with pytest.raises(OptionError, match="choose systems, pairs, judges"):
        draw(found, part="none")
    data = hc.simulate.make("tournament", seed=1)
    alone = hc.rank(data.ratings, n_bootstrap=0)
    with pytest.raises(OptionError, match="no chart of 'judges'"):
        draw(alone, part="judges")
