"""The page itself in a real browser: charts, keyboard, narrow and dark, and hostile labels."""

from pathlib import Path

import altair as alt
import pytest

from headcount.evaluation.first_answer import AnswerRow, FirstAnswer
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Finding, Page, Section
from headcount.report.rendering import render
from headcount.results import Estimate, Table

MARKUP = "<script>alert(1)</script>"
BAR = '.chart path[role="graphics-symbol"][aria-roledescription="bar"]'
ENDING = "</script><img src=x onerror=alert(2)>"


def _figure() -> Figure:
    rows = [{"label": label, "share": share} for label, share in [(MARKUP, 0.5), (ENDING, 0.25)]]
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q"), y=alt.Y("label:N"), color=alt.Color("label:N"), tooltip=["label:N"]
        )
    )
    table = Table("Shares", ("label", "share"), ((MARKUP, 0.5), (ENDING, 0.25)))
    return Figure(
        "shares", fitted(chart.to_dict()), f"Bars for {MARKUP}.", f"Bars: {ENDING}", table
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page in which every piece of text that users own holds markup."""
    wide = Table("Wide", tuple(f"{MARKUP} {i}" for i in range(12)), ((ENDING,) * 12,), MARKUP)
    section = Section(
        "shares",
        MARKUP,
        ENDING,
        lead=(MARKUP,),
        figures=(_figure(),),
        tables=(wide,),
        folded=(wide,),
        remarks=((MARKUP, (ENDING,)),),
    )
    absent = Section("absent", "Absent", "Why?", unavailable=f"No {MARKUP}.")
    share = Estimate(0.7, 0.6, 0.8)
    answer = FirstAnswer(
        ENDING,
        MARKUP,
        ENDING,
        (AnswerRow(MARKUP, Estimate(3.5), share, "yes", ENDING, MARKUP, 1),),
        share,
        "agrees with a person",
        "agree with each other",
        (ENDING,),
        (MARKUP,),
    )
    open_part = Finding("worth", MARKUP, (ENDING,), table=wide, note=MARKUP)
    page = Page(
        MARKUP,
        answer,
        (open_part,),
        (section, absent),
        (section, absent),
        "1",
        colours={MARKUP: "c0"},
    )
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(render(page), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1100])
def test_page_is_drawn_quietly_at_every_width_and_scheme(path, open_page, width, scheme) -> None:
    opened = open_page(path, width=width, scheme=scheme)
    opened.unfold()
    opened.page.wait_for_selector(".chart[data-drawn=yes] svg")
    assert opened.problems == []
    assert opened.requests == [path.resolve().as_uri()]
    assert opened.sideways() <= 0
    assert opened.accessibility() == []


def test_markup_is_shown_as_text_everywhere(path, open_page) -> None:
    opened = open_page(path)
    opened.unfold()
    page = opened.page
    page.wait_for_selector(".chart[data-drawn=yes] svg")
    assert page.title() == MARKUP
    assert page.inner_text("h1") == MARKUP
    assert page.inner_text("#worth h2") == MARKUP
    assert page.inner_text(".first td.n") == MARKUP
    assert ENDING in page.inner_text(".first td.d1")
    assert MARKUP in page.text_content(".chart svg")
    assert page.query_selector("img") is None
    page.hover(BAR)
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert "alert(" in page.inner_text("#vg-tooltip-element")
    assert page.query_selector("#vg-tooltip-element script, #vg-tooltip-element img") is None
    assert opened.problems == []


def test_the_colours_of_a_chart_follow_the_scheme_and_paper_is_light(path, open_page) -> None:
    opened = open_page(path, scheme="dark")
    opened.unfold()
    page = opened.page
    page.wait_for_selector(".chart[data-drawn=yes] svg")
    colour = f"getComputedStyle(document.querySelector({BAR!r})).fill"
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour), page.evaluate(paper)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colour), page.evaluate(paper)
    page.emulate_media(color_scheme="dark", media="print")
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    assert (page.evaluate(colour), page.evaluate(paper)) == light


def test_the_keyboard_reaches_every_value(path, open_page) -> None:
    opened = open_page(path)
    opened.page.click("#shares > summary")
    page = opened.page
    page.wait_for_selector(".chart[data-drawn=yes] svg")
    page.focus(".chart")
    said = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#vg-tooltip-element.visible", timeout=5000)
        said.append(page.inner_text("#spoken"))
    assert said[0] != said[1]
    assert said[0] == said[2]  # two bars, and round again
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('chart')")
    page.focus("figure summary")
    page.keyboard.press("Enter")
    assert page.is_visible("figure details table")


def test_without_scripts_the_numbers_are_still_there(path, browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    page.click("#shares > summary")
    assert "needs JavaScript" in page.inner_text("figure")
    page.click("figure summary")
    assert page.is_visible("figure details table")
    context.close()
