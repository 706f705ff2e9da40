"""Everything the data can answer about some classifiers, as one result."""

import importlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from headcount._version import __version__
from headcount.accuracy import SystemAccuracy
from headcount.agreement import Agreement
from headcount.agreement.crowd import Crowd
from headcount.data import Nearness
from headcount.deconvolution import PrimaryLabels, Scores, SplitScores
from headcount.drift import Drift
from headcount.equivalence import SurveyEquivalence
from headcount.errors import UnanswerableError
from headcount.evaluation.baseline import Decided
from headcount.evaluation.classifier import ClassifierEvaluation, classifier_table
from headcount.evaluation.confusion import Confusions
from headcount.evaluation.differences import MEANS, Compared, Differences, compared
from headcount.evaluation.facts import DataFacts
from headcount.evaluation.first_answer import FirstAnswer, first_answer
from headcount.evaluation.groups import RaterGroups
from headcount.evaluation.one_person import OnePerson
from headcount.evaluation.part import Unavailable
from headcount.evaluation.readings import Readings
from headcount.evaluation.replacement_result import ReplacementTest
from headcount.evaluation.slices import Slices
from headcount.options import EvaluateOptions
from headcount.plan import PilotPlan, ScorePlan
from headcount.population import PopulationOfItems
from headcount.rank import Ranking
from headcount.results import Estimate, Result, Table, hidden, markdown, record
from headcount.sampling import Plan
from headcount.scores import ScoreAgreement
from headcount.together import Together

PARTS = {
    "agreement": "how much people agree",
    "equivalence": "how many raters a classifier is worth",
    "population": "how good a classifier could be",
    "accuracy": "accuracy against the unknown truth",
    "primary_labels": "what share of people would agree",
    "next_labels": "what to label next",
}
"""The parts that are questions of their own, and what they are about."""
ASKED_FOR = (
    "together",
    "drift",
    "ranking",
    "differences",
    "replacement",
    "groups",
    "slices",
    "confusion",
    "numbers",
    "readings",
    "one_person",
)
"""Parts that are there where the data name what they are about; nobody misses them else."""


