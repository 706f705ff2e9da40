"""The open parts of a report: each a finding with one chart and one table, the rest folded."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from markupsafe import Markup

from headcount.evaluation import ClassifierEvaluation, Evaluation
from headcount.evaluation.contradictions import Contradictions, named
from headcount.evaluation.first_answer import FirstAnswer, against_people, agreeing, listed
from headcount.frozen import frozen
from headcount.plan import PilotPlan
from headcount.report.drawing import (
    DotRow,
    Meeting,
    Way,
    bar_rows,
    colour,
    dot_rows,
    people_curve,
    person_row,
    ways_to_ask,
    worth_axis,
    worth_row,
    worth_ticks,
)
from headcount.report.items import browser
from headcount.report.page import Drawing, Finding, Section
from headcount.results import Cell, Estimate, Table, count
from headcount.results.words import has_limit, least, number_word, percent
from headcount.together import (
    ALIKE,
    IN_TURN,
    PEOPLE,
    POLICY,
    THRESHOLD,
    Policy,
    TeamMember,
    policy_title,
    who_is_asked,
)

_CURVE_PAST = 1.3
"""How far the curve is drawn behind the last classifier."""
_MOST_BARS = 6
_MOST_LABELS = 4
"""Labels up to which each has a column of its own."""
_MOST_PAIRS = 6
FOLDS = {
    "worth": ("worth", "possible", "differences"),
    "agree": ("people", "replacing", "agreeing", "numbers"),
    "fails": ("one-person", "confusion", "groups", "slices", "drift", "disagreement"),
    "together": ("together",),
    "truth": ("truth",),
    "next": ("next",),
}
"""The sections that are folded under a finding; all others stand under "How this was made"."""


@frozen
class Told:
    """What every finding is made from: the evaluation, its first screen, classifiers' colours."""

    found: Evaluation
    answer: FirstAnswer
    colours: Mapping[str, str]


def colours_of(found: Evaluation) -> dict[str, str]:
    """The class of each classifier's colour, best first."""
    return {each.name: colour(place) for place, each in enumerate(found.best_first())}


def drawing_of(answer: FirstAnswer, colours: Mapping[str, str]) -> Drawing | None:
    """The worths of the first screen; none where none is known."""
    if not any(row.worth.known for row in answer.rows):
        return None
    axis = worth_axis([row.worth for row in answer.rows])
    # Past six classifiers rows are lower, so that all of them stay on one screen.
    height = 62 if len(answer.rows) <= _MOST_BARS else 46
    return Drawing(
        worth_ticks(axis),
        tuple(
            worth_row(row.name, row.worth, axis, colours[row.name], height) for row in answer.rows
        ),
        person_row(axis),
    )


def findings_of(
    found: Evaluation, answer: FirstAnswer, sections: Mapping[str, Section]
) -> tuple[Finding, ...]:
    """The open parts, in reading order; one without anything to say is left out."""
    told = Told(found, answer, colours_of(found))
    makers: tuple[Callable[[Told], Finding | None], ...] = (
        _worth,
        _agree,
        _fails,
        _together,
        _truth,
        _next,
    )
    made = (make(told) for make in makers)
    return tuple(_with_folds(each, sections) for each in made if each is not None)


def _with_folds(finding: Finding, sections: Mapping[str, Section]) -> Finding:
    folded = tuple(sections[name] for name in FOLDS[finding.name] if name in sections)
    return replace(finding, folded=folded)


# --- worth ------------------------------------------------------------------------------------


def _worth(told: Told) -> Finding | None:
    """The people's curve, and where each classifier meets it."""
    found, answer, colours = told.found, told.answer, told.colours
    if not found.equivalence or not answer.compares_people:
        return None
    best = found.best_first()[0]
    curve = found.equivalence.curve
    nobody, ideal = curve.score(0).value, curve.ideal.value
    chart = None
    if nobody is not None and ideal is not None and ideal > nobody:
        chart = _curve(found, nobody, ideal, colours)
    return Finding(
        "worth",
        _predicts(best),
        lead=(
            "Ask more people about an item, and you can better predict what the next person says; "
            "each adds less than the one before. A classifier is worth the number of people at "
            "which its line meets the curve.",
        ),
        above="How well the next person’s label is predicted",
        chart=chart,
        below="people asked about an item",
        table=_worth_differences(found),
        note=_worth_note(found),
    )


