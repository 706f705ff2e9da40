"""The sentences of first screens and of reports' titles, with five data sets, for reading aloud.

`python -m tests.evaluation.read_aloud` writes `read_aloud.txt` anew; a second reader reads what
changed before it is kept. `test_read_aloud.py` holds that it is what the code says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

import headcount as hc
from headcount.cli.first_screen import first_screen
from headcount.report.writing import page_of

HERE = Path(__file__).with_name("read_aloud.txt")
DRAWN = 100


def comments() -> hc.Evaluation:
    """Sixty people, three classifiers of which one is known to be the best."""
    made = hc.simulate.make("comments", seed=2, items=1000)
    return hc.evaluate(made.ratings, made.predictions, n_bootstrap=DRAWN)


def three_people() -> hc.Evaluation:
    """Three named people, 200 items, one judge: what most users have."""
    draw = np.random.default_rng(7)
    share = draw.beta(1.2, 0.8, 200)
    items = [str(i) for i in range(200)]
    rows = {
        "item": items * 3,
        "rater": np.repeat(["ann", "ben", "cat"], 200),
        "label": np.where(draw.random((3, 200)) < share, "good", "bad").ravel(),
    }
    judge = np.where(draw.random(200) < share, "good", "bad")
    return hc.evaluate(pa.table(rows), pa.table({"item": items, "judge": judge}), n_bootstrap=DRAWN)


def one_person() -> hc.Evaluation:
    """One person's label an item, and a judge's beside it."""
    labels = ["first", "second", "tie"]
    said = [labels[i % 3] for i in range(150)]
    judge = [labels[(i + (i % 5 == 0)) % 3] for i in range(150)]
    items = [str(i) for i in range(150)]
    rows = pa.table({"item": items, "rater": ["Ada"] * 150, "label": said})
    return hc.evaluate(rows, pa.table({"item": items, "judge": judge}), n_bootstrap=DRAWN)


def a_scale() -> hc.Evaluation:
    """Levels 1 to 5: a judge near people, one that is lenient, one that runs the other way."""
    draw = np.random.default_rng(3)
    level, n = draw.normal(3, 1, 200), 200
    items = [str(i) for i in range(n)]

    def near(mean: np.ndarray, spread: float) -> list[str]:
        said = np.clip(np.round(mean + draw.normal(0, spread, n)), 1, 5)
        return [str(int(each)) for each in said]

    people = [each for _ in range(6) for each in near(level, 0.7)]
    rows = {
        "item": items * 6,
        "rater": np.repeat([f"p{i}" for i in range(6)], n),
        "label": people,
    }
    judges = {
        "near": near(level, 0.4),
        "lenient": near(level + 1, 0.7),
        "back": near(6 - level, 0.5),
    }
    return hc.evaluate(pa.table(rows), pa.table({"item": items, **judges}), n_bootstrap=DRAWN)


def many() -> hc.Evaluation:
    """Eight classifiers that hardly differ, people without names."""
    draw = np.random.default_rng(5)
    share = draw.beta(1, 1, 300)
    yes = draw.binomial(5, share)
    ratings = hc.Ratings.from_counts(np.column_stack([5 - yes, yes]), labels=["no", "yes"])
    said = {
        f"model {i}": np.where(draw.random(300) < 0.2, draw.random(300) < 0.5, share > 0.5)
        for i in range(8)
    }
    answers = {name: np.where(each, "yes", "no") for name, each in said.items()}
    items = [str(i) for i in range(300)]
    return hc.evaluate(ratings, pa.table({"item": items, **answers}), n_bootstrap=DRAWN)


WORLDS = (comments, three_people, one_person, a_scale, many)


def told(found: hc.Evaluation) -> Iterator[str]:
    """The first screen, then what the report's parts are titled and what its first rows advise."""
    yield first_screen(found.first_answer(), "report.html")
    yield ""
    for row in found.first_answer().rows:
        yield f"  {row.name}: {row.advice} {row.because}".rstrip()
    for finding in page_of(found).findings:
        yield f"  # {finding.title}"
        yield from (f"    {each}" for each in (*finding.lead, finding.above, finding.note) if each)


def everything() -> str:
    """All of it."""
    parts = []
    for world in WORLDS:
        assert world.__doc__ is not None
        parts.append("\n".join([f"== {world.__doc__}", "", *told(world()), ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    HERE.write_text(everything(), encoding="utf-8")
    sys.exit(0)
