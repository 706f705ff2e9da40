"""Options as they are typed on the command line."""

from collections.abc import Mapping, Sequence
from typing import Any

from headcount.options.declared import Options, Told, described


def flag_of(name: str, told: Told) -> str:
    """How an option is typed."""
    return told.flag or f"--{name.replace('_', '-')}"


def typed(options: type[Options], given: Mapping[str, Any]) -> list[str]:
    """The words that say these values on the command line; defaults need none.

    >>> from headcount.options import Sampling
    >>> typed(Sampling, {"n_bootstrap": 200, "seed": 0})
    ['--n-bootstrap', '200']
    """
    words: list[str] = []
    for name, told in described(options).items():
        value = given.get(name, getattr(options, name))
        if value is None or value == getattr(options, name):
            continue
        flag = flag_of(name, told)
        if told.kind is bool:
            words.append(flag if value else f"--no-{flag.removeprefix('--')}")
        elif told.many:
            words += [word for each in _each(value) for word in (flag, each)]
        else:
            words += [flag, ",".join(map(_word, value)) if _is_list(value) else _word(value)]
    return words


def _each(value: Any) -> list[str]:
    """What a flag is repeated with."""
    if isinstance(value, Mapping):
        return [f"{old}={new}" for old, new in value.items()]
    return [str(each) for each in value] if _is_list(value) else [str(value)]


def _word(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