def _curve(found: Evaluation, nobody: float, ideal: float, colours: Mapping[str, str]) -> Markup:
    assert found.equivalence
    curve = found.equivalence.curve
    meetings = []
    for each in found.best_first():
        placed = found.equivalence[each.name]
        worth = each.worth.value
        if worth is None:
            worth = float(curve.most) if each.worth.state == "above" else 0.0
        if placed.score.value is not None:
            share = (placed.score.value - nobody) / (ideal - nobody)
            meetings.append(Meeting(each.name, colours[each.name], max(share, -0.25), worth))
    meetings = meetings[:_MOST_BARS]
    furthest = max((each.worth for each in meetings), default=0.0)
    upto = max(2.0, math.ceil(furthest * _CURVE_PAST), min(curve.most, 8.0))
    points = [
        (point.raters, (point.score.value - nobody) / (ideal - nobody), point.modelled)
        for point in curve.all_points
        if point.score.value is not None and point.raters <= upto
    ]
    meetings = [
        Meeting(each.name, each.kind, each.predicted, min(each.worth, points[-1][0]))
        for each in meetings
    ]
    told = (
        f"How well the next label is predicted after asking 0 to {points[-1][0]} people; each "
        "classifier is a level line that meets the curve at its worth"
    )
    return people_curve(points, meetings, told)


def _predicts(best: ClassifierEvaluation) -> str:
    """What holds of the best one's worth all along its range."""
    worth, name = best.worth, best.name
    high = worth.high if has_limit(worth) else None
    low = least(worth)
    if (worth.state == "below" and has_limit(worth)) or (high is not None and high < 1):
        return f"{name} predicts a person’s label less well than one other person does"
    if low is None or (low <= 1 and high is None):
        return (
            f"Whether {name} predicts a person’s label better than one other person does, these "
            "data cannot tell"
        )
    fewer = math.ceil(low) - 1
    more = None if high is None else math.floor(high) + 1
    if fewer < 1:
        return (
            f"{name} predicts a person’s label about as well as one other person, not as well as "
            f"{number_word(more or 2)}"
        )
    together = "one other person" if fewer == 1 else f"{number_word(fewer)} people together"
    said = f"{name} predicts a person’s label better than {together}"
    return said if more is None else f"{said}, but not as well as {number_word(more)}"


def _worth_differences(found: Evaluation) -> Table | None:
    """Neighbours by worth, and the best and the last: how far they are apart."""
    if not found.differences:
        return None
    names = [each.name for each in found.best_first()]
    pairs = [(names[0], names[j]) for j in range(1, len(names))]
    pairs += list(pairwise(names[1:]))
    rows: list[tuple[Cell, ...]] = []
    for first, second in pairs[:_MOST_PAIRS]:
        apart = found.compare(first, second).worth
        if apart.value is None:
            continue
        ends = "–"
        if apart.low is not None and apart.high is not None:
            ends = f"{_signed(apart.low)} to {_signed(apart.high)}"
        rows.append((f"{first} over {second}", f"{_signed(apart.value)}", ends))
    if not rows:
        return None
    headings = ("Difference in worth", "people", "range")
    return Table("How far apart they are", headings, tuple(rows), id="apart")


def _signed(number: float) -> str:
    return f"{round(number, 1) + 0.0:.1f}".replace("-", "−")


def _worth_note(found: Evaluation) -> str:
    if not found.differences:
        return ""
    pairs = [each for each in found.differences.pairs if each.quantity == "worth"]
    claimed = sum(each.claimed for each in pairs)
    if not pairs:
        return ""
    if claimed == len(pairs):
        return "More than chance." if claimed == 1 else "All of them are more than chance."
    if not claimed:
        return "It may be chance." if len(pairs) == 1 else "All of them may be chance."
    return f"{claimed} of {len(pairs)} differences in worth are more than chance."


# --- agreement --------------------------------------------------------------------------------


