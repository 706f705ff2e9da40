"""The report as a file: complete, repeatable, and with the numbers of the evaluation."""

import html
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import InputError, OptionError
from headcount.evaluation import Evaluation, evaluate
from headcount.report import page_of, render

MARKUP = "<script>alert(1)</script>"


def words(page: str) -> str:
    """What a page says, as plain text."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]+>", " ", body))
    return re.sub(r"\s+", " ", text.replace("\u00a0", " "))


def test_sections_stand_in_reading_order(evaluation: Evaluation) -> None:
    assert [section.name for section in page_of(evaluation).sections] == [
        "worth",
        "classifiers",
        "differences",
        "people",
        "replacing",
        "possible",
        "agreeing",
        "together",
        "truth",
        "disagreement",
        "confusion",
        "next",
        "assumptions",
        "notes",
        "words",
        "settings",
    ]


def test_the_page_says_the_numbers_of_the_evaluation(evaluation: Evaluation) -> None:
    said = words(render(evaluation))
    for sentences in evaluation.verdicts().values():
        for sentence in sentences:
            assert sentence in said
    answer = evaluation.first_answer()
    assert answer.finding.removesuffix(".") in said
    for row in answer.rows:
        assert row.advice in said
    for note in (*evaluation.data.notes, *evaluation.accuracy.assumptions()):
        assert note in said
    for each in evaluation.classifiers:
        assert f"{100 * each.agree.value:.1f} %" in said
        assert each.accuracy.text(percent=True) in said
    assert "Was a classifier trained on labels of these raters" in said
    for k in range(evaluation.equivalence.curve.most + 1):
        assert evaluation.equivalence.curve.score(k).text() in said
    for item in evaluation.agreement.contested[:10]:
        assert item.item in said
    assert "seed 5" in said
    assert f"version {hc.__version__}" in said


def test_every_chart_has_words_and_numbers_beside_it(evaluation: Evaluation) -> None:
    figures = [figure for section in page_of(evaluation).sections for figure in section.figures]
    assert len(figures) >= 6
    for figure in figures:
        assert figure.caption.endswith(".")
        assert figure.alt.endswith(".")
        assert figure.table.rows
    assert len({figure.name for figure in figures}) == len(figures)


def test_the_page_asks_nothing_of_the_network_and_is_the_same_twice(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    path = evaluation.report(tmp_path / "report.html")
    page = path.read_text(encoding="utf-8")
    assert page == render(evaluation)
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!#)([^"]*)"', markup) == ["data:,"]
    assert "default-src 'none'" in html.unescape(page)
    assert 0.5e6 < len(page) < 1.4e6


def test_markup_in_ids_labels_raters_and_names_is_text() -> None:
    ending = "</script><img src=x onerror=alert(2)>"
    rng = np.random.default_rng(0)
    items = [f"{i} {ending}" for i in range(60)]
    labels = np.array([MARKUP, "b"], dtype=object)
    rows = [(i, r) for i in range(60) for r in range(4)]
    ratings = pa.table(
        {
            "item": [items[i] for i, _ in rows],
            "rater": [f"{ending}{r}" for _, r in rows],
            "label": [labels[int(rng.random() < 0.3 + 0.4 * (i % 2))] for i, _ in rows],
        }
    )
    predictions = pa.table(
        {"item": items, MARKUP: [labels[i % 2] for i in range(60)], "b": [labels[1]] * 60}
    )
    found = evaluate(
        hc.Ratings.from_frame(ratings), hc.Predictions.from_frame(predictions), n_bootstrap=20
    )
    page = render(found)
    assert MARKUP not in page
    assert "<img src=x" not in page
    assert html.escape(MARKUP) in page
    assert MARKUP in words(page)


def test_a_part_without_an_answer_says_why() -> None:
    items = [str(i) for i in range(30)]
    said = ["x" if i % 3 else "y" for i in range(30)]
    found = evaluate(
        hc.Ratings.from_frame(pa.table({"item": items, "rater": ["r"] * 30, "label": said})),
        hc.Predictions.from_frame(pa.table({"item": items, "model": said})),
        n_bootstrap=0,
    )
    page = words(render(found))
    assert page.count("Not answered here.") >= 3
    assert "it takes a second person on some of the same items" in page
    for reason in found.unavailable().values():
        assert reason in page
    assert "No ranges were asked for" in page


@pytest.mark.parametrize("labels", [("no", "yes"), tuple("abcde")])
def test_anonymous_counts_make_a_report_too(labels: tuple[str, ...]) -> None:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(len(labels)), size=80)
    counts = np.array([rng.multinomial(6, p) for p in shares])
    frame = pa.table(
        {
            "item": [str(i) for i in range(80)],
            **{f"soft:{label}": shares[:, j] for j, label in enumerate(labels)},
        }
    )
    found = evaluate(
        hc.Ratings.from_counts(counts, labels=list(labels)),
        hc.Predictions.from_frame(frame),
        n_bootstrap=20,
    )
    page = words(render(found))
    assert "How good is soft, when people disagree?" in page
    assert "raters anonymous" in page


def test_where_it_cannot_be_written_is_told_in_a_sentence(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match=r"must end in \.html"):
        evaluation.report(tmp_path / "report.pdf")
    with pytest.raises(InputError, match=r"nowhere/report\.html \(No such file"):
        evaluation.report(tmp_path / "nowhere" / "report.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match="it is a folder"):
        evaluation.report(tmp_path / "folder.html")
