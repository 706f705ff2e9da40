"""The JSON of results keeps its contract: what is described is there, under the names promised."""

import copy
import importlib.util
import json
import sys
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest

import headcount as hc
from headcount.results import Result
from headcount.results.schema import DIALECT, MAJOR, name_of, schema_of

DOCS = Path(__file__).parents[2] / "docs"
PROMISED = json.loads((Path(__file__).parent / "promised_keys.json").read_text(encoding="utf-8"))
"""The keys of every result that a reader may rely on, and what holds for them: written once for a
first number of the version, by `python tests/results/freeze_promised_keys.py`."""


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    """The script that writes the schema."""
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_reference"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def schema(maker: ModuleType) -> dict[str, Any]:
    """The schema of every result."""
    return schema_of(maker.every_result())


@pytest.fixture(scope="module")
def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, but what is not described is not allowed: here every key has to be described."""
    strict = copy.deepcopy(schema)
    for each in strict["$defs"].values():
        each.setdefault("additionalProperties", False)
    return strict


def errors_of(result: Result, schema: dict[str, Any]) -> list[str]:
    """What is wrong with a result's JSON, after its way through text."""
    told = json.loads(result.to_json())
    assert told.pop("schema") == name_of(type(result))
    return wrong_with(told, type(result).__name__, schema)


def wrong_with(told: dict[str, Any], name: str, schema: dict[str, Any]) -> list[str]:
    """Where a document is not the result of this name."""
    validator = jsonschema.Draft202012Validator(
        {"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"}
    )
    return [f"{each.json_path}: {each.message[:200]}" for each in deepest(validator, told)]


def deepest(validator: Any, told: Any) -> list[Any]:
    """The errors where they are, and not at the choice between a part and its absence."""
    found = []
    for each in validator.iter_errors(told):
        while each.context:
            each = max(each.context, key=lambda inner: len(inner.absolute_path))
        found.append(each)
    return found


def test_the_file_that_is_shipped_is_up_to_date(maker: ModuleType) -> None:
    shipped = resources.files("headcount.results").joinpath("results.schema.json")
    assert shipped.read_text(encoding="utf-8") == maker.schema(), "run `make docs`"


def test_the_schema_is_a_schema(schema: dict[str, Any]) -> None:
    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)


def test_public_results_are_all_described(schema: dict[str, Any]) -> None:
    public = {name for name in hc.__all__ if isinstance(getattr(hc, name), type)}
    public = {name for name in public if issubclass(getattr(hc, name), Result)}
    assert public <= set(schema["$defs"])


def test_what_was_promised_is_kept(schema: dict[str, Any]) -> None:
    assert PROMISED["major"] == MAJOR, (
        "a new first number: python tests/results/freeze_promised_keys.py"
    )
    for name, keys in PROMISED["keys"].items():
        now = set(schema["$defs"].get(name, {}).get("required", ()))
        gone = sorted(set(keys) - now)
        assert not gone, (
            f"{name} promised {gone}. Whoever reads results would miss it: keep the key, or raise "
            "MAJOR in headcount/results/schema.py and freeze the keys anew."
        )


def test_whole_documents_are_told_apart_by_their_names(schema: dict[str, Any]) -> None:
    found = hc.agreement(hc.simulate.make("comments", items=40).ratings, n_bootstrap=0)
    document = json.loads(found.to_json())
    jsonschema.validate(document, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document | {"schema": "headcount/evaluation/1"}, schema)
    jsonschema.validate(document | {"to_come": 1}, schema)  # later versions may say more


def test_a_renamed_key_is_found(schema: dict[str, Any]) -> None:
    made = hc.simulate.make("comments", items=60, seed=2)
    told = hc.evaluate(made.ratings, made.predictions, n_bootstrap=0).to_dict()
    assert not wrong_with(told, "Evaluation", schema)
    for path in list(keys_of(told, schema, "Evaluation")):
        changed = copy.deepcopy(told)
        place = changed
        for step in path[:-1]:
            place = place[step]
        place["renamed"] = place.pop(path[-1])
        assert wrong_with(changed, "Evaluation", schema), f"nobody notices {path}"


def keys_of(told: dict[str, Any], schema: dict[str, Any], name: str) -> Any:
    """Paths to the keys of an evaluation and of each of its parts."""
    for key in schema["$defs"][name]["required"]:
        yield (key,)
        part = schema["$defs"][name]["properties"][key]
        options = [each.get("$ref", "") for each in part.get("anyOf", [part])]
        kinds = [each.rpartition("/")[2] for each in options if each]
        if isinstance(told[key], dict) and kinds and "unavailable" not in told[key]:
            for inner in schema["$defs"][kinds[0]]["required"]:
                yield (key, inner)


