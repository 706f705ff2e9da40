"""Four real evaluations, each with its report: `python docs/gallery.py [FOLDER]`.

The data are read from ../shared/data (HEADCOUNT_DATA elsewhere) and stay there; the reports are
written to FOLDER (gallery-output by default, which git ignores) with a page that lists them.
"""

import html
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import headcount as hc

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Case:
    """A data set: its files, the choices that are truly the user's, and what it is about."""

    name: str
    about: str
    ratings: str = "ratings.csv"
    predictions: str = "predictions.csv"
    reading: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def evaluate(self) -> hc.Evaluation:
        """Read both files and evaluate."""
        folder = DATA / self.name
        return hc.evaluate(
            hc.Ratings.read(folder / self.ratings, **self.reading),
            hc.Predictions.read(folder / self.predictions),
            **self.options,
        )


CASES = (
    Case(
        "wikipedia-attacks",
        "Is this comment a personal attack? 23,178 comments, a classifier's probability.",
        "counts.csv.gz",
        "predictions.csv.gz",
    ),
    Case(
        "sleep-stages",
        "Which of five sleep stages? 24,665 half minutes, five experts, six models.",
        "ratings.csv.gz",
        "predictions.csv.gz",
        # The stages are numbered, but a stage is not more than another.
        reading={"scale": "nominal"},
    ),
    Case(
        "pandalm-judges",
        "Which of two answers is better? 999 pairs, three people, two LLM judges.",
        reading={"scale": "nominal"},
        # GPT-3.5 did not answer in form 25 times: a judge that cannot be used was wrong.
        options={"unknown": "wrong"},
    ),
    Case(
        "llm-rubric",
        "How good is this dialogue, from 1 to 4? 2,035 questions, one to three people, GPT-3.5.",
    ),
)


def main(folder: Path) -> None:
    """Write every report and the page that lists them; print the verdicts."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for case in CASES:
        if not (DATA / case.name).is_dir():
            print(f"{case.name}: not in reach at {DATA / case.name} (set HEADCOUNT_DATA)")
            continue
        start = time.perf_counter()
        found = case.evaluate()
        found.report(folder / f"{case.name}.html")
        print(f"{case.name} ({time.perf_counter() - start:.1f} s): {case.about}")
        for sentences in found.verdicts().values():
            print(f"  {' '.join(sentences)}")
        for sentence in found.missing():
            print(f"  {sentence}")
        entries.append((case, [sentences[0] for sentences in found.verdicts().values()]))
    (folder / "index.html").write_text(index(entries), encoding="utf-8")
    print(f"Reports: {folder / 'index.html'}")


def index(entries: list[tuple[Case, list[str]]]) -> str:
    """A plain page with a link to each report."""
    parts = [
        f'<h2><a href="{case.name}.html">{case.name}</a></h2><p>{html.escape(case.about)}</p><ul>'
        + "".join(f"<li>{html.escape(sentence)}</li>" for sentence in said)
        + "</ul>"
        for case, said in entries
    ]
    style = "body{font:1rem/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>headcount: gallery</title><style>{style}</style>"
        f"<h1>Four real evaluations</h1>{''.join(parts)}</html>\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("gallery-output"))
