"""Charts as files."""

import re
from pathlib import Path

import altair as alt
import pytest

from headcount.charts import page, save
from headcount.errors import InputError, OptionError


@pytest.fixture
def chart() -> alt.Chart:
    rows = [{"label": "</script><script>alert(1)</script>", "n": 3}, {"label": "b", "n": 4}]
    return alt.Chart(alt.Data(values=rows)).mark_bar().encode(x="n:Q", y="label:N")


@pytest.mark.parametrize(
    ("suffix", "starts"),
    [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<svg"), (".SVG", b"<svg")],
)
def test_pictures_have_their_format(
    chart: alt.Chart, tmp_path: Path, suffix: str, starts: bytes
) -> None:
    written = save(chart, tmp_path / f"chart{suffix}")
    assert written.read_bytes().startswith(starts)


def test_a_page_carries_its_scripts_and_keeps_labels_as_text(
    chart: alt.Chart, tmp_path: Path
) -> None:
    page = save(chart, str(tmp_path / "chart.html")).read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)
    assert "<script>alert(1)" not in page


@pytest.mark.parametrize("name", ["chart.jpeg", "chart", "chart.html.gz"])
def test_another_suffix_is_refused_in_a_sentence(
    chart: alt.Chart, tmp_path: Path, name: str
) -> None:
    with pytest.raises(OptionError, match=r"must end in \.html, \.pdf, \.png or \.svg"):
        save(chart, tmp_path / name)


def test_what_latex_takes_is_named(chart: alt.Chart, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"write figure\.pdf, which LaTeX takes as it is"):
        save(chart, tmp_path / "figure.tex")


def test_a_folder_that_is_not_there_is_named(chart: alt.Chart, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere/chart\.svg \(No such file or directory\)"):
        save(chart, tmp_path / "nowhere" / "chart.svg")


def test_the_scripts_are_put_together_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(page, "_bundled", lambda: "window.made = 'once';")
    page.vega_scripts.cache_clear()
    try:
        assert page.vega_scripts() == "window.made = 'once';"
        page.vega_scripts.cache_clear()
        monkeypatch.setattr(page, "_bundled", lambda: pytest.fail("made twice"))
        assert page.vega_scripts() == "window.made = 'once';"
    finally:
        page.vega_scripts.cache_clear()


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "a-file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(page, "_bundled", lambda: "window.made = 'anew';")
    page.vega_scripts.cache_clear()
    try:
        assert page.vega_scripts() == "window.made = 'anew';"
    finally:
        page.vega_scripts.cache_clear()


def test_a_user_without_a_home_gets_the_scripts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.setattr(page, "_bundled", lambda: "window.made = 'anew';")
    page.vega_scripts.cache_clear()
    try:
        assert page.vega_scripts() == "window.made = 'anew';"
    finally:
        page.vega_scripts.cache_clear()
