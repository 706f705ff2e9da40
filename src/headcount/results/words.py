"""Numbers of things in a sentence, so that one is not spoken of as many."""


def count(number: int, one: str, many: str) -> str:
    """The number with the words that fit it.

    >>> count(1, "answer is missing", "answers are missing")
    '1 answer is missing'
    >>> count(2500, "answer is missing", "answers are missing")
    '2,500 answers are missing'
    """
    return f"{number:,} {one if number == 1 else many}"
