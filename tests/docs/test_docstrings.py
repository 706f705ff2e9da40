"""Every public name is documented as SciPy's are: what goes in, what comes out, an example.

Doctests run with the rest of the tests, so an example is one that runs. What a base class has
documented for all of its kind (`to_frame`, `summary`, …) need not be said again.
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import headcount as hc

_MODULES = {"simulate"}
"""Public names that are modules and not functions; what is public in them is documented too."""


def _public() -> Iterator[tuple[str, Any]]:
    for name in hc.__all__:
        found = getattr(hc, name)
        if name in _MODULES:
            yield from ((f"{name}.{each}", getattr(found, each)) for each in found.__all__)
        elif isinstance(found, ModuleType):  # a room that is called as its function
            yield name, vars(found)[name]
        elif callable(found):
            yield name, found


FUNCTIONS = {name: found for name, found in _public() if inspect.isfunction(found)}
CLASSES = {name: found for name, found in _public() if inspect.isclass(found)}


def _fields(cls: type) -> set[str]:
    return (
        {each.name for each in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    )


def _members(cls: type) -> Iterator[tuple[str, Any]]:
    for name in dir(cls):
        found = inspect.getattr_static(cls, name)
        if name.startswith("_") or name in _fields(cls) or name in dir(Exception):
            continue
        found = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        if inspect.isfunction(found) or isinstance(found, property):
            yield name, found


METHODS = {
    f"{name}.{method}": (cls, method, found)
    for name, cls in CLASSES.items()
    for method, found in _members(cls)
    if inspect.isfunction(found)
}
PROPERTIES = {
    f"{name}.{method}": found
    for name, cls in CLASSES.items()
    for method, found in _members(cls)
    if isinstance(found, property)
}


def section(doc: str, title: str) -> str:
    """The text under a heading with a line of dashes, up to the next one."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}$|\Z)", doc, flags=re.M | re.S)
    return found[1] if found else ""


def described(text: str) -> set[str]:
    """The names that a section of parameters or attributes describes."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: : .*)?$", text, flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def asked(function: Callable[..., Any]) -> set[str]:
    """The names of a function's parameters."""
    return {name for name in inspect.signature(function).parameters if name not in ("self", "cls")}


def told(cls: type) -> set[str]:
    """The fields that a class declares, does not hide, and does not explain by a `help`."""
    if not dataclasses.is_dataclass(cls):
        return set()
    return {
        each.name
        for each in dataclasses.fields(cls)
        if not each.metadata.get("hidden") and not each.metadata.get("help")
    }


def _complete(doc: str, parameters: set[str]) -> list[str]:
    """What a docstring lacks."""
    undescribed = parameters - described(section(doc, "Parameters"))
    lacks = [f"Parameters: {', '.join(sorted(undescribed))}"] if undescribed else []
    lacks += [] if section(doc, "Returns").strip() else ["Returns"]
    lacks += [] if ">>>" in section(doc, "Examples") else ["Examples"]
    return lacks


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_parameters_returns_and_an_example(name: str) -> None:
    function = FUNCTIONS[name]
    assert _complete(inspect.getdoc(function) or "", asked(function)) == []


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_their_fields_and_an_example(name: str) -> None:
    cls = CLASSES[name]
    docs = [inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__[:-1]]
    titles = ("Attributes", "Parameters")
    named = set().union(*(described(section(doc, title)) for doc in docs for title in titles))
    assert sorted(told(cls) - named) == []
    assert ">>>" in section(docs[0], "Examples")


@pytest.mark.parametrize("name", METHODS)
def test_methods_that_take_something_have_parameters_returns_and_an_example(name: str) -> None:
    cls, method, function = METHODS[name]
    docs = [
        inspect.getdoc(vars(base)[method]) or "" for base in cls.__mro__ if method in vars(base)
    ]
    assert docs[0], "there is no docstring"
    if asked(function):
        assert [] in (lacking := [_complete(doc, asked(function)) for doc in docs]), lacking[0]


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_say_what_they_are(name: str) -> None:
    assert inspect.getdoc(PROPERTIES[name])
