"""docs/cli.md is what the commands say of themselves."""

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _maker():
    spec = spec_from_file_location("make_cli", DOCS / "make_cli.py")
    module = module_from_spec(spec)
    sys.modules["make_cli"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


maker = _maker()


def test_the_page_is_up_to_date():
    written = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert written == maker.page(), "docs/cli.md is out of date: run `make docs`"


def _sections():
    parts = re.split(r"^## (.+)$", maker.page(), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("words", _sections())
def test_every_flag_on_the_page_is_in_the_help(words, monkeypatch, capsys):
    from headcount.cli import main

    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", [*words.split(), "--help-all"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0
    helped = capsys.readouterr().out
    for flag in re.findall(r"`(--[a-z-]+)`", _sections()[words]):
        assert flag in helped, flag


def test_the_script_writes_the_page(tmp_path):
    script = tmp_path / "make_cli.py"
    script.write_text((DOCS / "make_cli.py").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([sys.executable, str(script)], check=True, capture_output=True)
    assert (tmp_path / "cli.md").read_text(encoding="utf-8") == maker.page()
