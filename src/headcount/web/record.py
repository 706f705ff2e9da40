"""What is kept of one study beside its files: who it is, what was said of it, how far it is."""

import json
import re
import secrets
from dataclasses import asdict, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from headcount.frozen import frozen
from headcount.results import plain

State = Literal[
    "looking", "ready", "queued", "running", "done", "failed", "cancelled", "interrupted"
]

# States that end by themselves.
BUSY: tuple[State, ...] = ("looking", "queued", "running")

ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")

# Where the files of ratings are laid when there are several.
FOLDER = "ratings"

# What the result that a study is compared with is called.
BASELINE_FILE = "baseline.json"

# Letters of a title: a line or two of a list.
_MOST_TITLE = 200

# Names that are no files on Windows, whatever comes after their dot.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}


@frozen
class Input:
    """A file as it came: the name its owner gave it, and what it is known by here."""

    name: str
    sha256: str
    size: int

    @property
    def link(self) -> str:
        r"""A harmless name, as near to the owner's as can be: letters, digits, dots and dashes.

        >>> Input("../../Befunde (März).xlsx", "", 0).link
        'Befunde (März).xlsx'
        >>> Input("..\\..\\x;rm -rf.csv", "", 0).link, Input("NUL.csv", "", 0).link
        ('x_rm -rf.csv', '_NUL.csv')
        """
        last = re.split(r"[/\\]", self.name)[-1]
        kept = re.sub(r"[^\w.() -]", "_", last).strip(" .")[-60:].strip(" .") or "file"
        return f"_{kept}" if kept.split(".", 1)[0].lower() in _DEVICES else kept


@frozen
class StudyRecord:
    """One study: its inputs, what was chosen, and its state with the sentence that explains it.

    `ratings` are one file or several, `gold` one with answers known to be right.
    `reading` and `options` hold what differs from the defaults of `RatingsReading`,
    `PredictionsReading` and `EvaluateOptions`; `require` holds requirements as they were written,
    `baseline` the earlier study that it is compared with; `again_of` is the study it repeats.
    """

    id: str
    title: str
    created: str
    ratings: tuple[Input, ...]
    predictions: Input | None = None
    gold: Input | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    baseline: str | None = None
    state: State = "looking"
    sentence: str = ""
    seconds: float | None = None
    again_of: str | None = None

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Its files: ratings, then predictions, then gold."""
        return (*self.ratings, *(each for each in (self.predictions, self.gold) if each))

    @property
    def several(self) -> bool:
        """Whether what people said comes in several files."""
        return len(self.ratings) > 1

    @property
    def links(self) -> tuple[str, ...]:
        """A name for each file to be read by, no two the same; several ratings in a folder."""
        found: list[str] = []
        taken = {FOLDER} if self.several else set[str]()
        taken |= {BASELINE_FILE} if self.baseline else set()
        for place, each in enumerate(self.inputs):
            within = f"{FOLDER}/" if self.several and place < len(self.ratings) else ""
            stem, dot, ending = each.link.partition(".")
            name, number = f"{within}{each.link}", 2
            while name.lower() in taken:
                name, number = f"{within}{stem}-{number}{dot}{ending}", number + 1
            taken.add(name.lower())
            found.append(name)
        return tuple(found)

    @property
    def files(self) -> dict[str, str | None]:
        """What each kind of file is read by: its link, or a pattern for several."""
        links = list(self.links)
        return {
            "ratings": f"{FOLDER}/*" if self.several else links[0],
            "gold": links.pop() if self.gold else None,
            "predictions": links.pop() if self.predictions else None,
        }

    @property
    def busy(self) -> bool:
        """Whether something is being done with it."""
        return self.state in BUSY

    def changed(self, **fields: Any) -> "StudyRecord":
        """The same study with some fields anew."""
        return replace(self, **fields)

    def to_json(self) -> str:
        """For study.json."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)

    @classmethod
    def read(cls, path: Path) -> "StudyRecord":
        """From study.json; ValueError where that is not one."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            told["ratings"] = tuple(Input(**each) for each in told["ratings"])
            for name in ("predictions", "gold"):
                told[name] = told[name] and Input(**told[name])
            told["require"] = tuple(map(str, told.get("require", ())))
            found = cls(**told)
        except (OSError, TypeError, KeyError) as error:
            raise ValueError(f"{path} is not the record of a study") from error
        if not ID.fullmatch(found.id) or found.state not in get_args(State):
            raise ValueError(f"{path} is not the record of a study")
        return found


def new_id() -> str:
    """An id that sorts by time and that nobody can guess."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def now() -> str:
    """The time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def as_title(text: str) -> str:
    """A title of a study: one printable line, not too long."""
    return plain(" ".join(text.split()))[:_MOST_TITLE]
