"""Is this a file at all? Checks before a byte of it is believed."""

import gzip
import stat
import zlib
from pathlib import Path
from typing import BinaryIO, cast

from headcount.errors import InputError

_SAMPLE = 256 * 1024
_HIGHEST_RATIO = 500  # gzip reaches 1,032 on zeros; tables of ratings stay under 100


def check_readable(file: Path) -> None:
    """Stop at anything that is not a readable file with something in it."""
    try:
        kind = file.stat()
        if not stat.S_ISDIR(kind.st_mode) and stat.S_ISREG(kind.st_mode):
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


def check_not_a_bomb(file: Path) -> None:
    """Stop at a gzip that would unpack to hundreds of times its size."""
    with open(file, "rb") as stream:
        packed = stream.read(_SAMPLE)
    unpacker = zlib.decompressobj(wbits=31)
    size = 0
    try:
        waiting = packed
        while waiting and not unpacker.eof:
            size += len(unpacker.decompress(waiting, 1 << 20))
            waiting = unpacker.unconsumed_tail
    except zlib.error as error:
        raise InputError(f"{file} is not a gzip file: rename it without .gz.") from error
    if size > 1 << 20 and size > _HIGHEST_RATIO * len(packed):
        raise InputError(
            f"{file} unpacks to more than {_HIGHEST_RATIO} times its size, as no real table does: "
            "if you trust it, unpack it yourself and name the unpacked file."
        )


def open_bytes(file: Path, *, packed: bool) -> BinaryIO:
    """The file's bytes, unpacked."""
    return cast(BinaryIO, gzip.open(file, "rb")) if packed else open(file, "rb")
