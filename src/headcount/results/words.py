"""Numbers in a sentence: things counted, so that one is not spoken of as many, and shares."""


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
