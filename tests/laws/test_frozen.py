"""Our frozen classes are what the standard library's frozen dataclasses are, and as frozen."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import pytest

from headcount.frozen import frozen


def _class(made: Callable[[type], type]) -> Any:
    @made
    class Crowd:
        kind: ClassVar[str] = "crowd"
        people: int
        names: tuple[str, ...] = ()
        draws: list[int] = field(default_factory=list, compare=False, repr=False)

        @cached_property
        def twice(self) -> int:
            return 2 * self.people

    return Crowd


Ours, Theirs = _class(frozen), _class(dataclass(frozen=True))


@frozen(kw_only=True)
class Named:
    """Told by its name."""

    name: str

    def __repr__(self) -> str:
        return self.name


@pytest.mark.parametrize("given", [(1,), (2, ("a",)), (2, ("a",), [3])])
def test_repr_comparison_and_hash_are_the_standard_ones(given: tuple[Any, ...]) -> None:
    ours, theirs = Ours(*given), Theirs(*given)
    assert repr(ours) == repr(theirs)
    assert hash(ours) == hash(theirs)
    assert (ours == Ours(1), ours == theirs) == (theirs == Theirs(1), False)
    assert Ours.__match_args__ == Theirs.__match_args__
    assert replace(ours, people=5).people == 5


@pytest.mark.parametrize("name", ["people", "draws", "stranger"])
def test_nothing_can_be_set_or_deleted(name: str) -> None:
    ours = Ours(1)
    for change in (lambda: setattr(ours, name, 2), lambda: delattr(ours, name)):
        with pytest.raises(FrozenInstanceError):
            change()
    assert (ours.people, ours.twice, ours.twice) == (1, 2, 2)


def test_copies_and_pickles_are_equal() -> None:
    named = Named(name="crowd")
    assert copy.copy(named) == copy.deepcopy(named) == pickle.loads(pickle.dumps(named)) == named
    assert repr(named) == "crowd"
    with pytest.raises(TypeError):
        Named("crowd")  # type: ignore[misc]


def test_a_subclass_keeps_the_fields_of_its_base() -> None:
    @frozen
    class Panel(Ours):  # type: ignore[misc]
        paid: bool = False

    assert repr(Panel(1, paid=True)).endswith("Panel(people=1, names=(), paid=True)")
    assert Panel(1) != Ours(1)
