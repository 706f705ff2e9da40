"""The first screen: what an evaluation finds, a line a classifier, and what to do next.

The terminal, the report and the page show this one object, so they never say two things.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from headcount.data import Nearness, labels_in_words
from headcount.evaluation.contradictions import Contradictions, named
from headcount.evaluation.replacement_result import StandsIn
from headcount.frozen import frozen
from headcount.plan import PilotPlan, ScorePlan
from headcount.results import Estimate, count
from headcount.results.words import about_people, has_limit, number_word, percent, tells
from headcount.sampling import Plan

if TYPE_CHECKING:
    from headcount.evaluation.classifier import ClassifierEvaluation
    from headcount.evaluation.evaluation import Evaluation

_FEW_PEOPLE = range(3, 8)
"""With so many people a range about people at large is wide, and the first screen says so."""
# With 100 items intervals at 95 % held 89 to 92 times of 100, with fewer less often.
_FEW_ITEMS = 100
_IN_A_TITLE = 3
"""Classifiers up to which the finding says the worth of each."""
_ONE_LABEL_EACH = (
    "Whether that is good, one label an item cannot show: it takes a second person on some of the "
    "same items."
)
_PEOPLE_NAMED = 3
_TURN = "Turn its answers round, or mend how they were read."
_ANY = "any share is possible"
"""What is said for a range from 0 to 100 %, which says nothing."""

Advice = Literal[
    "use", "use with people", "fallback", "not alone", "not instead", "choose", "turn", ""
]


@frozen
class AnswerRow:
    """One classifier on the first screen.

    `agrees` is how often it agrees with a person, by labels as they were given; `advice` what to
    do with it, `because` why in half a sentence. `against_everyone` counts the items on which
    everyone says the same and it does not.
    """

    name: str
    worth: Estimate
    agrees: Estimate
    stands_in: StandsIn
    advice: str
    because: str
    against_everyone: int | None


@frozen
class SayingSoToo:
    """Of the items to which the one person gave a label, the share that a classifier did too."""

    label: str
    share: float
    items: int


@frozen
class FirstAnswer:
    """What the first screen shows.

    `finding` is what a manager repeats, `caveat` what it cannot mean, `about` the data in a
    sentence, `rows` the classifiers, best first, of which `chosen` is known to be the best.
    `another_person` is how often two people agree, `agreeing` what agreement is ("agrees with a
    person") and `two_people` what two people do who agree ("agree with each other"). `ranges` says
    what the ranges allow for, `next` what to do, the most important first. `person` names the only
    person there is; `too` then has what a single classifier says where that person says each label.
    """

    question: str
    finding: str
    about: str
    rows: tuple[AnswerRow, ...]
    another_person: Estimate
    agreeing: str
    two_people: str
    ranges: tuple[str, ...]
    next: tuple[str, ...]
    caveat: str = ""
    chosen: str | None = None
    person: str | None = None
    too: tuple[SayingSoToo, ...] = ()

    @property
    def compares_people(self) -> bool:
        """Whether any item has the labels of two people."""
        return self.another_person.value is not None


def first_answer(found: "Evaluation") -> FirstAnswer:
    """The first screen of an evaluation."""
    order = found.best_first()
    crowd = found.crowd
    against = None if crowd is None else Contradictions(crowd)
    another = _another_person(found)
    rows = tuple(_row(found, each, order, against, another) for each in order)
    person = _only_person(found)
    return FirstAnswer(
        question=_question(found),
        finding=_finding(found, rows, another, person),
        about=_about(found),
        rows=rows,
        another_person=another,
        agreeing=agreeing(found.nearness, person),
        two_people=two_people(found.nearness),
        ranges=_ranges(found, rows, person),
        next=_next(found, rows, against, another),
        caveat="" if another.value is not None else _ONE_LABEL_EACH,
        chosen=_chosen(found),
        person=person,
        too=_too(found),
    )


def agreeing(nearness: Nearness, person: str | None = None) -> str:
    """What agreement is counted: "agrees with a person", "within 1 of a person"."""
    whom = person or "a person"
    if not nearness.has_order:
        return f"agrees with {whom}"
    if nearness.kind == "ordered" and not nearness.unit:
        return f"within a step of {whom}"
    return f"within {nearness.tolerance:g} of {whom}"


def two_people(nearness: Nearness) -> str:
    """What two people do who agree: "agree with each other", "are within 1 of each other"."""
    if not nearness.has_order:
        return "agree with each other"
    return f"are {agreeing(nearness, 'each other')}"


def against_people(nearness: Nearness, whom: Literal["everyone", "most people"]) -> str:
    """What a classifier does that agrees with none of them: "contradicts everyone"."""
    if not nearness.has_order:
        return f"contradicts {whom}"
    what = f"what {whom} {'says' if whom == 'everyone' else 'say'}"
    return f"is not {agreeing(nearness, what)}"


def _question(found: "Evaluation") -> str:
    names = [each.name for each in found.classifiers]
    if len(names) == 1:
        return f"How good is {names[0]}, when people disagree?"
    return f"How good are these {number_word(len(names))} classifiers, when people disagree?"


def _another_person(found: "Evaluation") -> Estimate:
    """How often two people agree with each other, by labels as they were given."""
    if found.crowd is not None:
        return found.crowd.another_person
    near = found.numbers.people.near if found.numbers else None
    return near or Estimate.undefined("ratings were not looked at one by one")


def _agrees(found: "Evaluation", each: "ClassifierEvaluation") -> Estimate:
    return each.agree if found.crowd is None else found.crowd.with_a_person(each.name)


def _only_person(found: "Evaluation") -> str | None:
    """The name of the one person, where all labels are theirs."""
    return found.one_person.person if found.one_person else None


# --- the rows ---------------------------------------------------------------------------------


def _row(
    found: "Evaluation",
    each: "ClassifierEvaluation",
    order: Sequence["ClassifierEvaluation"],
    against: Contradictions | None,
    another: Estimate,
) -> AnswerRow:
    alone = None
    if against is not None and another.value is not None:
        place = against.crowd.names.index(each.name)
        alone = against.items(against.of_everyone[:, place])
    kind = _kind(found, each, order, another)
    advice, because = _advice(found, kind, order, alone)
    return AnswerRow(
        each.name, each.worth, _agrees(found, each), each.stands_in, advice, because, alone
    )


def _kind(
    found: "Evaluation",
    each: "ClassifierEvaluation",
    order: Sequence["ClassifierEvaluation"],
    another: Estimate,
) -> Advice:
    """What to do with a classifier: the first of these that holds."""
    if each.turned_round is not None:
        return "turn"
    if another.value is None:
        return ""
    if each.stands_in == "no":
        return "not instead"
    chosen = len(order) == 1 or (each is order[0] and _chosen(found) == each.name)
    if chosen:
        return "use" if each.stands_in == "yes" else "use with people"
    if each.stands_in == "yes":
        return "choose" if _chosen(found) is None else "fallback"
    return "not alone"


def _advice(
    found: "Evaluation",
    kind: Advice,
    order: Sequence["ClassifierEvaluation"],
    alone: int | None,
) -> tuple[str, str]:
    read = ""
    if alone:
        read = (
            f"It {against_people(found.nearness, 'everyone')} on {count(alone, 'item', 'items')}."
        )
    match kind:
        case "use":
            more = "More labels would not change the choice." if len(order) > 1 else ""
            return "Use this one.", more
        case "use with people":
            one = "Use this one, with people." if len(order) > 1 else "Do not use it alone."
            return one, read
        case "fallback":
            return "Keep it as a fallback.", f"{_chosen(found)} is better, by more than chance."
        case "choose":
            return "It can be used.", "Whether it is the best is not shown."
        case "not alone":
            return "Do not use it alone.", read
        case "turn":
            return _TURN, ""
        case "not instead":
            return "Do not put it in the place of a person.", read
        case _:
            return "", ""


def _chosen(found: "Evaluation") -> str | None:
    """The classifier that is best with a chance above the aim, by worth and by agreement alike."""
    plan, best = found.next_labels, found.best_first()[0].name
    if not plan or plan.leader != best or _chance_of_leader(plan) < _aim(plan):
        return None
    return best


def _chance(probability: float) -> str:
    """A chance in whole per cent, never rounded to certainty."""
    return "more than 99 %" if probability > 0.99 else percent(probability, 0)


def _aim(plan: PilotPlan | ScorePlan) -> float:
    return plan.aim.target if isinstance(plan, PilotPlan) else plan.target


def _chance_of_leader(plan: PilotPlan | ScorePlan) -> float:
    return next(each.best for each in plan.classifiers if each.name == plan.leader)


# --- the finding ------------------------------------------------------------------------------


def _finding(
    found: "Evaluation", rows: Sequence[AnswerRow], another: Estimate, person: str | None
) -> str:
    turned = [row.name for row in rows if found[row.name].turned_round is not None]
    if turned:
        # As they stand such answers mislead: what they are worth turned round is no finding.
        whose = f"{turned[0]}'s answers" if len(turned) == 1 else f"The answers of {listed(turned)}"
        rest = [row for row in rows if row.name not in turned]
        others = f"{_finding(found, rest, another, person)} " if rest else ""
        return f"{others}{whose} run the other way."
    if another.value is None:
        return _without_second_labels(found, rows, person)
    worths = {row.name: about_people(row.worth) for row in rows}
    weak = [name for name, said in worths.items() if said == "less than one person"]
    if len(weak) == len(rows) > 1:
        none = "Neither of the two classifiers" if len(rows) == 2 else _none_of(len(rows))
        return f"{none} is worth one person."
    known = {name: said for name, said in worths.items() if said}
    if not known:
        return _cannot_tell(rows)
    if len(rows) <= _IN_A_TITLE:
        return _of_each(rows, known)
    return _of_the_first(rows, worths, chosen=_chosen(found) is not None)


def _none_of(n: int) -> str:
    return f"None of the {number_word(n)} classifiers"


def _cannot_tell(rows: Sequence[AnswerRow]) -> str:
    """No worth is known on either side of one person."""
    best = rows[0]
    if not best.worth.known:
        return f"What {best.name} is worth in people, these data cannot tell."
    which = best.name if len(rows) == 1 else f"{best.name}, first of {number_word(len(rows))},"
    return f"Whether {which} is worth one person, these data cannot tell."


def _of_each(rows: Sequence[AnswerRow], known: dict[str, str]) -> str:
    """As "fine_tuned is worth about four people, llm_judge two, word_list one"."""
    unknown = [row.name for row in rows if row.name not in known]
    ends = {row.name: row.worth.low or row.worth.ceiling or 0.0 for row in rows}
    open_ended = [name for name, said in known.items() if said.startswith("at least")]
    if len(open_ended) > 1:
        # Which of them is worth more is not known, so no order is suggested.
        least = known[min(open_ended, key=lambda name: ends[name])]
        known = {name: said for name, said in known.items() if name not in open_ended}
        known = {listed(open_ended): least} | known
    (first, said), *others = known.items()
    are = "are each" if len(open_ended) > 1 else "is"
    parts = [f"{first} {are} worth {said}"]
    for name, worth in others:
        same_kind = worth.startswith("about") and said.startswith("about")
        short = worth.removeprefix("about ") if same_kind else worth
        parts.append(f"{name} {short.removesuffix(' people').removesuffix(' person')}")
    sentence = ", ".join(parts)
    if unknown:
        sentence += f"; of {listed(unknown)} these data cannot tell whether it is worth one"
    return f"{sentence}."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "one, two and three"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _of_the_first(rows: Sequence[AnswerRow], worths: dict[str, str], *, chosen: bool) -> str:
    """The first of many: the best of them only where it is known to be."""
    best, n = rows[0], number_word(len(rows))
    which = f"{best.name}, the best of {n} classifiers, is"
    if not chosen:
        which = f"{best.name} leads {n} classifiers and is"
    said = worths[best.name]
    if not said:
        return _cannot_tell(rows)
    able = sum(row.stands_in == "yes" for row in rows)
    if said == "less than one person":
        return f"{which} worth less than one person."
    how_many = "none of them" if not able else "all of them" if able == len(rows) else None
    how_many = how_many or f"{number_word(able)} of them"
    shown = "is shown to stand" if not able else "could stand"
    return f"{which} worth {said}; {how_many} {shown} in for a person."


def _without_second_labels(
    found: "Evaluation", rows: Sequence[AnswerRow], person: str | None
) -> str:
    best = max(rows, key=lambda row: row.agrees.value or 0.0)
    share = best.agrees.value
    if share is None:
        return f"How often {best.name} agrees with a person, these data cannot tell."
    n = found.data.items_judged
    whose = f"{person}'s label" if person else "a person's label"
    gives = "gives" if not found.nearness.has_order else f"is {_near(found.nearness)}"
    of = "" if len(rows) == 1 else f", most of the {number_word(len(rows))}"
    return (
        f"{best.name} {gives} {whose} on {round(share * n):,} of {count(n, 'item', 'items')}{of}."
    )


def _near(nearness: Nearness) -> str:
    return agreeing(nearness, "").removesuffix(" ")


# --- the data, and what ranges allow for ------------------------------------------------------


def _about(found: "Evaluation") -> str:
    """As "60 people gave 19,637 labels (fine, toxic) on 2,000 items"."""
    data, plan = found.data, found.samples
    who = _who(found)
    labels = labels_in_words(data.labels, in_order=found.nearness.has_order)
    said = (
        f"{who} gave {count(data.ratings, 'label', 'labels')} ({labels}) on "
        f"{count(data.items, 'item', 'items')}"
    )
    if plan.clusters is not None:
        said += f" from {plan.clusters:,} {plan.units_named}"
    if data.items_judged < data.items:
        said += f"; {data.items_judged:,} of them have an answer from every classifier"
    return " ".join([f"{said}.", *found.collected])


def _who(found: "Evaluation") -> str:
    """Who gave the labels: few people by their names, many by their number."""
    raters = found.data.raters
    if raters is None:
        return "People without names"
    named_people = None if found.crowd is None else found.crowd.study.named
    if raters > _PEOPLE_NAMED or named_people is None or named_people.n_raters != raters:
        return count(raters, "person", "people")
    return listed([str(name) for name in named_people.raters])


def _ranges(found: "Evaluation", rows: Sequence[AnswerRow], person: str | None) -> tuple[str, ...]:
    """What the ranges in brackets allow for, and what they cannot."""
    settings, plan = found.settings, found.samples
    if not settings.n_bootstrap and found.crowd is not None:
        return ("No ranges were asked for, so nothing here says how sure it is.",)
    said = [
        f"In brackets: what these data allow for {_whom(plan, person)} "
        f"({100 * settings.confidence:g} %)."
    ]
    few, best = plan.raters, max(rows, key=lambda row: row.agrees.value or 0.0)
    if (
        few is not None
        and few in _FEW_PEOPLE
        and best.agrees.low is not None
        and best.agrees.high is not None
    ):
        range_ = share_range(best.agrees)
        some = "any agreement" if range_ == _ANY else f"agreement of {range_}"
        mine = replace(best.agrees, low=best.agrees.these_low, high=best.agrees.these_high)
        yours = (
            "" if mine.low is None else f"; {share_range(mine)} of your {number_word(few)} alone"
        )
        said.append(
            f"{number_word(few).capitalize()} people say little about people at large: {some} with "
            f"{best.name} is possible{yours}."
        )
    if plan.units < _FEW_ITEMS:
        said.append(
            f"Only {count(plan.units, plan.unit_named, plan.units_named)}: take ranges from so few "
            "as rough, and rather too narrow."
        )
    turned = [row.name for row in rows if row.advice == _TURN and tells(row.worth)]
    if turned:
        said.append(f"Worth of {listed(turned)}: once the answers are turned round.")
    told = [row.worth for row in rows if tells(row.worth) and row.worth.has_interval]
    if not all(map(has_limit, told)):
        said.append(
            "“At least”: these data set no upper limit; more labels on the same items would set "
            "one."
        )
    return tuple(said)


def _whom(plan: Plan, person: str | None) -> str:
    units = plan.units_named
    if plan.counts_raters or plan.raters is None:
        return f"other {units} and people like these"
    return f"other {units} like these, labelled by {person or plan.judges}"


def share_range(share: Estimate) -> str:
    """A share's range, as "63 to 76 %"; "–" where there is no interval.

    >>> share_range(Estimate(0.7, 0.634, 0.762))
    '63 to 76 %'
    """
    if share.low is None or share.high is None:
        return "–"
    said = f"{percent(share.low, 0).removesuffix(' %')} to {percent(share.high, 0)}"
    return _ANY if said == "0 to 100 %" else said


# --- what to do next --------------------------------------------------------------------------


def _next(
    found: "Evaluation",
    rows: Sequence[AnswerRow],
    against: Contradictions | None,
    another: Estimate,
) -> tuple[str, ...]:
    straight = [row for row in rows if row.advice != _TURN]
    said = [*_choice(found, rows)]
    if straight:
        said += _errors(found, straight, against)
    said += [*_worrying(found, rows), *_second_choice(straight, found.nearness)]
    if len(straight) < len(rows) and straight:
        turned = listed([row.name for row in rows if row.advice == _TURN])
        said.append(_TURN.replace("its answers", f"the answers of {turned}"))
    if found.drift:  # what it was is not what it is
        said[:0] = [each.sentence() for each in found.drift.judges if each.changed != "nothing"]
    if another.value is None:
        said = [*_second_person(found), *_errors(found, rows, against)]
    return tuple(dict.fromkeys(said))


def _choice(found: "Evaluation", rows: Sequence[AnswerRow]) -> list[str]:
    """Which one to use, and whether it is known to be the best."""
    best, chosen = rows[0], _chosen(found)
    weak = all(row.stands_in == "no" for row in rows)
    if len(rows) == 1:
        return [_use_single(best)]
    if best.advice == _TURN:
        return [_TURN.replace("its", "their")]
    if weak:
        them = "either" if len(rows) == 2 else "any"
        ahead = f" {best.name} knows most." if chosen else ""
        said = [f"Do not put {them} of them in the place of a person.{ahead}"]
        return said if chosen else [*said, *_unknown_best(found)]
    if chosen is None:
        return _unknown_best(found)
    if best.stands_in == "yes":
        return [f"Use {best.name}. More labels would not change the choice."]
    if best.stands_in == "no":
        return [f"Do not put {best.name} in the place of a person."]
    return [
        f"Use {best.name}, but together with people: that it could stand in for one is not shown."
    ]


def _use_single(best: AnswerRow) -> str:
    if best.advice == _TURN:
        return _TURN
    if best.stands_in == "yes":
        return f"{best.name} can be asked in the place of one person."
    if best.stands_in == "no":
        return f"Do not put {best.name} in the place of a person."
    return f"Do not use {best.name} alone: that it could stand in for one person is not shown."


def _unknown_best(found: "Evaluation") -> list[str]:
    plan = found.next_labels
    if not plan:
        return []
    best, leader, known = found.best_first()[0].name, plan.leader, _chance_of_leader(plan)
    nearest = "is nearest to people" if found.nearness.has_order else "agrees most with people"
    if known >= _aim(plan) and leader != best:
        return [f"Which to use depends on what for: {leader} {nearest}, {best} is worth most."]
    said = (
        f"These labels cannot name the best: {leader} {nearest}, with a chance of {_chance(known)}."
    )
    if isinstance(plan, PilotPlan) and plan.labels_for_target:
        said += f" {plan.labels_for_target:,} more labels, where they differ, would settle it."
    return [said]


def _errors(
    found: "Evaluation", rows: Sequence[AnswerRow], against: Contradictions | None
) -> list[str]:
    """What the best one gets wrong most, and which items to read."""
    best = rows[0]
    if found.nearness.has_order:
        return _biased(found, rows)
    if against is None:
        return []
    wrong = against.commonest_error(against.crowd.names.index(best.name))
    said = []
    if best.against_everyone and best.stands_in != "yes":
        n = count(best.against_everyone, "item", "items")
        said.append(f"Read the {n} where everyone says the same and {best.name} does not.")
    if wrong is not None:
        said.insert(0 if best.stands_in == "yes" else len(said), f"{best.name} {wrong}.")
    return said


def _biased(found: "Evaluation", rows: Sequence[AnswerRow]) -> list[str]:
    """Who gives higher or lower labels than people, beyond chance."""
    lower: list[tuple[str, float]] = []
    higher: list[tuple[str, float]] = []
    for row in rows:
        bias = found[row.name].bias
        if bias is None or bias.value is None or bias.low is None or bias.high is None:
            continue
        if bias.high < 0:
            lower.append((row.name, -bias.value))
        elif bias.low > 0:
            higher.append((row.name, bias.value))
    sides = ((lower, "lower"), (higher, "higher"))
    told = [_leaning(side, how, len(rows)) for side, how in sides if side]
    if not told:
        return []
    return [f"{told[0]} than people{''.join(f'; {each}' for each in told[1:])}."]


def _leaning(side: list[tuple[str, float]], how: str, among: int) -> str:
    sizes = sorted(size for _, size in side)
    by = f"{sizes[0]:.1f}"
    if len(side) > 1 and f"{sizes[-1]:.1f}" != by:
        by += f" to {sizes[-1]:.1f}"
    who, give = side[0][0], "gives"
    if len(side) > 1:
        who, give = f"{number_word(len(side)).capitalize()} of {number_word(among)}", "give"
        if len(side) == among:
            who = "Both" if among == 2 else f"All {number_word(among)}"
    return f"{who} {give} labels {by} {how}"


def _worrying(found: "Evaluation", rows: Sequence[AnswerRow]) -> list[str]:
    """The part of the items, and the group of people, that should worry most."""
    said = []
    names = [row.name for row in rows]
    if found.slices:
        worse = [
            each for each in found.slices.slices if each.claimed and (each.lead.value or 0) < 0
        ]
        worse.sort(key=lambda each: (names.index(each.name), each.lead.value or 0.0))
        if worse:
            said.append(worse[0].sentence())
        else:
            said.append(found.slices.verdict())
    if found.groups:
        claimed = [each for each in found.groups.differences if each.claimed]
        claimed.sort(key=lambda each: names.index(each.name))
        if claimed:
            said.append(claimed[0].sentence())
    return said


def _second_choice(rows: Sequence[AnswerRow], nearness: Nearness) -> list[str]:
    """The others: whom not to use alone."""
    others = [row for row in rows[1:] if row.stands_in != "yes"]
    if not others or rows[0].stands_in == "no":
        return []
    alone = [row for row in others if row.against_everyone]
    if len(others) > 1 or not alone:
        if len(others) > _IN_A_TITLE:
            return [f"Do not use the other {number_word(len(others))} alone."]
        return [f"Do not use {listed([row.name for row in others])} alone."]
    worst = alone[0]
    n = count(worst.against_everyone or 0, "item", "items")
    return [f"Do not use {worst.name} alone: it {against_people(nearness, 'everyone')} on {n}."]


def _second_person(found: "Evaluation") -> list[str]:
    """How many labels of a second person would say more, and what they would say."""
    enough = found.one_person.classifiers[0].enough if found.one_person else None
    if enough is None:
        return ["Have a second person label these items: then worth in people is known too."]
    return [
        f"Have a second person label {enough:,} of these items, drawn at random: that tells how "
        "often two people agree to within 10 points, and worth in people."
    ]


def _too(found: "Evaluation") -> tuple[SayingSoToo, ...]:
    """Label by label, what a single classifier says where the only person says so."""
    if len(found.classifiers) != 1 or not found.one_person:
        return ()
    return tuple(
        SayingSoToo(each.label, each.recall.value, round(each.people * found.data.items_judged))
        for each in found.one_person.classifiers[0].by_label
        if each.recall.value is not None
    )


__all__ = ["AnswerRow", "FirstAnswer", "SayingSoToo", "first_answer", "named", "share_range"]
