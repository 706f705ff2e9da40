"""What a server says no to: a status and one sentence, as a page or as JSON."""

from headcount.errors import HeadcountError


class RefusedError(HeadcountError):
    """A request that is not answered, with the status and the sentence that say so."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def not_there(what: str) -> RefusedError:
    """Nothing of this name is here."""
    return RefusedError(404, f"There is no such {what} here: it may have been deleted.")
