"""Several labels an answer: in text, in lists, as checkboxes, in rows; always one yes/no question
an option.
"""

import csv
import json
import random
import shlex
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headcount as hc
from headcount.agreement.sets import jaccard, masi
from headcount.data.reading import read_both, read_ratings
from headcount.door.sets import separator_of
from headcount.errors import InputError, UnsureError
from headcount.options.reading import PredictionsReading, RatingsReading

OPTIONS = ("anger", "fear", "joy", "sad")
Answers = dict[tuple[str, str], frozenset[str]]


def _answers(items: int = 50, raters: int = 4, seed: int = 0) -> Answers:
    rng = random.Random(seed)
    true = [{o for o in OPTIONS if rng.random() < 0.35} for _ in range(items)]
    return {
        (f"i{i}", f"r{r}"): frozenset(o for o in OPTIONS if (o in true[i]) != (rng.random() < 0.12))
        for i in range(items)
        for r in range(raters)
    }


def _csv(path: Path, head: list[str], rows: list[list[str]]) -> Path:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
    return path


def _joined(separator: str) -> Callable[[Answers, Path], Path]:
    def write(answers: Answers, folder: Path) -> Path:
        rows = [[i, r, separator.join(sorted(s))] for (i, r), s in answers.items()]
        return _csv(folder / "t.csv", ["item", "rater", "label"], rows)

    return write


def _lists(answers: Answers, folder: Path) -> Path:
    records = [{"item": i, "rater": r, "label": sorted(s)} for (i, r), s in answers.items()]
    (folder / "t.json").write_text(json.dumps(records), encoding="utf-8")
    return folder / "t.json"


def _written_out(answers: Answers, folder: Path) -> Path:
    rows = [[i, r, str(sorted(s))] for (i, r), s in answers.items()]
    return _csv(folder / "t.csv", ["item", "rater", "label"], rows)


def _boxes(answers: Answers, folder: Path) -> Path:
    rows = [[i, r, *(str(int(o in s)) for o in OPTIONS)] for (i, r), s in answers.items()]
    return _csv(folder / "t.csv", ["item", "rater", *OPTIONS], rows)


def _rows(answers: Answers, folder: Path) -> Path:
    rows = [[i, r, o] for (i, r), s in answers.items() for o in sorted(s) or [""]]
    return _csv(folder / "t.csv", ["item", "rater", "label"], rows)


def _wide(answers: Answers, folder: Path) -> Path:
    raters = sorted({r for _, r in answers})
    items = dict.fromkeys(i for i, _ in answers)
    rows = [[i, *("; ".join(sorted(answers[i, r])) or "none" for r in raters)] for i in items]
    return _csv(folder / "t.csv", ["item", *(f"rater_{r}" for r in raters)], rows)


WRITTEN = {
    "comma": _joined(", "),
    "semicolon": _joined(";"),
    "bar": _joined("|"),
    "lists": _lists,
    "written out": _written_out,
    "checkboxes": _boxes,
    "rows": _rows,
    "a column a rater": _wide,
}


def _said(ratings: hc.Ratings) -> set[tuple[str, str, str]]:
    answers = ratings.answers()
    return {
        (str(answers.items[i]), str(answers.raters[r])[-2:], ratings.labels.names[k])
        for i, r, k in zip(answers.item, answers.rater, answers.label, strict=True)
    }


@pytest.mark.parametrize("how", WRITTEN)
def test_the_refusal_proposes_what_reads_every_way_to_write_sets_against_brute_force(
    how: str, tmp_path: Path
) -> None:
    answers = _answers()
    path = WRITTEN[how](answers, tmp_path)
    with pytest.raises(UnsureError) as error:
        hc.Ratings.read(path)
    options = next(each for each in error.value.readings if "sets" in each)
    assert "--sets" in str(error.value)
    ratings = hc.Ratings.read(path, **options)
    expected = {
        (f"{i} · {o}", r, "yes" if o in s else "no")
        for (i, r), s in answers.items()
        for o in OPTIONS
    }
    assert _said(ratings) == expected
    assert ratings.layout.sets == OPTIONS
    assert ratings.layout.cluster == "item"
    assert ratings.n_retests == 0
    if how not in ("rows", "a column a rater", "checkboxes", "lists"):
        printed = shlex.split(str(error.value).split("Most likely ")[1].split(" (a yes/no")[0])
        words = dict(zip(printed[3::2], printed[4::2], strict=True))
        typed = {name[2:]: value for name, value in words.items()}
        assert _said(read_ratings(path, **typed)) == expected


