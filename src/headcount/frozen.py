"""What a class of values is here: a dataclass that nobody changes once it is made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    T = TypeVar("T")

    @overload
    def frozen(cls: type[T], /) -> type[T]: ...
    @overload
    def frozen(
        *, eq: bool = ..., repr: bool = ..., kw_only: bool = ...
    ) -> Callable[[type[T]], type[T]]: ...
    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def frozen(cls: object = None, /, **options: bool) -> object:
        """`dataclass(frozen=True)`, which type checkers know by this declaration."""

else:
    frozen = partial(dataclass, frozen=True)
