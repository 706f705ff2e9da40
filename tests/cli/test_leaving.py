"""How a command ends: what was printed is whole, the code is right, nothing is left behind."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import headcount as hc

_WORDS = [sys.executable, "-m", "headcount"]


@pytest.fixture
def tables(tmp_path: Path) -> tuple[str, str]:
    data = hc.simulate.make("running-example", items=40)
    data.write(tmp_path)
    return str(tmp_path / "ratings.csv"), str(tmp_path / "predictions.csv")


def _run(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [*_WORDS, *words], capture_output="stdout" not in more, text=True, check=False, **more
    )


def test_the_code_is_that_of_the_command(tables: tuple[str, str], tmp_path: Path) -> None:
    page = str(tmp_path / "report.html")
    assert _run("--version").returncode == 0
    assert _run("agreement", "nowhere.csv").returncode == 1
    assert _run("agreement", "--no-such-option").returncode == 2
    gated = _run("evaluate", *tables, "-o", page, "--require", "agree>=100%")
    assert gated.returncode == 3
    assert Path(page).exists()
    assert gated.stdout.rstrip().endswith(page)


def test_all_that_is_printed_arrives_in_a_pipe(tables: tuple[str, str]) -> None:
    told = _run("evaluate", *tables, "--format", "json")
    assert (told.returncode, told.stdout[0], told.stdout.rstrip()[-1]) == (0, "{", "}")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told_of_in_a_sentence(tables: tuple[str, str]) -> None:
    with open("/dev/full", "w") as full:
        done = _run("agreement", tables[0], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith("headcount: what was printed cannot be written: ")
    assert "Traceback" not in done.stderr


def test_want_of_memory_is_told_with_what_helps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import headcount.cli
    from headcount.cli import app
    from headcount.evaluation.part import attempt

    def want() -> None:
        raise MemoryError

    monkeypatch.setattr(app, "app", lambda: attempt(want))
    with pytest.raises(SystemExit) as stop:
        headcount.cli.main()
    assert stop.value.code == 1
    assert "HEADCOUNT_MEMORY=2GB" in capsys.readouterr().err


@pytest.mark.parametrize(("gate", "code"), [("agree>=1%", 0), ("agree>=100%", 3)])
def test_a_reader_that_leaves_is_no_fault_and_gates_are_held(
    gate: str, code: int, tables: tuple[str, str], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    command = [*_WORDS, "evaluate", *tables, "-o", str(page), "--require", gate]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
    assert page.exists()
    assert process.returncode == code
    assert bool(told) == (code == 3)
    assert all(line.startswith("headcount: requirement not met") for line in told.splitlines())


@pytest.mark.parametrize(("gate", "code"), [("agree>=1%", 0), ("agree>=100%", 3)])
def test_nor_is_one_of_both_streams(gate: str, code: int, tables: tuple[str, str]) -> None:
    command = [*_WORDS, "evaluate", *tables, "--format", "json", "--require", gate]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=Path(tables[0]).parent
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert process.returncode == code


def test_nowhere_to_print_is_no_fault_either(tables: tuple[str, str]) -> None:
    words = f"{' '.join(map(shlex.quote, [*_WORDS, 'agreement', tables[0]]))} >&- 2>&-"
    assert subprocess.run(words, shell=True, check=False).returncode == 0
