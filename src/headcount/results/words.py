"""Numbers in a sentence: things and people counted, shares, and a worth over its interval."""

import math

from headcount.results.estimate import Estimate


def count(number: int, one: str, many: str) -> str:
    """The number with the words that fit it.

    >>> count(1, "answer is missing", "answers are missing")
    '1 answer is missing'
    >>> count(2500, "answer is missing", "answers are missing")
    '2,500 answers are missing'
    """
    return f"{number:,} {one if number == 1 else many}"


def percent(share: float, digits: int | None = 1) -> str:
    """A share in percent; without `digits`, with as many as it needs.

    >>> percent(0.8985), percent(0.9, 0), percent(0.05, None), percent(0.125, None)
    ('89.8 %', '90 %', '5 %', '12.5 %')
    """
    # Rounding first keeps 0.7 + 0.2 from printing as less than 90 %.
    whole = 100 * round(float(share), 9)
    return f"{whole:.3g} %" if digits is None else f"{whole:.{digits}f} %"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def people(count: int, *, noun: str = "rater", start: bool = False, digits: bool = False) -> str:
    """A number of people: "one rater", "three raters", "12 raters".

    >>> people(3, noun="person")
    'three people'
    """
    plural = "people" if noun == "person" else f"{noun}s"
    said = f"{count if digits else number_word(count)} {noun if count == 1 else plural}"
    return said[0].upper() + said[1:] if start else said