def results(seed: int) -> list[Result]:
    """An evaluation of random data of a random kind, and single methods on them."""
    rng = np.random.default_rng(seed)
    kind = ("names", "levels", "yes or no", "numbers")[seed % 4]
    items, raters = int(rng.integers(12, 70)), int(rng.integers(2, 7))
    labels = {"names": "abcd"[: rng.integers(2, 5)], "yes or no": "ny"}.get(kind, "12345")
    hold = rng.dirichlet(np.full(len(labels), rng.uniform(0.2, 2)), size=items)
    rows, seen = [], rng.random((items, raters)) < rng.uniform(0.5, 1.0)
    for item, rater in np.argwhere(seen):
        label = labels[rng.choice(len(labels), p=hold[item])]
        rows.append((f"i{item}", f"r{rater}", label))
    people = pd.DataFrame(rows, columns=["item", "rater", "label"])
    if seed % 3 == 0:
        people = people.drop(columns="rater")
    elif seed % 5 == 0:
        people["group"] = people["rater"].map(lambda each: "odd" if int(each[1:]) % 2 else "even")
    judges = pd.DataFrame({"item": [f"i{item}" for item in range(items)]})
    judges["best"] = [labels[k] for k in hold.argmax(axis=1)]
    if seed % 2:
        judges["random"] = rng.choice(list(labels), size=items)
    scale = {"levels": "ordered", "numbers": "numeric"}.get(kind, "nominal")
    how = {"group": "group"} if "group" in people else {}
    ratings = hc.Ratings.from_frame(people, scale=scale, **how)
    predictions = hc.Predictions.from_frame(judges)
    samples = int(rng.choice([0, 20]))
    found = hc.evaluate(ratings, predictions, n_bootstrap=samples, seed=seed)
    parts = [
        getattr(found, name) for name in ("agreement", "equivalence", "population", "accuracy")
    ]
    parts += [found.primary_labels, found.scores, found.levels, found.differences]
    if isinstance(found.equivalence, Result):
        parts.append(found.equivalence.curve)
    return [found, *(each for each in parts if isinstance(each, Result))]


@pytest.mark.parametrize("seed", range(20))
def test_every_result_is_as_described(seed: int, closed: dict[str, Any]) -> None:
    for each in results(seed):
        assert not errors_of(each, closed), type(each).__name__


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(20, 220))
def test_two_hundred_evaluations_are_as_described(seed: int, closed: dict[str, Any]) -> None:
    for each in results(seed):
        assert not errors_of(each, closed), type(each).__name__


def test_what_evaluations_do_not_hold_is_as_described(closed: dict[str, Any]) -> None:
    made = hc.simulate.make("running-example", items=300, seed=1)
    scored = hc.simulate.make("scores", items=60, seed=1)
    crowd = hc.Ratings.from_counts([[6, 2], [2, 6]] * 20, labels=["a", "b"])
    experts = hc.Ratings.from_counts([[4, 0], [1, 3]] * 20, labels=["a", "b"])
    again = hc.simulate.make("comments", items=400, seed=1)
    team = hc.together(made.ratings, made.predictions, n_bootstrap=0)
    found = [
        team,
        team.policy(as_good_as=2),
        hc.expert_equivalence(crowd, experts, n_bootstrap=0),
        hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300),
        hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, target=0.9, rivals=3),
        hc.plan_gold(accuracy=0.9, half_width=0.03),
        hc.plan_ratings(kinds=[(0.5, 0.9), (0.5, 0.3)]),
        hc.plan_accuracy(kappa=0.55, simulations=50),
        hc.plan_from_pilot(made.ratings, made.predictions),
        hc.plan_scores(scored.ratings, scored.predictions),
        hc.scores(scored.ratings, scored.predictions),
        hc.watch(made.ratings, made.predictions, classifiers=("hard", "ideal")),
        hc.next_items(made.ratings, made.predictions),
        hc.true_rate(again.ratings, again.predictions, of="toxic"),
        hc.validate_deconvolution(again.ratings, again.predictions, min_raters=2, folds=3),
    ]
    for each in found:
        assert not errors_of(each, closed), type(each).__name__


@pytest.mark.prove
def test_the_gallery_is_as_described(shared_data: Any, closed: dict[str, Any]) -> None:
    shared_data("wikipedia-attacks")
    spec = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    gallery = importlib.util.module_from_spec(spec)
    sys.modules["gallery"] = gallery
    spec.loader.exec_module(gallery)
    for case in gallery.CASES:
        assert not errors_of(case.evaluate(), closed), case.name