def _agree(told: Told) -> Finding | None:
    """Agreement with a person beside that of another person."""
    found, answer, colours = told.found, told.answer, told.colours
    order = [each for each in found.best_first() if each.ahead.value is not None]
    if not order:
        return None
    rows = [
        DotRow(each.name, colours[each.name], _points(each.ahead), _plus(float(each.ahead)))
        for each in order
    ]
    return Finding(
        "agree",
        _ahead_title(order, found),
        lead=(
            "People differ, so no classifier can agree with everyone: beside each stands what "
            "another person reaches on the same items.",
        ),
        above=f"How often each {_verb(answer.agreeing)}, beside another person",
        chart=dot_rows(
            rows,
            [(0.0, "another person")],
            "How much more often than another person each classifier agrees with a person, in "
            "percentage points",
        ),
        below="percentage points more often than another person",
        table=_agree_table(found, order),
        note=f"Two people {answer.two_people} {_per_cent(answer.another_person)} of the time.",
    )


def _verb(agreeing: str) -> str:
    """As a verb: "agrees with a person", "is within 1 of a person"."""
    return agreeing if agreeing.startswith("agrees") else f"is {agreeing}"


def _points(share: Estimate) -> Estimate:
    return Estimate(
        None if share.value is None else 100 * share.value,
        None if share.low is None else 100 * share.low,
        None if share.high is None else 100 * share.high,
        note=share.note,
    )


