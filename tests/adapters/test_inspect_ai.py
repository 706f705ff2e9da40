"""Inspect: the metric and the logs give what `evaluate` gives, through Inspect itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import InputError

inspect_ai = pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Inspect's own imports

from headcount.adapters.inspect_ai import label_of, people_metric, read_logs  # noqa: E402


def samples(n: int = 60) -> tuple[list[Any], list[dict[str, int]], list[str]]:
    """Samples with what six people and a judge said of them."""
    from inspect_ai.dataset import Sample

    rng = np.random.default_rng(3)
    share = rng.beta(0.6, 0.6, size=n)
    said = [{"fine": int(6 - k), "toxic": int(k)} for k in rng.binomial(6, share)]
    judge = ["toxic" if each > 0.5 else "fine" for each in share]
    made = [
        Sample(id=f"s{i}", input="x", target="", metadata={"people": said[i], "judge": judge[i]})
        for i in range(n)
    ]
    return made, said, judge


def ran(folder: Path, **metric: Any) -> Any:
    """A log of an evaluation, with a judge as its scorer and two people as others."""
    from inspect_ai import Task, eval
    from inspect_ai.scorer import Score, scorer
    from inspect_ai.solver import solver

    def of(key: str, *, metrics: list[Any]) -> Any:
        def made() -> Any:
            async def score(state: Any, _target: Any) -> Any:
                return Score(value=1, answer=state.metadata[key])

            return score

        return scorer(metrics=metrics, name=key)(made)()

    @solver
    def silent() -> Any:
        """No model is asked: counting its tokens would ask the network."""

        async def solve(state: Any, _generate: Any) -> Any:
            return state

        return solve

    made, _, _ = samples()
    task = Task(
        dataset=made, solver=silent(), scorer=of("judge", metrics=[people_metric(**metric)])
    )
    (log,) = eval(task, model="mockllm/model", log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def test_the_metric_and_the_log_give_what_evaluate_gives(tmp_path: Path) -> None:
    _, said, judge = samples()
    log = ran(tmp_path, n_bootstrap=50)
    items = [f"s{i}" for i in range(len(said))]
    counts = [[each["fine"], each["toxic"]] for each in said]
    table = pa.table([items, *zip(*counts, strict=True)], names=["item", "fine", "toxic"])
    people = hc.Ratings.from_counts(table, item="item")
    asked = hc.Predictions.from_frame(pa.table({"item": items, "judge": judge}))
    expected = hc.evaluate(people, asked, n_bootstrap=50)["judge"]
    (scored,) = log.results.scores
    told = {name: each.value for name, each in scored.metrics.items()}
    assert told["worth"] == pytest.approx(expected.worth.value, abs=1e-9)
    assert told["agree"] == pytest.approx(expected.agree.value, abs=1e-9)
    read = hc.evaluate(*read_logs(log.location), n_bootstrap=50)["judge"]
    assert read.worth.value == pytest.approx(expected.worth.value, abs=1e-9)
    assert read.worth.low == pytest.approx(expected.worth.low, abs=1e-9)


def test_people_may_be_scorers(tmp_path: Path) -> None:
    log = ran(tmp_path, n_bootstrap=0)
    for sample in log.samples:
        judge = sample.scores["judge"]
        person = judge.model_copy(update={"value": judge.answer})
        sample.scores = {"judge": judge, "ann": person, "ben": person}
    ratings, predictions = read_logs(log, people=["ann", "ben"])
    assert ratings.n_raters == 2
    assert predictions.names == ("judge",)
    with pytest.raises(InputError, match="Nobody of carl"):
        read_logs(log, people=["carl"])


def test_samples_without_people_are_named() -> None:
    from inspect_ai.scorer import SampleScore, Score

    with pytest.raises(InputError, match="No sample's metadata says what people said"):
        people_metric()([SampleScore(score=Score(value="fine"))])


def test_a_score_is_the_label_that_people_know() -> None:
    from inspect_ai.scorer import Score

    assert label_of(Score(value=0.0, answer="toxic"), {"fine", "toxic"}) == "toxic"
    assert label_of(Score(value="fine"), {"fine", "toxic"}) == "fine"
    assert label_of(Score(value=1.0), {"C", "I"}) == "C"
    assert label_of(Score(value=4.0), {"3", "4"}) == "4"
    with pytest.raises(InputError, match="give the label as the answer"):
        label_of(Score(value=0.0), {"fine", "toxic"})
