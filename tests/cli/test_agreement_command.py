"""`headcount agreement` and `headcount simulate` as a user runs them."""

import csv
import io
import json

from headcount.simulate import RECIPES


def test_simulate_then_agreement(run):
    code, out, _ = run("simulate", "comments", "-o", "data", "-s", "items=80", "--seed", "3")
    assert code == 0
    assert "wrote data/ratings.csv" in out
    code, out, err = run("agreement", "data/ratings.csv", "--n-bootstrap", "50")
    assert (code, err) == (0, "")
    assert out.startswith("Two people asked about the same item agree")
    assert "The most contested items" in out


def test_agreement_speaks_json_and_csv(run):
    run("simulate", "scores", "-s", "items=40")
    code, out, _ = run("agreement", "scores/ratings.csv", "--format", "json", "--level", "nominal")
    said = json.loads(out)
    assert code == 0
    assert said["level"] == "nominal"
    assert 0 < said["percent_agreement"]["value"] < 1
    _, out, _ = run("agreement", "scores/ratings.csv", "--format", "csv", "--two-way")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["coefficient"] for row in rows][3] == "krippendorff_alpha"
    assert float(rows[3]["low"]) < float(rows[3]["value"]) < float(rows[3]["high"])


def test_bad_choices_end_in_a_sentence(run):
    run("simulate", "mixture", "-s", "items=10")
    for words, sentence in [
        (("agreement", "mixture/ratings.csv", "--level", "interval"), "does not go with nominal"),
        (("agreement", "absent.csv"), "absent.csv"),
        (("simulate", "absent"), "There is no recipe 'absent'"),
        (("simulate", "mixture", "-s", "items"), "--set takes OPTION=VALUE"),
        (("simulate", "mixture", "-s", "items=none"), "items is a number; it was 'none'"),
    ]:
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert sentence in err
        assert "Traceback" not in err


def test_simulate_lists_its_recipes(run):
    code, out, _ = run("simulate")
    assert code == 0
    _, helped, _ = run("simulate", "--help")
    for name in RECIPES:
        assert name in out
        assert name in helped
