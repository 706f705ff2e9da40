"""Labels to train on: what people said of each item, and what people would say of it."""

import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from headcount._version import __version__
from headcount.arrays import Floats, Ints
from headcount.data import as_study, group_rows
from headcount.errors import InputError
from headcount.options import SoftLabelOptions
from headcount.population.best_possible import population
from headcount.results import Estimate, Result, Table, count, hidden, markdown, percent, record
from headcount.results.files import FRAME_SUFFIXES, check_writable, write_content, write_frame

# Items that a table shows; the file has all of them.
_SHOWN = 10

_COLUMNS = {
    "item": "its id",
    "text": "what it says",
    "ratings": "how many people rated it",
    "given": "the share of its ratings that gave the label: what was counted",
    "label": "the share of all people who would give the label: the posterior mean under the "
    "population of items fitted to these data",
    "majority": "the label most of its ratings gave; empty where several are level",
    "weight": "the share of all people who would say the majority's label, as a weight for "
    "training on it; empty where there is none",
    "entropy": "how divided people are about it, in bits of the shares of all people",
}
"""What the columns hold, as the data card says it."""


@record
class SoftLabels(Result):
    """A label distribution to train on for each item; `to_frame()` has a row an item.

    Attributes
    ----------
    items, ratings : int
        What there is.
    labels : tuple of str
        The labels in order.
    flip_rate : float
        How often an answer is a slip; slips were set aside.
    level : int
        Items on which two labels or more were given equally often: they have no majority.
    entropy : float
        The mean over items, in bits, of how divided people are.
    ceiling : Estimate
        The share of people whom the best possible labels have on their side.

    Examples
    --------
    >>> import headcount as hc
    >>> people = hc.Ratings.from_counts([[3, 0], [1, 2], [0, 3]] * 20, labels=["no", "yes"])
    >>> found = hc.soft_labels(people)
    >>> found.to_frame().column_names
    ['item', 'ratings', 'given:no', 'given:yes', 'label:no', 'label:yes', 'majority', 'weight', \
'entropy']
    """

    items: int
    ratings: int
    labels: tuple[str, ...]
    flip_rate: float
    level: int
    entropy: float
    ceiling: Estimate
    ids: tuple[str, ...] = hidden()
    texts: tuple[str | None, ...] | None = hidden()
    counts: Ints = hidden()
    held: Floats = hidden()
    notes: tuple[str, ...] = hidden(default=())

    also: ClassVar[tuple[str, ...]] = ("unchecked",)

    @property
    def given(self) -> Floats:
        """The share of each item's ratings that gave each label, (n, L)."""
        shares: Floats = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    @property
    def majority(self) -> Ints:
        """The code of the label that most of an item's ratings gave (n,); −1 where level."""
        return majority_of(self.counts)

    @property
    def weight(self) -> list[float | None]:
        """The share of people who would say the majority's label; None where there is none."""
        return [
            None if code < 0 else float(row[code])
            for code, row in zip(self.majority, self.held, strict=True)
        ]

    def columns(self) -> dict[str, list[Any]]:
        """A row an item."""
        out: dict[str, list[Any]] = {"item": list(self.ids)}
        if self.texts is not None:
            out["text"] = list(self.texts)
        out["ratings"] = self.counts.sum(axis=1).tolist()
        for prefix, shares in (("given", self.given), ("label", self.held)):
            out |= {f"{prefix}:{name}": shares[:, j].tolist() for j, name in enumerate(self.labels)}
        named = [None if code < 0 else self.labels[code] for code in self.majority]
        return out | {
            "majority": named,
            "weight": self.weight,
            "entropy": entropy_of(self.held).tolist(),
        }

    def verdict(self) -> str:
        """How much the labels leave open."""
        level = (
            "" if not self.level else f" {count(self.level, 'item has', 'items have')} no majority."
        )
        return (
            f"{count(self.items, 'item', 'items')} with {count(self.ratings, 'label', 'labels')} "
            f"have a distribution to train on, of {self.entropy:.2f} bits on average.{level}"
        )

    def tables(self) -> tuple[Table, ...]:
        """The first of them."""
        columns = {
            name: values[:_SHOWN] for name, values in self.columns().items() if name != "text"
        }
        rows = tuple(zip(*columns.values(), strict=True))
        title = f"The first {len(rows)} of {self.items:,} items"
        return (Table(title, tuple(columns), rows, digits=3, id="items"),)

    def assumptions(self) -> tuple[str, ...]:
        """What the labels rest on."""
        slips = f" Slips ({percent(self.flip_rate)} of answers) are set aside." * bool(
            self.flip_rate
        )
        return (
            "The share of all people is an item's own ratings drawn towards items like it, by the "
            f"population of items fitted to these data: less, the more ratings it has.{slips}",
            "People here are people like those who rated these items; those who rate are taken to "
            "have been asked at random.",
            f"The best possible labels would have about {self.ceiling.text(percent=True)} of "
            "people on their side (headcount population says how sure that is); no model can have "
            "more.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What became of the data."""
        return self.notes

    def card(self) -> str:
        """The data card, in Markdown: what the columns hold and what the labels rest on."""
        held = self.columns()
        rows = [
            (f"{name}:" if name in ("given", "label") else name, said)
            for name, said in _COLUMNS.items()
            if name in held or name in ("given", "label")
        ]
        parts = [
            "# Labels to train on",
            markdown(self.verdict()),
            f"Labels, in order: {', '.join(markdown(each) for each in self.labels)}.",
            "\n".join(
                ["| column | what it holds |", "|---|---|"]
                + [f"| `{name}` | {said} |" for name, said in rows]
            ),
            "## What they rest on",
            "\n".join(f"- {markdown(each)}" for each in (*self.assumptions(), *self.unchecked())),
            f"Written by headcount {__version__}. Whose ratings these are, how they were asked and "
            "under which licence they stand is known to whoever collected them: say it here.",
        ]
        return "\n\n".join(parts) + "\n"

    def save(self, path: str | Path) -> Path:
        """Write the labels with their data card.

        Parameters
        ----------
        path : str or path
            A file ending in .csv, .parquet or .jsonl, with its card beside it (`labels.card.md`
            for `labels.csv`); or a folder, in the form that Hugging Face's `datasets` loads:
            `train.parquet`, in which `majority` is a `ClassLabel` and `soft_label` a list in the
            order of its names, and the card as `README.md`.

        Returns
        -------
        path
            What was written.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import headcount as hc
        >>> people = hc.Ratings.from_counts([[3, 0], [1, 2]] * 20, labels=["no", "yes"])
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> written = hc.soft_labels(people).save(folder / "labels.csv")
        >>> sorted(each.name for each in folder.iterdir())
        ['labels.card.md', 'labels.csv']
        """
        target = Path(path)
        self.check_target(target)
        if target.suffix:
            write_frame(self.to_frame("pyarrow"), target, "The labels")
            write_content(target.with_suffix(".card.md"), self.card(), "The data card")
            return target
        target.mkdir(parents=True, exist_ok=True)
        write_frame(self.to_arrow_dataset(), target / "train.parquet", "The labels")
        front = (
            "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n"
            "    path: train.parquet\n---\n\n"
        )
        write_content(target / "README.md", front + self.card(), "The data card")
        return target

    @staticmethod
    def check_target(path: str | Path) -> None:
        """Stop, before the work, where `save` could not write after it.

        Parameters
        ----------
        path : str or path
            What `save` would be given.

        Returns
        -------
        None

        Examples
        --------
        >>> import headcount as hc
        >>> hc.SoftLabels.check_target("labels.csv")
        """
        target = Path(path)
        if target.suffix:
            check_writable(target, "The labels", FRAME_SUFFIXES)
        elif target.exists() and not target.is_dir():
            raise InputError(
                f"{target} is a file: name a new folder, or a file such as labels.csv."
            )

    def to_arrow_dataset(self) -> Any:
        """An Arrow table with the features that Hugging Face's `datasets` reads off it.

        Returns
        -------
        pyarrow.Table
            What `save` writes to a folder: `majority` as a code, shares as lists.

        Examples
        --------
        >>> import headcount as hc
        >>> people = hc.Ratings.from_counts([[3, 0], [1, 2]] * 20, labels=["no", "yes"])
        >>> hc.soft_labels(people).to_arrow_dataset().column_names[:3]
        ['item', 'ratings', 'given']
        """
        import pyarrow as pa

        text = {} if self.texts is None else {"text": pa.array(self.texts, pa.string())}
        shares = pa.list_(pa.float64())
        columns: dict[str, Any] = {
            "item": pa.array(self.ids, pa.string()),
            **text,
            "ratings": pa.array(self.counts.sum(axis=1)),
            "given": pa.array(self.given.tolist(), shares),
            "soft_label": pa.array(self.held.tolist(), shares),
            "majority": pa.array([None if code < 0 else int(code) for code in self.majority]),
            "weight": pa.array(self.weight, pa.float64()),
            "entropy": pa.array(entropy_of(self.held)),
        }
        values = {"item": "string", "text": "string", "ratings": "int64"}
        features: dict[str, Any] = {
            name: {"dtype": values.get(name, "float64"), "_type": "Value"} for name in columns
        }
        for name in ("given", "soft_label"):
            features[name] = {"feature": features["weight"], "_type": "Sequence"}
        features["majority"] = {"names": list(self.labels), "_type": "ClassLabel"}
        told = json.dumps({"info": {"features": features}})
        return pa.table(columns).replace_schema_metadata({"huggingface": told})


def soft_labels(ratings: Any, *, flip_rate: float = SoftLabelOptions.flip_rate) -> SoftLabels:
    """A label distribution to train on for each item: what people like these would say of it.

    Parameters
    ----------
    ratings
        What people said: a path, a frame, `Ratings` or a `Study`.
    flip_rate
        How often an answer is a slip, known from retests: slips are then set aside.

    Returns
    -------
    SoftLabels
        ``to_frame()`` has a row an item: the shares of its ratings (``given:label``), the shares
        of all people who would give each label (``label:label``), ``majority``, ``weight`` and
        ``entropy``; ``save(path)`` writes it with a data card.

    Notes
    -----
    The share of all people is the posterior mean of an item's label distribution given its
    ratings, under the population that `population` fits to all items. Of all ways to guess it from
    the ratings it has the smallest expected squared error, where items are drawn from that
    population; the raw shares say 0 and 1 of items with few ratings.

    Examples
    --------
    >>> import headcount as hc
    >>> people = hc.Ratings.from_counts([[3, 0], [1, 2], [0, 3]] * 20, labels=["no", "yes"])
    >>> first = hc.soft_labels(people).to_frame("pandas").iloc[0]
    >>> float(first["given:no"]), bool(0.5 < first["label:no"] < 1)
    (1.0, True)
    """
    options = SoftLabelOptions(flip_rate=flip_rate)
    study = as_study(ratings)
    fitted = population(study, flip_rate=options.flip_rate, two_way=False, n_bootstrap=0)
    of_items = study.ratings.item_counts()
    groups = group_rows(of_items.counts)
    held = fitted.fitted.predict(of_items.counts[groups.first])[groups.of_row]
    said = study.ratings.item_columns().get("text")
    return SoftLabels(
        items=len(of_items.items),
        ratings=int(of_items.counts.sum()),
        labels=study.labels.names,
        flip_rate=options.flip_rate,
        level=int((majority_of(of_items.counts) < 0).sum()),
        entropy=float(entropy_of(held).mean()),
        ceiling=fitted.ceiling,
        ids=tuple(str(each) for each in of_items.items),
        texts=None
        if said is None
        else tuple(said.names[code] if code >= 0 else None for code in said.code),
        counts=of_items.counts,
        held=held,
        notes=fitted.unchecked(),
        library=study.library,
    )


def majority_of(counts: Ints) -> Ints:
    """The code of the label most often given (n,) of counts (n, L); −1 where several are level.

    >>> majority_of(np.array([[2, 1], [1, 1]])).tolist()
    [0, -1]
    """
    most = counts == counts.max(axis=1, keepdims=True)
    return np.where(most.sum(axis=1) == 1, most.argmax(axis=1), -1)


def entropy_of(shares: Floats) -> Floats:
    """The entropy (n,) of shares (n, L), in bits.

    >>> entropy_of(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    # Of one label alone it is nought, and not the −0.0 that a sum of noughts gives.
    found: Floats = np.maximum(-(shares * logs).sum(axis=1), 0.0)
    return found