def test_an_empty_set_is_an_answer_and_none_beside_others_is_told(tmp_path: Path) -> None:
    rows = [["1", "a", "none"], ["1", "b", "x|y"], ["2", "a", ""], ["2", "b", "none|x"]]
    path = _csv(tmp_path / "t.csv", ["item", "rater", "label"], rows)
    ratings = hc.Ratings.read(path, sets="|")
    assert ratings.n_ratings == 8
    assert ("1 · x", "a", "no") in _said(ratings)
    assert ("2 · y", "a", "no") in _said(ratings)
    assert any("1 answer ticks it beside others" in note for note in ratings.notes)


def test_a_frame_of_lists_is_read_as_sets() -> None:
    answers = _answers()
    frame = pd.DataFrame(
        [{"item": i, "rater": r, "label": sorted(s)} for (i, r), s in answers.items()]
    )
    with pytest.raises(UnsureError, match="lists"):
        hc.Ratings.from_frame(frame)
    assert hc.Ratings.from_frame(frame, sets="list").n_ratings == 4 * len(answers)


@pytest.mark.parametrize(
    "names",
    [
        ["yes, definitely", "no, not at all", "unsure"],
        ["art/design", "art/history", "law"],
        ["New York, NY", "Boston, MA", "Albany, NY"],
        ["C++", "C", "C#"],
    ],
)
def test_names_with_separators_in_them_are_no_sets(names: list[str]) -> None:
    assert separator_of(names) is None


def test_whoever_names_the_column_has_names_with_a_remark(tmp_path: Path) -> None:
    path = _joined("|")(_answers(), tmp_path)
    ratings = hc.Ratings.read(path, item="item", rater="rater", label="label", unrated="drop")
    assert not ratings.layout.sets
    assert any("--sets" in note for note in ratings.notes)


def test_answers_given_again_are_no_ticks(tmp_path: Path) -> None:
    rng = random.Random(3)
    rows = [
        [f"i{i}", f"r{r}", rng.choice("ab")] for i in range(40) for r in range(3) for _ in range(2)
    ]
    path = _csv(tmp_path / "t.csv", ["item", "rater", "label"], rows)
    ratings = hc.Ratings.read(path)
    assert ratings.n_retests > 0
    assert not ratings.layout.sets


def test_what_was_not_offered_was_not_asked(tmp_path: Path) -> None:
    rows = [
        ["1", "a", "x", "x|y"],
        ["1", "b", "", "x|y"],
        ["2", "a", "z", "y|z"],
        ["2", "b", "y|z", "y|z"],
    ]
    path = _csv(tmp_path / "t.csv", ["item", "rater", "label", "list"], rows)
    ratings = hc.Ratings.read(path, sets="|", offered="list")
    assert {name for name, *_ in _said(ratings)} == {"1 · x", "1 · y", "2 · y", "2 · z"}


def test_a_judge_s_sets_answer_the_same_questions(tmp_path: Path) -> None:
    answers = _answers()
    path = _joined("|")(answers, tmp_path)
    rng = random.Random(9)
    told = {f"i{i}": frozenset(o for o in OPTIONS if rng.random() < 0.4) for i in range(50)}
    rows = [[i, "|".join(sorted(s | {"mirth"})) if s else "none"] for i, s in told.items()]
    judge = _csv(tmp_path / "judge.csv", ["item", "llm"], rows)
    ratings = hc.Ratings.read(path, sets="|")
    predictions = hc.Predictions.read(judge, sets="|", ratings=ratings)
    found = hc.evaluate(ratings, predictions, n_bootstrap=0)
    same = [(o in told[i]) == (o in s) for (i, _), s in answers.items() for o in OPTIONS]
    assert found["llm"].agree.value == pytest.approx(np.mean(same))
    assert any("were not asked about" in note for note in predictions.notes)
    assert found.crowd is not None
    assert found.crowd.plan_of_samples.clusters == 50
    reading = RatingsReading(sets=["|"]).as_given()
    both = read_both(path, judge, reading, PredictionsReading().as_given())
    assert _said(both[0]) == _said(ratings)
    assert both[1] is not None
    assert both[1].n_items == predictions.n_items


