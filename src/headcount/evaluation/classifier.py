"""Where each classifier stands: its numbers from every part, side by side, and in words."""

from collections.abc import Sequence
from typing import Literal

from headcount.accuracy import SystemAccuracy
from headcount.agreement.crowd import Crowd
from headcount.data import Classifier, Nearness
from headcount.deconvolution import Scores
from headcount.equivalence import SurveyEquivalence, worth_text
from headcount.evaluation.one_person import OnePerson
from headcount.evaluation.part import Unavailable
from headcount.evaluation.replacement_result import StandsIn, may_stand_in
from headcount.population import PopulationOfItems, share_of
from headcount.results import Cell, Estimate, Record, Table, record
from headcount.sampling import Plan
from headcount.scores import ScoreAgreement, bias_sentence


@record
class ClassifierEvaluation(Record):
    """One classifier's main numbers, each an estimate that says why where it has no value.

    `worth` is in raters, of the calibrated classifier where calibration was asked for;
    `worth_as_it_stands` takes its probabilities at their word (None where that is the same
    thing or means nothing). `agree` is the share of people who would agree with its decisions,
    `of_ceiling` that share of what any classifier could reach, `of_ideal` the share it achieves
    of what the ideal classifier gains over asking nobody, `accuracy` how often it is right: an
    estimate with gold, without gold a span that has no value. `verdict` says it in sentences.

    `ahead` is the share of people who agree with it less the share who agree with another person,
    labels as they were given; by it and the worth `stands_in` says whether the classifier may
    stand in for one person: "yes", "no" or "not shown". `turned_round` is the correlation of its
    answers with people's where these run the other way, None elsewhere.

    On a scale `agree` is the share of people who are near its answers (at most a step apart),
    `distance` how far it is from a person on average, and `bias` how much higher than people it
    answers; both are None where labels are names.
    """

    name: str
    gives: Literal["labels", "probabilities", "numbers"]
    worth: Estimate
    worth_as_it_stands: Estimate | None
    agree: Estimate
    of_ceiling: Estimate
    of_ideal: Estimate
    accuracy: Estimate
    distance: Estimate | None
    bias: Estimate | None
    answered: int
    out_of: int
    unknown: int
    verdict: tuple[str, ...]
    ahead: Estimate
    turned_round: Estimate | None = None

    also = ("stands_in",)

    @property
    def stands_in(self) -> StandsIn:
        """Whether it may stand in for one person, by its worth and by agreement.

        Answers that run the other way may not: their worth is that of someone who turns them round.
        """
        if self.turned_round is not None:
            return "no"
        return may_stand_in(self.worth, self.ahead)

    def rank(self) -> tuple[bool, float, float]:
        """By worth in raters, then by the share of people who agree; the best is highest.

        Those whose answers run the other way come last: as they stand they mislead.
        """
        return self.turned_round is None, _place(self.worth), _place(self.agree)


def evaluated(
    classifier: Classifier,
    equivalence: SurveyEquivalence | Unavailable,
    scores: Scores | Unavailable,
    population: PopulationOfItems | Unavailable,
    accuracy: SystemAccuracy | Unavailable,
    numbers: ScoreAgreement | Unavailable,
    one_person: OnePerson | Unavailable,
    crowd: Crowd,
) -> ClassifierEvaluation:
    """Gather one classifier's numbers from the parts."""
    name = classifier.name
    worth, as_it_stands = _worths(name, equivalence)
    agree = _near(crowd, name) if crowd.nearness.has_order else _agree(scores, name)
    distance = _distance(crowd, name) if crowd.nearness.has_order else None
    bias = None if isinstance(numbers, Unavailable) else numbers[name].bias
    of_ceiling = (
        Estimate.undefined(population.reason)
        if isinstance(population, Unavailable)
        else share_of(
            agree,
            population.ceiling,
            least=population.least_ceiling,
            confidence=population.plan.confidence,
        )
    )
    turned = None if isinstance(equivalence, Unavailable) else equivalence[name].turned_round
    said = (
        (f"{name} has no worth in raters here: {equivalence.reason}",)
        if isinstance(equivalence, Unavailable)
        else equivalence[name].sentences()
    )
    return ClassifierEvaluation(
        name,
        _gives(classifier),
        worth,
        as_it_stands,
        agree,
        of_ceiling,
        Estimate.undefined(equivalence.reason)
        if isinstance(equivalence, Unavailable)
        else equivalence[name].of_ideal,
        (
            Estimate.undefined(accuracy.reason)
            if isinstance(accuracy, Unavailable)
            else accuracy[name].accuracy
        ),
        distance,
        bias,
        classifier.answered,
        classifier.out_of,
        classifier.unknown,
        (
            # One person's labels speak of that person: what people would say is not known.
            *(one_person.sentences(name) if isinstance(one_person, OnePerson) else ()),
            *said,
            *(
                ()
                if isinstance(one_person, OnePerson)
                else _agreement(agree, of_ceiling, crowd.nearness)
            ),
            *_far(distance, crowd, population),
            *(_bias(name, numbers) if turned is None else ()),
            *_accuracy(name, accuracy),
        ),
        crowd.ahead(name),
        turned,
    )


def _gives(classifier: Classifier) -> Literal["labels", "probabilities", "numbers"]:
    if classifier.soft:
        return "probabilities"
    return "labels" if classifier.scores is None else "numbers"