def number_word(count: int) -> str:
    """A number in words up to ten: "three", "12"."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def other_way_sentence(name: str, correlation: Estimate) -> str:
    """That answers run the other way, which comes before any worth: what they are worth to
    someone who turns them round, they are not worth to anyone who takes them as they stand.

    >>> other_way_sentence("judge", Estimate(-0.73, -0.78, -0.67))
    "judge's answers run the other way: their correlation with people's is -0.73 (-0.78 to -0.67)."
    """
    return (
        f"{name}'s answers run the other way: their correlation with people's is "
        f"{correlation.text(2)}."
    )


MOST_RATERS = 1_000
"""Worth is not told apart beyond this many raters: it is any number of them."""

# Past so many times the people whom the data measure, a worth is a model's word alone: no limit
# there is told as a number.
_FAR = 3


def worth_text(worth: Estimate, noun: str = " raters") -> str:
    """A worth and its interval: "2.0 raters (1.7 to 2.5)", "more than 9 raters".

    What lies past the data is called modelled; without a noun, in a table, by that word alone.
    Where the data set no upper limit the low end is told, and where they set none at all, that.

    >>> worth_text(Estimate(1.5, 0.9, None, "within", "within", "above", ceiling=4))
    '1.5 raters (0.9 to more than 4)'
    >>> past = Estimate(12.3, 9.8, 17.2, "within", "within", "within", measured_to=7)
    >>> worth_text(past)
    '12.3 raters (9.8 to 17, modelled past the 7 measured)'
    >>> far = Estimate(2.0, 0.7, None, "within", "within", "above", ceiling=249, measured_to=2)
    >>> worth_text(far), worth_text(far, "")
    ('at least 0.7 raters (these data set no upper limit)', 'at least 0.7')
    """
    if not tells(worth):
        return f"an unknown number of{noun}" if noun else "not known"
    if _beyond(worth):
        more = _more_than(worth)
        if more == "any number":
            return f"{more} of{noun}" if noun else more
        return more + (f" {_one(noun)}" if noun and more.endswith(" 1") else noun)
    if _open(worth):
        said = f"at least {_raters(worth, worth.low, worth.low_state, 1)}{noun}"
        return f"{said} (these data set no upper limit)" if noun else said
    middle = _raters(worth, worth.value, worth.state, 1)
    said = middle + (f" {_one(noun)}" if noun and middle.endswith(" 1") else noun)
    remarks = []
    if worth.has_interval:
        low = _raters(worth, worth.low, worth.low_state)
        high = _raters(worth, worth.high, worth.high_state)
        if not low == high == middle:
            remarks.append(f"{low} to {high}")
    if worth.modelled and worth.measured_to is not None:
        measured = f" past the {worth.measured_to:g} measured" if noun else ""
        remarks.append(f"modelled{measured}")
    return f"{said} ({', '.join(remarks)})" if remarks else said


def _one(noun: str) -> str:
    """One of them: " raters" is of a rater, " people" of a person."""
    return "person" if noun.strip() == "people" else noun.strip().removesuffix("s")


def tells(worth: Estimate) -> bool:
    """Whether a worth says anything: not where it may be nothing or any number of people."""
    if not worth.known:
        return False
    nothing = worth.low_state == "below" or (worth.low is not None and round(worth.low, 1) <= 0)
    return not (_open(worth) and nothing)


def least(worth: Estimate) -> float | None:
    """What a worth is at least: its low end, the limit it lies above, or itself without an
    interval; None where it may be nothing.
    """
    if _beyond(worth):
        return _limit(worth)
    if worth.low is not None:
        return worth.low
    return None if worth.has_interval else worth.value


def _limit(worth: Estimate) -> float | None:
    """The limit that "more than" may name: never far past what the data measure."""
    if worth.measured_to is None:
        return worth.ceiling
    far = _FAR * max(worth.measured_to, 1.0)
    return far if worth.ceiling is None else min(worth.ceiling, far)


def _beyond(worth: Estimate) -> bool:
    """Whether all of its range lies above what "more than" may name."""
    if worth.has_interval:
        return worth.low_state == "above"
    return worth.state == "above"


def _open(worth: Estimate) -> bool:
    """Whether the interval has no upper end that these data could set."""
    if not worth.has_interval or has_limit(worth):
        return False
    if worth.high is not None or worth.ceiling is None or worth.ceiling >= MOST_RATERS:
        return True
    told = _limit(worth)
    return told is not None and told < worth.ceiling


def _more_than(worth: Estimate) -> str:
    limit = _limit(worth)
    if limit is None:
        return "more than the limit"
    return "any number" if limit >= MOST_RATERS else f"more than {limit:,.0f}"


def _raters(worth: Estimate, number: float | None, state: str | None, digits: int = 0) -> str:
    """A number of raters: with a decimal below ten, or where asked for one."""
    if state == "below":
        return f"less than {worth.floor or 0:g}"
    if state == "above":
        return _more_than(worth)
    if number is None:
        return "undefined"
    return f"{number:.{digits or (1 if number < 9.95 else 0)}f}"


def in_people(worth: Estimate, most: int, *, noun: str = "person") -> str:
    """What holds all over a worth's interval (for the estimate, where there is none).

    >>> in_people(Estimate(3.5, 2.8, 4.4, "within", "within", "within"), most=9)
    'better than two people, not as good as five'
    """
    if not tells(worth):
        return ""
    ends = worth.has_interval
    low, low_state = (worth.low, worth.low_state) if ends else (worth.value, worth.state)
    high, high_state = (worth.high, worth.high_state) if ends else (worth.value, worth.state)
    if _beyond(worth):
        low_state = high_state = "above"
    said = []
    if low_state == "above":
        limit = _limit(worth)
        said.append(f"better than {people(most if limit is None else int(limit), noun=noun)}")
    elif low is not None:
        fewer = math.ceil(low) - 1
        someone = people(fewer, noun=noun) if fewer > 0 else "asking nobody"
        said.append(f"better than {someone}")
    told = worth.measured_to is not None or (high is not None and math.floor(high) < most)
    if high is not None and high_state == "within" and told and not _open(worth):
        more = math.floor(high) + 1
        someone = number_word(more) if said and more > 1 else people(more, noun=noun)
        said.append(f"not as good as {someone}")
    return ", ".join(said)


_NEXT_TO_NOTHING = 0.5
"""Half a person: what may be worth less is not said to be worth about one."""

# A high end so many times the value, and past the data, says nothing: there is no upper limit.
_NO_LIMIT = 10


def has_limit(worth: Estimate) -> bool:
    """Whether the data set a worth an upper limit that is of use to anybody."""
    if worth.high is None:
        return worth.high_state != "above"
    past = worth.measured_to is not None and worth.high > worth.measured_to
    return not (past and worth.high > _NO_LIMIT * max(worth.value or 0.0, 1.0))


def about_people(worth: Estimate) -> str:
    """A worth as a manager repeats it: "about four people", "less than one person".

    What is said holds all along the interval; "" where the data cannot tell.

    >>> about_people(Estimate(4.4, 3.4, 5.8))
    'about four people'
    >>> about_people(Estimate(0.3, 0.1, 0.8))
    'less than one person'
    >>> about_people(Estimate(0.7, 0.0, 4.3))
    ''
    >>> about_people(Estimate(2.0, 0.7, None, "within", "within", "above", ceiling=249))
    ''
    """
    high = worth.high if worth.high is not None else (None if worth.has_interval else worth.value)
    if worth.state == "below" and has_limit(worth):
        return "less than one person"
    if high is not None and high < 1:
        return "less than one person"
    if not has_limit(worth) or worth.value is None or _beyond(worth):
        low = least(worth)
        if low is None or low < 1:
            return ""
        return f"at least {people(int(low), noun='person')}"
    near, low = round(worth.value), least(worth)
    # A worth that may be next to nothing is not "about one person", however it rounds.
    if near < 1 or low is None or low < _NEXT_TO_NOTHING:
        return ""
    return f"about {people(near, noun='person')}"


def worth_digits(worth: Estimate) -> str:
    """A worth in digits with its range: "4.4 (3.4 to 5.8)", "at least 0.7", "not known".

    >>> worth_digits(Estimate(2.0, 0.7, None, "within", "within", "above", ceiling=249))
    'at least 0.7'
    """
    if not tells(worth):
        return "not known"
    if _beyond(worth):
        return f"at least {_end(worth, None, 'above')}"
    low = _end(worth, worth.low, worth.low_state)
    if worth.has_interval and not has_limit(worth):
        return f"at least {low}"
    middle = _end(worth, worth.value, worth.state)
    if not worth.has_interval:
        return middle
    return f"{middle} ({low} to {_end(worth, worth.high, worth.high_state)})"


def _end(worth: Estimate, number: float | None, state: str | None) -> str:
    """An end of a worth in two digits; what is below asking nobody is worth nothing."""
    if state == "below":
        return f"{worth.floor or 0:g}"
    if number is None:
        limit = _limit(worth)
        return "?" if limit is None else f"{limit:g}"
    return f"{number:.1f}" if number < 9.95 else f"{number:,.0f}"