def _plus(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−")


def _ahead_title(order: Sequence[ClassifierEvaluation], found: Evaluation) -> str:
    ahead = [each.name for each in order if each.ahead.low is not None and each.ahead.low > 0]
    behind = [each.name for each in order if each.ahead.high is not None and each.ahead.high < 0]
    agree = "agree with a person"
    two = "people agree with each other"
    if found.nearness.has_order:
        agree = "are " + agreeing(found.nearness)
        two = "two people are of each other"
    single = agree.replace("agree ", "agrees ", 1).replace("are ", "is ", 1)
    if ahead:
        verb = single if len(ahead) == 1 else agree
        said = f"{_few(ahead)} {verb} more often than {two}"
        return f"{said}; {_few(behind)} less often" if behind else said
    if len(behind) == len(order):
        if len(order) == 1:
            return f"{order[0].name} {single} less often than {two}"
        return f"No classifier {single} as often as {two}"
    if behind:
        verb = single if len(behind) == 1 else agree
        return f"{_few(behind)} {verb} less often than {two}; of the others it is not shown"
    return f"That {order[0].name} {single} more or less often than another person is not shown"


def _few(names: Sequence[str]) -> str:
    if len(names) > _MOST_LABELS:
        return f"{number_word(len(names)).capitalize()} classifiers"
    return listed(names)


def _agree_table(found: Evaluation, order: Sequence[ClassifierEvaluation]) -> Table | None:
    people = (
        {each.name: each for each in found.replacement.classifiers} if found.replacement else {}
    )
    ceiling = any(each.of_ceiling.value is not None for each in order)
    headings = ["Classifier"]
    if ceiling:
        headings.append("of the best possible")
    if people:
        among = next(iter(people.values())).raters
        headings.append(f"ahead of so many of {among:,} people")
    if len(headings) == 1:
        return None
    rows: list[tuple[Cell, ...]] = []
    for each in order:
        row: list[Cell] = [each.name]
        if ceiling:
            share = each.of_ceiling.value
            row.append("–" if share is None else percent(min(share, 1.0), 0))
        if people:
            row.append(people[each.name].better_than)
        rows.append(tuple(row))
    return Table("Beside people", tuple(headings), tuple(rows), id="beside")


def _per_cent(share: Estimate) -> str:
    return "–" if share.value is None else percent(share.value, 0)


# --- where it fails ---------------------------------------------------------------------------


def _fails(told: Told) -> Finding | None:
    """Whom each contradicts, and the items to read."""
    found, answer, colours = told.found, told.answer, told.colours
    if found.crowd is None:
        return None
    against = Contradictions(found.crowd)
    order = [each.name for each in found.best_first()]
    items = browser(found, order)
    bars = _bars(found, against, order, colours)
    title = _fails_title(found, answer, against, order)
    if items is None and not bars and not title:
        return None
    chart, above, below = None, "", ""
    if bars:
        against_most = against_people(found.nearness, "most people")
        chart = bar_rows(bars, f"Items on which each classifier {against_most}")
        above, below = f"Items where it {against_most}", "full colour: everyone says the same"
    elif _sided(found):
        chart, above = _bias(found, colours), "How much higher or lower than people"
    return Finding(
        "fails",
        title or f"Where {order[0]} and people differ",
        above=above,
        chart=chart,
        below=below,
        table=_fails_table(found, against, order),
        note=_united(against),
        items=items,
    )


def _united(against: Contradictions) -> str:
    n = against.items(against.united)
    return f"All people say the same on {count(n, 'item', 'items')}; counts are items." if n else ""


def _fails_title(
    found: Evaluation, answer: FirstAnswer, against: Contradictions, order: Sequence[str]
) -> str:
    """What should worry most: a part of the items, else the commonest error."""
    if found.slices:
        claimed = [e for e in found.slices.slices if e.claimed and (e.lead.value or 0) < 0]
        claimed.sort(key=lambda each: (order.index(each.name), each.lead.value or 0.0))
        if claimed:
            return claimed[0].sentence().removesuffix(".")
    told = [
        sentence for sentence in answer.next if "labels" in sentence and "than people" in sentence
    ]
    if found.nearness.has_order:
        return told[0].removesuffix(".") if told else ""
    names = found.crowd.names if found.crowd else ()
    leans: dict[str, list[str]] = {}
    for name in order:
        lean = against.leaning(names.index(name))
        if lean is not None:
            label = named(against.crowd.judged.labels.names[lean[0]])
            leans.setdefault(label, []).append(name)
    if leans:
        said = [
            f"{_few(who)} {'says' if len(who) == 1 else 'say'} {label} too often"
            for label, who in leans.items()
        ]
        return "; ".join(said)
    wrong = against.commonest_error(names.index(order[0]))
    return f"{order[0]} {wrong}" if wrong else ""


def _bars(
    found: Evaluation, against: Contradictions, order: Sequence[str], colours: Mapping[str, str]
) -> list[tuple[str, str, int, int]]:
    """The commonest contradictions: what it says, what most people say, on how many items."""
    if found.nearness.has_order:
        return []
    labels = (*against.crowd.judged.labels.names, "no label")
    each_has = max(1, _MOST_BARS // len(order))
    bars = []
    for name in order[:_MOST_BARS]:
        place = against.crowd.names.index(name)
        answers = against.crowd.answers[:, place]
        for said, common, n in against.pairs(place)[:each_has]:
            alone = against.of_everyone[:, place] & (answers == said) & (against.common == common)
            told = f"{name} says {named(labels[said])}, most people {named(labels[common])}"
            bars.append((told, colours[name], n, against.items(alone)))
    return bars


def _sided(found: Evaluation) -> bool:
    return any(each.bias is not None and each.bias.value is not None for each in found.classifiers)


def _bias(found: Evaluation, colours: Mapping[str, str]) -> Markup:
    rows = [
        DotRow(each.name, colours[each.name], each.bias, _signed_plus(each.bias.value))
        for each in found.best_first()[:_MOST_BARS]
        if each.bias is not None and each.bias.value is not None
    ]
    return dot_rows(rows, [(0.0, "as people")], "How much higher than people each classifier is")


def _signed_plus(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


def _fails_table(found: Evaluation, against: Contradictions, order: Sequence[str]) -> Table | None:
    labels = against.crowd.judged.labels.names
    recalls = {}
    if found.confusion and len(labels) <= _MOST_LABELS:
        recalls = {(each.name, each.label): each.recall for each in found.confusion.confusions}
    shown = labels if recalls else ()
    rows: list[tuple[Cell, ...]] = []
    for name in order:
        place = against.crowd.names.index(name)
        recall = [_per_cent(recalls[name, label]) for label in shown]
        most = against.items(against.of_most[:, place])
        alone = against.items(against.of_everyone[:, place])
        rows.append((name, *recall, most, alone))
    headings = (
        "A person says …, so does" if shown else "Classifier",
        *map(named, shown),
        "against most people",
        "against everyone",
    )
    return Table("Where it and people differ", headings, tuple(rows), id="differ")


# --- together with people ---------------------------------------------------------------------


def _together(told: Told) -> Finding | None:
    """Whom one must still ask beside the best classifier, and what that saves."""
    if not told.found.together:
        return None
    member = told.found.together.classifiers[0]
    shown = [each for each in member.policies if each.kept == "shown"]
    if not shown:
        return None
    policy = member.policy(as_good_as=shown[-1].as_good_as)
    kind = told.colours[member.name]
    return Finding(
        "together",
        f"With {member.name}, {policy_title(shown[-1])}",
        lead=(who_is_asked(policy),),
        above="How often a person gives the label that comes out",
        chart=_ways(policy, kind),
        below="people asked, on average over all items",
        table=_whom_to_ask(member),
        note="Learned on two thirds of the items, tested on the last third; the dot is what is "
        "promised.",
    )


def _ways(policy: Policy, kind: str) -> Markup | None:
    drawn = {
        POLICY: f"ln s-{kind}",
        THRESHOLD: f"ln s-{kind} pale",
        ALIKE: f"dp s-{kind}",
        IN_TURN: "pl dash",
        PEOPLE: "pl",
    }
    points = policy.frontier()
    ways = []
    for name, drawing in drawn.items():
        of = sorted((each.labels, each.agree) for each in points if each.way == name)
        if of:
            ways.append(Way(name, drawing, of))
    if policy.labels.value is None or policy.agree.value is None:
        return None
    chosen = (policy.labels.value, policy.agree.value)
    return ways_to_ask(ways, chosen, kind, "People asked an item, and the share who agree")


def _whom_to_ask(member: TeamMember) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for each in member.policies:
        if each.kept == "shown":
            asked, saved = each.labels.text(2), _per_cent(each.saves)
        else:
            asked, saved = "not shown", "–"
        rows.append((number_word(each.as_good_as), asked, saved))
    headings = ("To be as good as asking …", "ask, an item", "saves")
    return Table("Whom to ask", headings, tuple(rows), id="ask")


# --- right or wrong, and what is next ---------------------------------------------------------


def _truth(told: Told) -> Finding | None:
    """How often each is right, where the right labels of some items are given."""
    found, colours = told.found, told.colours
    if not found.accuracy or found.accuracy.gold is None:
        return None
    known = [each for each in found.best_first() if each.accuracy.value is not None]
    if not known:
        return None
    best = max(known, key=lambda each: float(each.accuracy))
    rows = [
        DotRow(each.name, colours[each.name], _points(each.accuracy), _per_cent(each.accuracy))
        for each in known[:_MOST_BARS]
    ]
    return Finding(
        "truth",
        f"{best.name} is right on {_per_cent(best.accuracy)} of items",
        lead=("By the items whose right label is given.",),
        above="How often each is right",
        chart=dot_rows(rows, [], "How often each classifier is right, in per cent", " %"),
    )


def _next(told: Told) -> Finding | None:
    """What to label next, and what for."""
    found, answer = told.found, told.answer
    rows: list[tuple[Cell, ...]] = []
    plan = found.next_labels
    title = ""
    if plan:
        if answer.chosen:
            title = "No more labels are needed to choose"
            rows.append(("which classifier is best", f"nothing: {answer.chosen} is"))
        elif isinstance(plan, PilotPlan) and plan.labels_for_target:
            more = f"{plan.labels_for_target:,}"
            title = f"{more} more labels, where the classifiers differ, would show which is best"
            rows.append(("which classifier is best", f"{more} labels on items where they differ"))
        else:
            title = "More labels of the same kind would hardly show which classifier is best"
            rows.append(("which classifier is best", "more than anyone would pay for"))
    open_ended = [
        row.name for row in answer.rows if row.worth.has_interval and not has_limit(row.worth)
    ]
    if open_ended:
        rows.append((f"what {_few(open_ended)} is worth at most", "a further label on some items"))
        title = title or "More labels on the same items would say more"
    if not answer.compares_people:
        enough = found.one_person.classifiers[0].enough if found.one_person else None
        some = "some" if enough is None else f"{enough:,}"
        title = f"A second person on {some} of the items would show what two people agree on"
        rows.append(("what it is worth in people", f"{some} of these items, drawn at random"))
    if found.accuracy and found.accuracy.gold is None:
        rows.append(
            (
                "how often it is right",
                "items drawn at random, once, by someone who knows the right label",
            )
        )
    wrong = answer.rows[0].against_everyone
    if wrong:
        rows.append(
            (f"why {answer.rows[0].name} errs", f"nothing: read {count(wrong, 'item', 'items')}")
        )
    if not title:
        return None
    headings = ("To know …", "label …")
    return Finding("next", title, table=Table("What to label", headings, tuple(rows), id="label"))
