"""`headcount plan compare`, `pilot` and `watch` as a user runs them."""

import csv
import functools
import io
import json

import pytest

from headcount.simulate import make

NUMBERS = ("--accuracy", "0.8", "--margin", "0.05", "--label-accuracy", "0.8")


@pytest.fixture
def run(run):
    """`headcount plan` in an empty folder."""
    return functools.partial(run, "plan")


def test_compare_prints_the_plan(run):
    code, out, err = run("compare", *NUMBERS, "--budget", "300")
    assert (code, err) == (0, "")
    assert out.startswith("Label 300 items, one label each")
    assert "0.796984" in out
    assert "The other question" in out


def test_compare_speaks_json_and_csv_and_draws(run, tmp_path):
    words = ("compare", *NUMBERS, "--target", "0.9", "--labels-per-item", "1,3,2+1")
    code, out, _ = run(*words, "--format", "json", "--chart", "plan.svg")
    told = json.loads(out)
    assert code == 0
    assert told["best"]["labels_per_item"] == 1
    assert [plan["adaptive"] for plan in told["plans"]] == [False, True, False]
    assert (tmp_path / "plan.svg").exists()
    _, out, _ = run(*words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert float(rows[0]["probability"]) >= 0.9


def test_compare_takes_the_correlated_form(run):
    words = ["--worse-accuracy", "0.7", "--better-if-worse-wrong", "0.5"]
    words += ["--better-if-worse-right", "0.9", "--label-accuracy", "0.8", "--label-spread", "0.1"]
    code, out, _ = run("compare", *words, "--budget", "100", "--item-cost", "2", "--rivals", "3")
    assert code == 0
    assert "best of 4" in out
    assert "varies over items" in out


def test_compare_takes_steps_and_tables_of_any_number_of_labels(run, tmp_path):
    code, out, _ = run("compare", "--step", "0.22,0.19", "--target", "0.95", "--format", "json")
    assert (code, json.loads(out)["best"]["items"]) == (0, 1264)
    (tmp_path / "joint.csv").write_text(
        "truth,one,other,share\na,a,a,0.5\na,a,b,0.1\nb,b,b,0.3\nb,a,b,0.02\nc,c,b,0.08\n"
    )
    rows = "a,a,0.8\na,b,0.1\na,c,0.1\nb,b,0.9\nb,a,0.1\nc,c,0.7\nc,a,0.3\n"
    (tmp_path / "labels.csv").write_text("truth,label,chance\n" + rows)
    words = ("compare", "--joint", "joint.csv", "--label-confusion", "labels.csv")
    code, out, _ = run(*words, "--target", "0.95", "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert told["n_labels"] == 3
    assert told["margin"] == pytest.approx(0.16)
    (tmp_path / "labels.csv").write_text("truth,label,chance\na,a,most\n")
    code, _, err = run(*words, "--target", "0.95")
    assert (code, "holds numbers" in err) == (1, True)


def test_pilot_says_what_choosing_now_loses(run, tmp_path):
    make("comments", items=400, seed=1).write(tmp_path / "pilot")
    words = ["pilot", "pilot/ratings.csv", "pilot/predictions.csv", "--target", "0.99"]
    code, out, err = run(*words, "--classifiers", "fine_tuned,llm_judge", "--matters", "0.1%")
    assert (code, err) == (0, "")
    assert "loses" in out
    assert "What more labels would bring" in out
    code, out, _ = run(*words, "--format", "json", "--raters", "same", "--prior-sd", "3%")
    told = json.loads(out)
    assert told["leader"] == "fine_tuned"
    assert [row["labels"] for row in told["more"]] == [100, 1000, 10000]
    code, _, err = run(*words, "--matters", "much")
    assert (code, "--matters is a share" in err) == (1, True)


def test_pilot_compares_right_answers_where_there_is_gold(run, tmp_path):
    made = make("comments", items=300, seed=1)
    made.write(tmp_path)
    lines = (tmp_path / "truth.csv").read_text().splitlines()
    place = lines[0].split(",").index("majority")
    gold = [f"{line.split(',')[0]},{line.split(',')[place]}" for line in lines[1:]]
    (tmp_path / "gold.csv").write_text("item,label\n" + "\n".join(gold[:200]) + "\n")
    words = ["pilot", "ratings.csv", "predictions.csv", "--format", "json"]
    told = json.loads(run(*words, "--gold", "gold.csv")[1])
    assert (told["question"], told["items"]) == ("right", 200)
    told = json.loads(run(*words, "--label-accuracy", "0.8")[1])
    assert told["identified"]["learnt"] > told["identified"]["given"]


def test_a_pilot_may_call_its_columns_what_it_likes(run, tmp_path):
    make("comments", items=200, seed=1).write(tmp_path)
    for name, header in (("ratings.csv", "case,who,said,occasion"), ("predictions.csv", None)):
        lines = (tmp_path / name).read_text().splitlines()
        lines[0] = header or lines[0].replace("item", "case", 1)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    words = ["pilot", "ratings.csv", "predictions.csv"]
    code, out, err = run(*words, "--item", "case", "--rater", "who", "--label", "said")
    assert (code, err) == (0, "")
    assert "The classifiers on 200 items" in out


def test_pilot_writes_the_items_to_label_next_with_their_texts(run, tmp_path):
    make("comments", items=200, seed=1).write(tmp_path)
    (tmp_path / "texts.csv").write_text('item,text\nc0,"first, of all"\nc1,second\n')
    words = ["pilot", "ratings.csv", "predictions.csv"]
    code, _, err = run(*words, "--items", "next.csv", "--texts", "texts.csv")
    assert code == 0
    assert "Items to label next written to next.csv" in err
    rows = list(csv.DictReader(io.StringIO((tmp_path / "next.csv").read_text())))
    changes = [float(row["expected_change_points"]) for row in rows]
    assert changes == sorted(changes, reverse=True)
    assert all(row["fine_tuned"] != row["llm_judge"] for row in rows if len(row) == 7)
    assert {row["text"] for row in rows} <= {"", "first, of all", "second"}
    code, _, err = run(*words, "--items", "next.doc")
    assert (code, "must end in" in err) == (1, True)
    (tmp_path / "texts.csv").write_text("item,a,b\nc0,x,y\n")
    code, _, err = run(*words, "--items", "next.csv", "--texts", "texts.csv")
    assert (code, "no column 'text'" in err) == (1, True)


def test_watch_looks_at_growing_files(run, tmp_path):
    make("comments", items=600, seed=1).write(tmp_path)
    words = ["watch", "ratings.csv", "predictions.csv", "--pair", "fine_tuned,word_list"]
    code, out, err = run(*words, "--chart", "watch.svg")
    assert code == 0
    assert "labels where they differ" in out
    assert (tmp_path / "watch.svg").exists()
    whole = (tmp_path / "ratings.csv").read_text().splitlines()
    (tmp_path / "ratings.csv").write_text("\n".join(whole[: len(whole) // 2]) + "\n")
    half = json.loads(run(*words, "--format", "json")[1])
    (tmp_path / "ratings.csv").write_text("\n".join(whole) + "\n")
    now = json.loads(run(*words, "--format", "json", "--labels-each", "1")[1])
    assert now["labels"] > half["labels"]
    assert now["difference"]["low"] <= now["difference"]["value"] <= now["difference"]["high"]
    sure = json.loads(run(*words, "--every", "1", "--matters", "90%", "--format", "json")[1])
    assert sure["stop"] is not None
    code, _, err = run("watch", "ratings.csv", "predictions.csv", "--pair", "fine_tuned")
    assert (code, "--pair names two" in err) == (1, True)
    code, _, err = run("watch", "ratings.csv", "predictions.csv")
    assert (code, "takes two of the classifiers" in err) == (1, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("compare", *NUMBERS), "one of the two"),
        (("compare", "--accuracy", "0.8", "--budget", "9"), "give accuracy (of the better"),
        (("compare", *NUMBERS, "--budget", "9", "--labels-per-item", "x"), "whole number"),
        (("compare", *NUMBERS, "--budget", "9", "--label-cost", "-1"), "label_cost is at least 0"),
        (("compare", "--step", "1", "--budget", "9"), "--step takes two numbers"),
        (("compare", "--worse-accuracy", "0.5", "--budget", "9"), "all three"),
        (("compare", "--label-spread", "0.9", *NUMBERS, "--budget", "9"), "cannot vary over items"),
    ],
)
def test_bad_choices_end_in_a_sentence(run, words, sentence):
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert sentence in err
    assert "Traceback" not in err