def classifier_table(
    classifiers: Sequence[ClassifierEvaluation],
    confidence: float,
    about: Plan,
    nearness: Nearness,
) -> Table:
    """The classifiers side by side; coverage where one of them has not answered everything."""
    partial = any(each.answered < each.out_of for each in classifiers)
    biased = any(each.bias is not None for each in classifiers)
    last = ("distance", *(("bias",) if biased else ())) if nearness.has_order else ("accuracy",)
    known = any(each.of_ceiling.value is not None for each in classifiers)
    ceiling = ("of ceiling",) if known or not nearness.has_order else ()
    headings = ("classifier", "worth (raters)", nearness.people, *ceiling, *last)
    rows: list[tuple[Cell, ...]] = []
    for each in classifiers:
        row: list[Cell] = [
            each.name,
            worth_text(each.worth, "") if each.worth.known else "–",
            each.agree.share_text(),
        ]
        if ceiling:
            row.append(each.of_ceiling.share_text(digits=0, interval=False))
        if each.distance is None:
            row.append(each.accuracy.share_text())
        else:
            row.append(each.distance.text(2))
        if biased:
            row.append("–" if each.bias is None else each.bias.text(2))
        rows.append((*row, f"{each.answered:,} of {each.out_of:,}") if partial else tuple(row))
    return Table(
        "The classifiers side by side",
        (*headings, "answered") if partial else headings,
        tuple(rows),
        caption=_caption(confidence, about, nearness, ceiling=bool(ceiling)),
        id="classifiers",
    )


def _caption(confidence: float, about: Plan, nearness: Nearness, *, ceiling: bool) -> str:
    said = f"In brackets: {100 * confidence:g} % intervals about {about.sentence()}."
    said = " ".join([said, *about.caution()])
    if ceiling:
        said += (
            f" Of ceiling: {nearness.people}, as a share of the most that any classifier could "
            "reach."
        )
    if nearness.has_order:
        return (
            f"{said} Distance: between the classifier and a person, on average; bias: how much "
            "higher it rates."
        )
    return (
        f"{said} Accuracy: against the unknown truth; a span, all of which is possible, unless the "
        "true answers of some items are given (gold)."
    )


def _worths(
    name: str, equivalence: SurveyEquivalence | Unavailable
) -> tuple[Estimate, Estimate | None]:
    if isinstance(equivalence, Unavailable):
        return Estimate.undefined(equivalence.reason), None
    found = equivalence[name]
    return found.worth, found.as_it_stands


def _agree(scores: Scores | Unavailable, name: str) -> Estimate:
    """The share who would agree, slips set aside."""
    return (
        Estimate.undefined(scores.reason)
        if isinstance(scores, Unavailable)
        else scores[name].adjusted
    )


def _near(crowd: Crowd, name: str) -> Estimate:
    """The share of people near its answers, with everything counted that is a sample."""
    found = crowd.agreeing["agree"].at(crowd.names.index(name))
    return found.estimate(crowd.plan.confidence)


def _distance(crowd: Crowd, name: str) -> Estimate:
    """How far it is from a person on average."""
    found = crowd.distances["judge"].at(crowd.names.index(name))
    return found.estimate(crowd.plan.confidence, scale="positive")


def _far(
    distance: Estimate | None, crowd: Crowd, population: PopulationOfItems | Unavailable
) -> tuple[str, ...]:
    """Its distance beside that of two people, and the least that is possible."""
    if distance is None or distance.value is None:
        return ()
    unit = crowd.nearness.unit
    said = f"It is {distance.text(2)}{unit} from a person on average"
    people = crowd.distances["people"].estimate(crowd.plan.confidence, scale="positive")
    if people.value is not None:
        said += f", where two people are {people.value:.2f} apart"
    nearest = None if isinstance(population, Unavailable) else population.least_distance
    if nearest is not None and nearest.value is not None:
        said += f" and no classifier could come nearer than {nearest.value:.2f}"
    return (f"{said}.",)


def _agreement(agree: Estimate, of_ceiling: Estimate, nearness: Nearness) -> tuple[str, ...]:
    if agree.value is None:
        return ()
    said = f"{agree.whose_text(percent=True)} of people would agree with its decisions"
    if nearness.has_order:
        said = f"{agree.whose_text(percent=True)} of people are {nearness.within} of its answers"
    if of_ceiling.value is None:
        return (f"{said}.",)
    return (f"{said}: {_of_ceiling(of_ceiling)} of what any classifier could reach.",)


def _of_ceiling(share: Estimate) -> str:
    """The share with its interval in whole percents; a classifier is not above its ceiling."""
    value, low, high = share
    assert value is not None
    if low is None or high is None:
        return f"that is {100 * value:.0f} %"
    if round(100 * low) <= 0 and round(100 * high) >= 100:
        return f"that is {100 * value:.0f} %, or any other share,"
    if value >= 1:
        return f"that is all, or at least {100 * low:.0f} %,"
    return f"that is {100 * value:.0f} % ({100 * low:.0f} % to {100 * high:.0f} %)"


def _bias(name: str, numbers: ScoreAgreement | Unavailable) -> tuple[str, ...]:
    return () if isinstance(numbers, Unavailable) else (bias_sentence(numbers, name),)


def _accuracy(name: str, accuracy: SystemAccuracy | Unavailable) -> tuple[str, ...]:
    if isinstance(accuracy, Unavailable) or not accuracy[name].accuracy.has_interval:
        return ()
    whose = "It" if accuracy.gold is not None else "Against the truth nobody has, it"
    return (f"{whose} {accuracy[name].sentence()}.",)


def _place(estimate: Estimate) -> float:
    if estimate.value is not None:
        return estimate.value
    return float("inf") if estimate.state == "above" else float("-inf")
