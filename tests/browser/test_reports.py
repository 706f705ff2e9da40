"""The reports of the demo and of real data in a real browser."""

from pathlib import Path

import pyarrow as pa
import pytest

import headcount as hc
from headcount.simulate import make


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[hc.Evaluation, Path]:
    """The demo's evaluation and its report."""
    made = make("comments", seed=0)
    found = hc.evaluate(
        hc.Ratings.from_frame(pa.table(made.rating_columns)),
        hc.Predictions.from_frame(pa.table(made.prediction_columns)),
        n_bootstrap=200,
    )
    return found, found.report(tmp_path_factory.mktemp("demo") / "report.html")


def check(opened, path: Path, found: hc.Evaluation) -> None:
    """Drawn, quiet, no wider than the window, no serious finding, and the verdict is there."""
    page = opened.page
    charts = page.locator(".chart")
    assert charts.count() >= 5
    page.wait_for_function(
        "[...document.querySelectorAll('.chart')].every(box => box.dataset.drawn === 'yes')"
    )
    for i in range(charts.count()):
        assert charts.nth(i).locator("svg [role='graphics-symbol']").count() > 0
    assert opened.problems == []
    assert opened.requests == [path.resolve().as_uri()]
    assert opened.sideways() <= 0
    assert opened.accessibility() == []
    said = page.inner_text("#verdict").replace("\u00a0", " ")
    for sentences in found.verdicts().values():
        assert sentences[0] in said


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (390, "light")])
def test_the_report_of_the_demo(demo, open_page, width, scheme) -> None:
    found, path = demo
    check(open_page(path, width=width, scheme=scheme), path, found)


def test_hovering_a_point_of_the_curve_tells_its_value(demo, open_page) -> None:
    _, path = demo
    page = open_page(path).page
    page.wait_for_selector("#chart-power-curve[data-drawn=yes]")
    page.focus("#chart-power-curve")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert page.inner_text("#spoken")
    assert page.inner_text("#vg-tooltip-element")


def test_the_numbers_under_a_chart_are_those_of_the_evaluation(demo, open_page) -> None:
    found, path = demo
    page = open_page(path).page
    page.locator("#worth summary").click()
    table = page.locator("#worth details table").inner_text()
    for k in range(found.equivalence.curve.most + 1):
        assert found.equivalence.curve.score(k).text() in table


def test_the_report_prints_on_paper(demo, open_page) -> None:
    _, path = demo
    page = open_page(path, scheme="dark").page
    page.wait_for_selector("#chart-power-curve[data-drawn=yes]")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible("nav")
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (390, "dark")])
def test_the_report_of_wikipedia_attacks(
    shared_data, tmp_path: Path, open_page, width, scheme
) -> None:
    folder = shared_data("wikipedia-attacks")
    found = hc.evaluate(
        hc.Ratings.read(folder / "counts.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv.gz"),
        n_bootstrap=50,
    )
    path = found.report(tmp_path / "report.html")
    assert path.stat().st_size < 1.3e6
    check(open_page(path, width=width, scheme=scheme), path, found)


def test_a_label_with_markup_is_shown_as_text(tmp_path: Path, open_page) -> None:
    label = "<script>alert(1)</script>"
    made = make("comments", seed=0, items=120)
    swap = {"toxic": label, "fine": "</script><img src=x onerror=alert(2)>"}
    ratings = dict(made.rating_columns) | {
        "label": [swap[each] for each in made.rating_columns["label"]]
    }
    predictions = pa.table(
        {
            "item": made.prediction_columns["item"],
            label: [swap[each] for each in made.prediction_columns["llm_judge"]],
            "other": [swap[each] for each in made.prediction_columns["llm_judge"]],
        }
    )
    found = hc.evaluate(
        hc.Ratings.from_frame(pa.table(ratings)),
        hc.Predictions.from_frame(predictions),
        n_bootstrap=20,
    )
    path = found.report(tmp_path / "report.html")
    opened = open_page(path)
    check(opened, path, found)
    assert label in opened.page.inner_text("#settings")
    assert opened.page.query_selector("img") is None
