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
    """Quiet, no wider than the window, no serious finding, folded and open; the answer is first."""
    page = opened.page
    assert opened.problems == []
    assert opened.requests == [path.resolve().as_uri()]
    assert opened.sideways() <= 0
    assert opened.accessibility() == []
    said = page.inner_text("body").replace("\u00a0", " ")
    answer = found.first_answer()
    assert answer.finding.removesuffix(".") in said
    for row in answer.rows:
        assert row.name in page.inner_text("#answer")
    opened.unfold()
    charts = page.locator(".chart")
    assert charts.count() >= 5
    page.wait_for_function(
        "[...document.querySelectorAll('.chart')].every(box => box.dataset.drawn === 'yes')"
    )
    for i in range(charts.count()):
        assert charts.nth(i).locator("svg [role='graphics-symbol']").count() > 0
    assert opened.problems == []
    assert opened.sideways() <= 0
    assert opened.accessibility() == []


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (390, "light")])
def test_the_report_of_the_demo(demo, open_page, width, scheme) -> None:
    found, path = demo
    check(open_page(path, width=width, scheme=scheme), path, found)


def test_hovering_a_point_of_the_curve_tells_its_value(demo, open_page) -> None:
    _, path = demo
    page = open_page(path).page
    page.locator("#worth-all > summary").click()
    page.wait_for_selector("#chart-power-curve[data-drawn=yes]")
    page.focus("#chart-power-curve")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert page.inner_text("#spoken")
    assert page.inner_text("#vg-tooltip-element")


def test_the_numbers_under_a_chart_are_those_of_the_evaluation(demo, open_page) -> None:
    found, path = demo
    page = open_page(path).page
    page.locator("#worth-all > summary").click()
    page.locator("#worth-all figure summary").click()
    table = page.locator("#worth-all figure details table").inner_text()
    for k in range(found.equivalence.curve.most + 1):
        assert found.equivalence.curve.score(k).text() in table


def test_the_report_prints_on_paper(demo, open_page) -> None:
    _, path = demo
    page = open_page(path, scheme="dark").page
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible(".tools")
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
    # A megabyte of the page itself; the rest is items, of which it takes no more than it may.
    assert path.stat().st_size < 8e6
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


HEIGHTS = """() => ({
  height: document.documentElement.scrollHeight,
  words: document.body.innerText.split(/\\s+/).length,
  number: document.querySelector(".first .big").getBoundingClientRect().top,
  chart: document.querySelector(".plot svg").getBoundingClientRect().top,
})"""


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 6), (390, 844, 12)])
def test_the_report_is_short_and_begins_with_the_answer(
    demo, open_page, width, height, screens
) -> None:
    _, path = demo
    found = open_page(path, width=width, height=height).page.evaluate(HEIGHTS)
    assert found["height"] <= screens * height
    assert found["words"] <= 1800
    if width == 1280:
        assert found["number"] <= 300
        assert found["chart"] <= 800


def test_names_and_digits_can_be_read_on_light_and_dark(demo, open_page) -> None:
    """Text in charts, which accessibility tools do not look at: 4.5 to 1 at least."""
    _, path = demo
    ratio = """(box) => {
      const light = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3).map(Number)
        .map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      const paper = light(getComputedStyle(document.body).backgroundColor);
      return [...document.querySelectorAll(box)].map((each) => {
        const ink = light(getComputedStyle(each).fill);
        return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      });
    }"""
    for scheme in ("light", "dark"):
        page = open_page(path, scheme=scheme).page
        found = page.evaluate(ratio, ".first svg text, .plot svg text")
        assert len(found) > 20
        assert min(found) >= 4.5


def test_the_items_are_searched_filtered_marked_and_saved(demo, open_page) -> None:
    found, path = demo
    page = open_page(path).page
    rows = page.locator("#rows tr")
    assert rows.count() == 6
    assert "of 2,000 items" in page.inner_text("#count")
    page.select_option("#kind", "2")
    page.select_option("#who", "0")
    best = found.first_answer().rows[0]
    assert page.inner_text("#count") == f"{best.against_everyone} of 2,000 items"
    assert page.locator("#rows .ans.alone").count() >= min(6, best.against_everyone)
    page.select_option("#kind", "0")
    page.fill("#find", "c0012")
    assert rows.count() == 1
    page.check("#rows input.mark")
    page.fill("#find", "c0013")
    page.check("#rows input.mark")
    with page.expect_download() as saved:
        page.click("#marked")
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert sorted(line.split(",")[0] for line in lines) == ['"c0012"', '"c0013"', '"item"']


def test_without_scripts_six_items_and_all_open_charts_are_there(demo, browser) -> None:
    _, path = demo
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    assert page.locator("#rows tr").count() == 6
    assert page.locator(".first svg").count() >= 5
    assert page.locator(".plot svg").count() >= 3
    assert not page.is_visible(".tools")
    context.close()


def test_twenty_thousand_items_with_texts_are_searched_while_one_types(
    tmp_path: Path, open_page
) -> None:
    words = [f"{a} {b}" for a in ("kind", "rude", "plain", "odd") for b in ("reply", "note")]
    n = 20_000
    items = [f"i{i}" for i in range(n)]
    texts = [f"{words[i % 8]} number {i} " + "about the same old thing " * 6 for i in range(n)]
    rated = pa.table(
        {
            "item": items * 2,
            "rater": ["a"] * n + ["b"] * n,
            "label": ["yes" if (i * 7 + r) % 3 else "no" for r in range(2) for i in range(n)],
            "text": texts * 2,
        }
    )
    said = pa.table({"item": items, "judge": ["yes" if i % 4 else "no" for i in range(n)]})
    found = hc.evaluate(
        hc.Ratings.from_frame(rated, text="text"), hc.Predictions.from_frame(said), n_bootstrap=0
    )
    path = found.report(tmp_path / "report.html")
    assert path.stat().st_size < 8e6
    page = open_page(path).page
    page.select_option("#kind", "0")
    page.fill("#find", "warm")
    timed = """() => {
      const find = document.getElementById("find");
      const started = performance.now();
      find.value = "number 19999";
      find.dispatchEvent(new Event("input"));
      return performance.now() - started;
    }"""
    assert page.evaluate(timed) < 100
    assert page.inner_text("#count").startswith("1 of 20,000")
