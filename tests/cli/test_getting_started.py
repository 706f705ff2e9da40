"""What a newcomer's shell asks first: the version, the module, completion."""

import os
import subprocess
import sys

import pytest

import headcount

AS_COMMAND = "import sys; sys.argv[0] = 'headcount'; from headcount.cli import main; main()"


def _answer(*call: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *call],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | variables,
    )
    return done.stdout


def test_the_module_is_the_command_and_tells_its_version() -> None:
    assert _answer("-m", "headcount", "--version") == f"headcount {headcount.__version__}\n"


@pytest.mark.parametrize(
    ("typed", "at", "offered"),
    [
        ("headcount ", 1, {"demo", "evaluate", "doctor", "plan"}),
        ("headcount pop", 1, {"population"}),
        ("headcount plan ", 2, {"pilot", "compare", "watch", "accuracy"}),
        ("headcount evaluate --sl", 2, {"--slice"}),
        ("headcount agreement --level ", 3, {"nominal", "ordinal", "interval"}),
    ],
)
def test_bash_completes(typed: str, at: int, offered: set[str]) -> None:
    said = _answer(
        "-c",
        AS_COMMAND,
        _HEADCOUNT_COMPLETE="complete_bash",
        COMP_WORDS=typed,
        COMP_CWORD=str(at),
    )
    assert offered <= set(said.split())


def test_bash_can_be_taught() -> None:
    told = _answer(
        "-c",
        AS_COMMAND,
        "--show-completion",
        "bash",
        _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1",  # there is no shell to detect in tests
    )
    assert "_HEADCOUNT_COMPLETE" in told