@record
class Evaluation(Result):
    """How good some classifiers are when the people they are judged by disagree.

    Each part is the result of its method, or `Unavailable` with the reason (which is false,
    where a result is true).

    Attributes
    ----------
    classifiers : tuple of ClassifierEvaluation
        The main numbers of each, in the order in which they came: `worth`, `agree`,
        `of_ceiling`, `of_ideal`, `accuracy`, `distance`, `bias`. `found["name"]` is one of them,
        and `best_first` ranks them.
    agreement : Agreement
        How much people agree.
    equivalence : SurveyEquivalence
        How many raters a classifier is worth.
    population : PopulationOfItems
        How good a classifier could be.
    accuracy : SystemAccuracy
        Accuracy against the unknown truth.
    primary_labels : PrimaryLabels
        The labels that people hold, their slips set aside.
    scores, levels : Scores, SplitScores
        The classifiers on those labels: over all items, and apart by how much people disagree.
    differences : Differences
        Every pair of classifiers.
    replacement : ReplacementTest
        Whether one may replace a person.
    groups : RaterGroups
        The groups of raters that were named.
    slices : Slices
        The parts of the items that were named.
    confusion : Confusions
        Label by label.
    next_labels : PilotPlan or ScorePlan
        What to label next.
    numbers : ScoreAgreement
        Where labels lie on a scale, how classifiers' numbers compare with people's.
    readings : Readings
        There too, the worth by each way to read the labels.
    one_person : OnePerson
        Where every item has one person's label, the classifiers beside that person.
    together : Together
        The classifier that is worth most beside people: what it adds, and whom one must still ask.
    drift : Drift
        Where a time is known, whether classifiers, items or people changed over it.
    ranking : Ranking
        Where systems are named, which is best, and what classifiers are worth as rankers of them.
    influential : tuple of str
        A line for each rater without whom a verdict would be another.
    data : DataFacts
        What was read.
    decided : Decided
        Which items and ratings these are and what was decided on them: a later result is paired
        with it.
    settings : EvaluateOptions
        What was asked for.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", seed=1, items=60)
    >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    >>> found.best_first()[0].name in found.verdicts()
    True
    """

    classifiers: tuple[ClassifierEvaluation, ...]
    agreement: Agreement | Unavailable
    equivalence: SurveyEquivalence | Unavailable
    population: PopulationOfItems | Unavailable
    accuracy: SystemAccuracy | Unavailable
    primary_labels: PrimaryLabels | Unavailable
    scores: Scores | Unavailable
    levels: SplitScores | Unavailable
    differences: Differences | Unavailable
    replacement: ReplacementTest | Unavailable
    groups: RaterGroups | Unavailable
    slices: Slices | Unavailable
    confusion: Confusions | Unavailable
    next_labels: PilotPlan | ScorePlan | Unavailable
    numbers: ScoreAgreement | Unavailable
    readings: Readings | Unavailable
    one_person: OnePerson | Unavailable
    together: Together | Unavailable
    drift: Drift | Unavailable
    ranking: Ranking | Unavailable
    influential: tuple[str, ...]
    samples: Plan = hidden()
    nearness: Nearness = hidden()
    data: DataFacts
    decided: Decided | None
    settings: EvaluateOptions = hidden()
    version: str = hidden(default=__version__)
    crowd: Crowd | None = hidden(default=None, compare=False)

    rows: ClassVar[str] = "classifiers"
    also = ("about", "settings_told")
    inner = (*also, "decided", "difference", "estimates", "missing", "ranked_equivalence")
    named: ClassVar[Mapping[str, str]] = {"settings_told": "settings"}

    def best_first(self) -> tuple[ClassifierEvaluation, ...]:
        """The classifiers by their worth in raters, then by the share of people who agree."""
        return tuple(sorted(self.classifiers, key=ClassifierEvaluation.rank, reverse=True))

    def first_answer(self) -> FirstAnswer:
        """The first screen: the finding, a line a classifier, and what to do next.

        Returns
        -------
        FirstAnswer
            With `finding`, `about`, `rows`, `another_person`, `ranges` and `next`: what the
            command prints and what the report and the page open with.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=400)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=100)
        >>> found.first_answer().rows[0].name
        'fine_tuned'
        """
        return first_answer(self)

    def ranked_equivalence(self) -> SurveyEquivalence:
        """The power curve with the classifiers best first."""
        if isinstance(self.equivalence, Unavailable):
            raise UnanswerableError(self.equivalence.reason)
        ranked = tuple(self.equivalence[each.name] for each in self.best_first())
        return replace(self.equivalence, classifiers=ranked)

    def compare(self, first: str, second: str) -> Compared:
        """Two classifiers on the same items and raters: differences with their intervals.

        Parameters
        ----------
        first, second : str
            Their names.

        Returns
        -------
        Compared
            `worth`, `agree` and `score`, first less second, and `not_worse(margin)`.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=60)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.compare("fine_tuned", "word_list").agree.value > 0
        True
        """
        self[first], self[second]
        if isinstance(self.differences, Unavailable):
            raise UnanswerableError(self.differences.reason)
        return compared(self.differences, self.equivalence, first, second)

    def difference(self, first: str, second: str, quantity: str) -> Estimate:
        """One quantity of two classifiers, first less second, as requirements ask for it.

        Parameters
        ----------
        first, second : str
            Their names.
        quantity : str
            Such as "agree" or "worth".

        Returns
        -------
        Estimate
            Without a value, and with the reason, where the difference is not known.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=60)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.difference("fine_tuned", "word_list", "agree").value > 0
        True
        """
        if isinstance(self.differences, Unavailable):
            return Estimate.undefined(self.differences.reason)
        if quantity not in MEANS:
            return Estimate.undefined(f"differences in {quantity} are not known")
        return self.differences.of(first, second, quantity).difference

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Each classifier's quantities by name, as requirements ask for them."""
        return {
            each.name: {
                "worth": each.worth,
                "agree": each.agree,
                "ceiling": each.of_ceiling,
                "ideal": each.of_ideal,
                "accuracy": each.accuracy,
                "kappa": self._kappa(each.name),
                "saves": self._saves(each.name),
                **({} if each.distance is None else {"distance": each.distance}),
                **({} if each.bias is None else {"bias": each.bias}),
            }
            for each in self.classifiers
        }

    def _kappa(self, name: str) -> Estimate:
        if isinstance(self.one_person, OnePerson):
            found: Estimate = self.one_person[name].kappa
            return found
        return Estimate.undefined(
            "Cohen's kappa is of one person and the classifier, and items have several people's "
            "labels: ask for agree or worth"
        )

    def _saves(self, name: str) -> Estimate:
        if isinstance(self.together, Unavailable):
            return Estimate.undefined(self.together.reason)
        known = self.together.estimates()
        if name in known:
            return known[name]["saves"]
        return Estimate.undefined(
            f"whom to ask is worked out beside {', '.join(known)}, which is worth most: ask "
            "headcount together for others"
        )

    def verdicts(self) -> dict[str, tuple[str, ...]]:
        """What is to be said of each classifier, best first: worth, share of people, accuracy."""
        return {each.name: each.verdict for each in self.best_first()}

    def unavailable(self) -> dict[str, str]:
        """The parts that there are not, and why; those nobody asked for only where they failed."""
        return {
            name: part.reason
            for name, part in self._parts().items()
            if isinstance(part, Unavailable)
            and (part.failed or not (part.moot or name in ASKED_FOR))
        }

    def missing(self) -> tuple[str, ...]:
        """A sentence for each question that has no answer."""
        return tuple(
            f"There is no answer on {PARTS[name]}: {reason}"
            for name, reason in self.unavailable().items()
            if name in PARTS
        )

    def verdict(self) -> str:
        """A line for each classifier, best first."""
        return "\n".join(" ".join(sentences) for sentences in self.verdicts().values())

    def tables(self) -> tuple[Table, ...]:
        """The classifiers side by side."""
        if isinstance(self.one_person, OnePerson):
            return self.one_person.tables()[:-1]  # where they differ stands in the report
        return (
            classifier_table(
                self.best_first(),
                self.settings.confidence,
                self.samples,
                self.nearness,
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What every part rests on, each sentence once."""
        said = [
            sentence
            for name, part in self._answered().items()
            if name not in ("primary_labels", "levels", "confusion")
            for sentence in part.assumptions()
        ]
        return tuple(dict.fromkeys(said))

    def unchecked(self) -> tuple[str, ...]:
        """What could not be answered, then what was assumed, dropped or left out."""
        remarks = [s for part in self._answered().values() for s in part.unchecked()]
        said = (*self.missing(), *self.influential, *self.data.notes, *remarks)
        return tuple(dict.fromkeys(said))

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.samples.sentence()

    @property
    def settings_told(self) -> dict[str, Any]:
        """What was asked for by name, and the version that answered."""
        return {"version": self.version, **self.settings.to_dict()}

    def to_markdown(self, *, short: bool = False) -> str:
        """The summary as Markdown.

        Parameters
        ----------
        short : bool
            The verdicts and the table alone, short enough for a comment on a change.

        Returns
        -------
        str

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=60)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.to_markdown(short=True).startswith("- ")
        True
        """
        return self._short_markdown() if short else super().to_markdown()

    def report(self, path: str | Path = "report.html") -> Path:
        """Write the report: one self-contained page that asks nothing of the network.

        Parameters
        ----------
        path : str or path
            Where to; an existing file is replaced.

        Returns
        -------
        path
            The file written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=60)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.report(pathlib.Path(tempfile.mkdtemp()) / "report.html").name
        'report.html'
        """
        # Like `chart`, a call upwards: the report knows evaluations, and not the reverse.
        written: Path = importlib.import_module("headcount.report").write(self, path)
        return written

    def _parts(self) -> dict[str, Any]:
        names = (*PARTS, "scores", "levels", *ASKED_FOR)
        return {name: getattr(self, name) for name in names}

    def _answered(self) -> dict[str, Result]:
        return {name: part for name, part in self._parts().items() if isinstance(part, Result)}

    def _short_markdown(self) -> str:
        """The verdicts and the table of classifiers: short enough for a comment on a change."""
        said = [" ".join(sentences) for sentences in self.verdicts().values()]
        # Of one person's labels the verdicts say it already, once for all of these questions.
        missing = () if isinstance(self.one_person, OnePerson) else self.missing()
        lines = [f"- {markdown(sentence)}" for sentence in (*said, *missing)]
        settings = self.settings
        made = (
            f"<sub>headcount {self.version}, {settings.n_bootstrap} bootstrap samples, "
            f"seed {settings.seed}. {markdown(self.data.sentence())}</sub>"
        )
        return "\n\n".join(["\n".join(lines), self.tables()[0].as_markdown(), made])
