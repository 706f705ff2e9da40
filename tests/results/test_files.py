"""Files are written whole or not at all."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from headcount.errors import InputError, OptionError
from headcount.results.files import check_writable, write_content, write_frame


@contextmanager
def file_size_limit(most: int) -> Iterator[None]:
    """The kernel refuses to let any file grow past `most` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_write_that_fails_halfway_leaves_the_old_file_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    write_content(target, "yesterday", "The report")
    with file_size_limit(1000), pytest.raises(InputError, match="The report cannot be written to"):
        write_content(target, "today" * 1000, "The report")
    assert target.read_text() == "yesterday"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_complete_write_takes_the_place_of_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    write_content(target, "yesterday", "The report")
    write_content(target, "heute: ä", "The report")
    assert target.read_text(encoding="utf-8") == "heute: ä"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("report.pdf", OptionError, r"must end in \.html or \.htm"),
        ("nowhere/report.html", InputError, "No such file or directory"),
        ("folder.html", InputError, "it is a folder; name a file"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, name: str, error: type[Exception], words: str
) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(error, match=words):
        check_writable(tmp_path / name, "The report", (".html", ".htm"))


def test_looking_leaves_nothing_behind_and_nothing_changed(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("yesterday")
    assert check_writable(target, "The report", (".html",)) == target
    assert target.read_text() == "yesterday"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_a_table_is_written_by_its_ending(tmp_path: Path, suffix: str) -> None:
    target = write_frame(pa.table({"item": ["a"], "p": [0.5]}), tmp_path / f"t{suffix}", "It")
    assert target.stat().st_size > 0


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.html", tmp_path / "link.html"
    kept.write_text("kept")
    link.symlink_to(kept)
    write_content(link, "new", "The report")
    assert (kept.read_text(), link.read_text(), link.is_symlink()) == ("kept", "new", False)
