"""The command line as a user runs it, within this process."""

import pytest

from headcount.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["headcount", *words])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        said = capsys.readouterr()
        return code, said.out, said.err

    return run