def test_predictions_of_sets_need_the_questions(tmp_path: Path) -> None:
    judge = _csv(tmp_path / "judge.csv", ["item", "llm"], [["1", "a|b"]])
    with pytest.raises(hc.HeadcountError, match="ratings="):
        hc.Predictions.read(judge, sets="|")


def _alpha(answers: Answers, similar: Callable[[frozenset[str], frozenset[str]], float]) -> float:
    by_item: dict[str, list[frozenset[str]]] = {}
    for (item, _), ticked in answers.items():
        by_item.setdefault(item, []).append(ticked)
    everyone = [s for sets in by_item.values() for s in sets]
    n = len(everyone)
    seen = sum(
        2 * sum(1 - similar(s, t) for s, t in combinations(sets, 2)) / (len(sets) - 1)
        for sets in by_item.values()
    )
    chance = 2 * sum(1 - similar(s, t) for s, t in combinations(everyone, 2)) / (n - 1)
    return 1 - seen / chance


def _jaccard(s: frozenset[str], t: frozenset[str]) -> float:
    return len(s & t) / len(s | t) if s | t else 1.0


def _masi(s: frozenset[str], t: frozenset[str]) -> float:
    part = 1.0 if s == t else 2 / 3 if s <= t or t <= s else 1 / 3 if s & t else 0.0
    return _jaccard(s, t) * part


def test_alphas_of_sets_against_brute_force(tmp_path: Path) -> None:
    answers = _answers()
    ratings = hc.Ratings.read(_joined("|")(answers, tmp_path), sets="|")
    found = hc.agreement(ratings, n_bootstrap=50).sets
    assert found is not None
    assert found.jaccard_alpha.value == pytest.approx(_alpha(answers, _jaccard))
    assert found.masi_alpha.value == pytest.approx(_alpha(answers, _masi))
    assert found.masi_alpha.low < found.masi_alpha.value < found.masi_alpha.high
    by_item: dict[str, list[frozenset[str]]] = {}
    for (item, _), ticked in answers.items():
        by_item.setdefault(item, []).append(ticked)
    pairs = [s == t for sets in by_item.values() for s, t in combinations(sets, 2)]
    assert found.same.value == pytest.approx(np.mean(pairs))


def test_distances_of_sets_against_brute_force() -> None:
    every = [frozenset(c) for k in range(4) for c in combinations("abc", k)]
    ticked = np.array([[o in s for o in "abc"] for s in every], dtype=float)
    assert jaccard(ticked) == pytest.approx(
        np.array([[_jaccard(s, t) for t in every] for s in every])
    )
    assert masi(ticked) == pytest.approx(np.array([[_masi(s, t) for t in every] for s in every]))


def test_real_sets_are_refused_with_what_reads_them(shared_data: Callable[[str], Path]) -> None:
    folder_of, video = shared_data("image-labels"), shared_data("video-people") / "ratings.csv"
    for path in (folder_of / "ratings.csv.gz", video):
        with pytest.raises(InputError, match="--sets"):
            hc.Ratings.read(path)
    ratings = hc.Ratings.read(video, sets="|")
    assert ratings.n_items == 50 * len(ratings.layout.sets)
    assert any("3 answers tick it beside others" in note for note in ratings.notes)
    reading = RatingsReading(sets=["|"], offered="proposals").as_given()
    ratings, predictions = read_both(
        folder_of / "ratings.csv.gz",
        folder_of / "predictions.csv",
        reading,
        PredictionsReading().as_given(),
    )
    assert len(set(ratings.item_columns()["cluster"].names)) == 2_500
    assert predictions is not None
    assert predictions.names == ("old_label", "resnet50")
