"""Is this a file at all, and what is in it? Checks before a byte of it is believed.

A packed file is unpacked once, whole, into a temporary folder: so that every member's checksum is
verified, and so that nothing can unpack to more than a bound, however many members it has.
"""

import gzip
import shutil
import stat
import sys
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

from headcount.errors import InputError
from headcount.scratch import Scratch

HIGHEST_RATIO = 500  # gzip reaches 1,032 on zeros; tables of ratings stay under 100
_FREE = 64 << 20  # as much may come out of however little
_PIECE = 1 << 20
_MOST_ROWS = 50_000_000  # that are read whole


def check_readable(file: Path) -> None:
    """Stop at anything that is not a readable file with something in it."""
    try:
        kind = file.stat()
        if stat.S_ISREG(kind.st_mode):
            open(file, "rb").close()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{file} does not exist: check the path.") from error
    except PermissionError as error:
        raise InputError(
            f"{file} may not be read by you: change its permissions or copy it."
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be opened: check the path.") from error
    if stat.S_ISDIR(kind.st_mode):
        raise InputError(f"{file} is a directory: name the file in it.")
    if not stat.S_ISREG(kind.st_mode):
        raise InputError(f"{file} is not a regular file: save the table to a file first.")
    if kind.st_size == 0:
        raise InputError(f"{file} is empty: it needs a header line and rows.")


def unpack(file: Path, scratch: Scratch) -> Path:
    """The plain file that a gzip holds, verified to its end."""
    plain = scratch.path / "unpacked"
    bound = max(_FREE, HIGHEST_RATIO * file.stat().st_size)
    try:
        with gzip.open(file, "rb") as stream, open(plain, "wb") as out:
            size = 0
            while piece := stream.read(_PIECE):
                size += len(piece)
                if size > bound:
                    raise InputError(_bomb(str(file)))
                out.write(piece)
    except gzip.BadGzipFile as error:
        if "Not a gzipped" in str(error):
            raise InputError(f"{file} is not a gzip file: rename it without .gz.") from error
        raise InputError(f"{file} is a damaged gzip file: pack it again.") from error
    except zlib.error as error:
        raise InputError(f"{file} is a damaged gzip file: pack it again.") from error
    except EOFError as error:
        raise InputError(f"{file} is a gzip file cut short: pack it again.") from error
    except OSError as error:
        raise InputError(f"{file} cannot be unpacked: is the disk full?") from error
    if not size:
        raise InputError(f"{file} is empty: it needs a header line and rows.")
    return plain


def zip_members(file: Path, name: str) -> dict[str, bytes]:
    """What a zip archive holds, by name, each member verified and all of them bounded."""
    bound = max(_FREE, HIGHEST_RATIO * file.stat().st_size)
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                with archive.open(member) as stream:
                    found[member.filename] = content = stream.read(bound + 1)
                bound -= len(content)
                if bound < 0:
                    raise InputError(_bomb(name))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise InputError(f"{name} is a damaged archive: save or download it again.") from error
    except (RuntimeError, NotImplementedError) as error:
        raise InputError(f"{name} is packed or encrypted in an unknown way: unpack it.") from error
    return found


def check_archive(file: Path, name: str) -> None:
    """Stop at an archive (a workbook is one) that is damaged or unpacks to far too much.

    Every member is unpacked and verified, piece by piece: what its header says may be a lie.
    """
    left = max(_FREE, HIGHEST_RATIO * file.stat().st_size)
    try:
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                with archive.open(member) as stream:
                    while piece := stream.read(_PIECE):
                        left -= len(piece)
                        if left < 0:
                            raise InputError(_bomb(name))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise InputError(f"{name} is not a readable workbook: save it again as .xlsx.") from error


def check_size(file: Path, name: str, rows: int, unpacked: int) -> None:
    """Stop before a packed table is read whole that would be far larger than its file."""
    if rows > _MOST_ROWS or unpacked > max(_FREE, HIGHEST_RATIO * file.stat().st_size):
        raise InputError(_bomb(name))


def _bomb(name: str) -> str:
    return (
        f"{name} unpacks to more than {HIGHEST_RATIO} times its size, as no real table does: "
        "if you trust it, unpack it yourself and name the unpacked file."
    )


def save_standard_input(scratch: Scratch, stream: BinaryIO | None = None) -> Path:
    """What comes through standard input, as a file."""
    kept = scratch.path / "standard-input"
    with open(kept, "wb") as out:
        shutil.copyfileobj(stream or sys.stdin.buffer, out)
    if not kept.stat().st_size:
        raise InputError("standard input is empty: pipe a table into it.")
    return kept
