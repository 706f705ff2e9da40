"""pytest: a fixture that evaluates, keeps the report, and says after the tests what was found.

pytest loads this file in every run of an environment that has headcount, so nothing of headcount is
imported before a test asks for the fixture.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from headcount.evaluation import Evaluation

OPTION = "headcount_reports"
"""The option and the setting that say where reports are kept."""


class Headcount:
    """What the fixture `headcount` gives a test: `evaluate`, `require`, and a folder of its own."""

    def __init__(self, test: str, folder: Path) -> None:
        self.folder = folder
        """Where report, result and summary of this test's evaluations are."""
        self._test = test
        self._findings: list[str] = []

    def evaluate(self, ratings: Any, predictions: Any = None, **options: Any) -> "Evaluation":
        """`headcount.evaluate`, with the report kept as an artefact.

        Beside ``report.html`` stand ``result.json``, which a later run may take as its baseline,
        and ``summary.md``; further evaluations of the same test have a number in their names.
        """
        import headcount as hc

        found = hc.evaluate(ratings, predictions, **options)
        number = f"-{len(self._findings) + 1}" if self._findings else ""
        self.folder.mkdir(parents=True, exist_ok=True)
        report = found.report(self.folder / f"report{number}.html")
        (self.folder / f"result{number}.json").write_text(found.to_json(), encoding="utf-8")
        summary = found.to_markdown(short=True)
        (self.folder / f"summary{number}.md").write_text(summary, encoding="utf-8")
        self._findings.append(f"{self._test}: {found.first_answer().finding} {report}")
        return found

    def require(self, found: "Evaluation", *requirements: str) -> None:
        """Fail with a sentence for each requirement that is not met, such as "judge:low>=2"."""
        from headcount.evaluation.gates import hold_requirements

        unmet = hold_requirements(found, requirements).unmet
        if unmet:
            pytest.fail("\n".join(unmet), pytrace=False)


_FOUND: pytest.StashKey[list[Headcount]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where reports are kept."""
    group = parser.getgroup("headcount")
    text = "Keep reports of the fixture `headcount` here (else in the test's tmp_path)."
    group.addoption("--headcount-reports", dest=OPTION, metavar="DIR", help=text)
    parser.addini(OPTION, text, default="")


@pytest.fixture
def headcount(request: pytest.FixtureRequest, tmp_path: Path) -> Headcount:
    """Evaluate a classifier by what people said: `headcount.evaluate("ratings.csv", …)`.

    The report is kept where `--headcount-reports` or the setting `headcount_reports` says.
    """
    config = request.config
    kept = config.getoption(OPTION) or config.getini(OPTION)
    test = request.node.nodeid
    folder = tmp_path / "headcount"
    if kept:
        folder = config.rootpath / kept / re.sub(r"[^\w.-]+", "-", test).strip("-")
    made = Headcount(test, folder)
    config.stash.setdefault(_FOUND, []).append(made)
    return made


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What each evaluation found, and where its report is."""
    findings = [line for each in config.stash.get(_FOUND, []) for line in each._findings]
    if findings:
        terminalreporter.section("headcount")
        for line in findings:
            terminalreporter.write_line(line)
