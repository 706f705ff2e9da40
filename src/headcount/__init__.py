"""How good is a classifier when the people it is judged by disagree?

The public names are listed in `__init__.pyi` and loaded on first use, so that importing
headcount stays instant.
"""

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headcount._version import __version__ as __version__

if TYPE_CHECKING:
    import inspect

_LINE = re.compile(r"^from (?P<home>[\w.]+) import (?P<name>\w+) as (?P=name)$", re.MULTILINE)
_HOME = {
    found["name"]: found["home"]
    for found in _LINE.finditer(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
}
__all__ = list(_HOME)


class _Room(ModuleType):
    """A room that shares its name with its function: `hc.agreement(…)` asks what it is for.

    `import headcount.agreement` is a module like any other, and calling it is calling the
    function in it.
    """

    def __call__(self, *given: Any, **options: Any) -> Any:
        return self._function(*given, **options)

    @property
    def __signature__(self) -> "inspect.Signature":
        import inspect

        return inspect.signature(self._function)

    @property
    def _function(self) -> Any:
        return vars(self)[self.__name__.rpartition(".")[2]]


class _Package(ModuleType):
    """The package: a room that is imported under the name of a public function can be called."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _HOME.get(name) == value.__name__:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'headcount' has no attribute {name!r}")
    if home == __name__ or home.rpartition(".")[2] == name:
        return importlib.import_module(f"{__name__}.{name}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
