"""`--require` on any command: read before anything else, held against the result at the end."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from headcount.cli.output import remark

if TYPE_CHECKING:
    from headcount.results import Estimate, Held, Requirement


def require(help: str, *among: str) -> Any:
    """The option: requirements on the quantities `among`, each text read as it is parsed.

    What cannot be read ends the command before any file is opened.
    """
    return typer.Option("--require", parser=_reader(among), metavar="REQUIREMENT", help=help)


def hold(
    requirements: "Sequence[Requirement] | None",
    found: "Mapping[str, Mapping[str, Estimate]]",
    difference: "Callable[[str, str, str], Estimate] | None" = None,
) -> None:
    """End the command with 3 unless every requirement is met."""
    from headcount.results import hold as held

    end(held(requirements or (), found, difference))


def end(held: "Held") -> None:
    """Say what became of requirements; end the command with 3 unless every one is met."""
    from headcount.results import plain

    for sentence in (*held.luck, *held.waiting):
        remark(f"headcount: {plain(sentence)}")
    for sentence in held.unmet:
        remark(f"headcount: requirement not met: {plain(sentence)}")
    if held.unmet:
        raise typer.Exit(3)


def _reader(among: tuple[str, ...]) -> "Callable[[Any], Requirement]":
    def requirement(text: Any) -> "Requirement":
        from headcount.errors import InputError, OptionError
        from headcount.results import Requirement

        if isinstance(text, Requirement):
            return text
        try:
            return Requirement.parse(text, among=among)
        except OptionError as error:  # a ValueError too, of which click would make its own words
            raise InputError(str(error)) from error

    return requirement
