"""The command line as a user runs it, within this process."""

import pytest

from headcount.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["headcount", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        said = capfd.readouterr()  # what native code prints counts too
        return code, said.out, said.err

    return run
