"""Where pages and scripts hand in their wishes: studies, and the work on them."""

import contextlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headcount.errors import HeadcountError
from headcount.results.files import write_content
from headcount.web.choices import command_of
from headcount.web.folder import FILES, SUMMARY, Folder, Incoming, no_room
from headcount.web.gates import Gates
from headcount.web.jobs import Job, Jobs, Task
from headcount.web.limits import Limits, RefusedError
from headcount.web.record import BASELINE_FILE, StudyRecord, as_title

_UNWRITTEN = "How this ended could not be written down: is the disk full? Start it again."
_BUSY = "This study is being worked on: wait until that is done, or cancel it."


class Desk:
    """Every wish of a user, checked and carried out.

    A wish looks at a study and at the job on it, and then changes both: it holds the lock of the
    jobs from the look to the change, or two wishes of one moment would each find the study free.
    """

    def __init__(self, folder: Folder, jobs: Jobs, limits: Limits) -> None:
        self.folder, self.jobs, self.limits = folder, jobs, limits

    def add(self, files: Mapping[str, Sequence[Incoming]], title: str) -> StudyRecord:
        """A new study, and a look at its files."""
        if not files.get("ratings"):
            raise RefusedError(422, "Choose the file with what people said (`ratings`).")
        single = {name: files[name][0] for name in ("predictions", "gold") if files.get(name)}
        return self._begin_new(self.folder.create(files["ratings"], **single, title=title))

    def again(self, id: str) -> StudyRecord:
        """A new study of the same files, to be run with other options."""
        return self._begin_new(self.folder.again(id))

    def look(self, id: str, reading: dict[str, Any]) -> StudyRecord:
        """Look at the files anew, with other things said of them."""
        with self.jobs.lock:
            record = self._free(id)
            _refuse_finished(record)
            return self._begin(record.changed(reading=reading), "look", "looking")

    def swap(self, id: str) -> StudyRecord:
        """Take the file of ratings for the predictions, and the other way round."""
        with self.jobs.lock:
            record = self._free(id)
            _refuse_finished(record)
            if record.predictions is None or record.several:
                raise RefusedError(
                    409, "Two files can be swapped, one of ratings and one of predictions."
                )
            swapped = record.changed(
                ratings=(record.predictions,), predictions=record.ratings[0], reading={}
            )
            return self._begin(swapped, "look", "looking")

    def evaluate(self, id: str, options: dict[str, Any], gates: Gates | None = None) -> StudyRecord:
        """Evaluate a study with these options, and hold it against what is required of it.

        The same wish again, as a second click sends it, is the evaluation that is under way.
        """
        gates = gates or Gates()
        with self.jobs.lock:
            if self._is_evaluating(id, options, gates):
                return self.folder.get(id)
            record = self._free(id)
            _refuse_finished(record)
            look = self.folder.told(id, "look.json") or {}
            if look.get("classifiers"):  # else the worker checks, once it has read the files
                gates.check(look["classifiers"])
            before = gates.baseline and self._finished_result(gates.baseline)
            self.jobs.check_room()
            record = record.changed(options=options, require=gates.require, baseline=gates.baseline)
            self._write_options(record)
            if before:
                _lay(before, self.folder.study_path(id) / BASELINE_FILE)
            return self._begin(record, "evaluate", "queued")

    def _is_evaluating(self, id: str, options: dict[str, Any], gates: Gates) -> bool:
        """Whether just this evaluation is waiting or under way."""
        record, job = self.folder.get(id), self.jobs.of(id)
        wished = (options, list(gates.require), gates.baseline)
        under_way = (record.options, list(record.require), record.baseline)
        return job is not None and job.task == "evaluate" and wished == under_way

    def _write_options(self, record: StudyRecord) -> None:
        """What the evaluation is asked, in a file of its own; what an earlier try left goes."""
        path = self.folder.study_path(record.id)
        for name in (*FILES.values(), SUMMARY):
            (path / name).unlink(missing_ok=True)
        told = {
            "reading": record.reading,
            "options": record.options,
            "require": record.require,
            "baseline": record.baseline,
            "command": command_of(record),
        }
        write_content(
            path / "options.json", json.dumps(told, indent=2, ensure_ascii=False), "The study"
        )

    def _finished_result(self, id: str) -> Path:
        """The result of an earlier study, to compare with."""
        try:
            return self.folder.file(id, "result")
        except RefusedError:
            raise RefusedError(
                409, "The study to compare with is not finished, or was deleted: choose another."
            ) from None

    def cancel(self, id: str) -> StudyRecord:
        """Stop what is being done on a study."""
        with self.jobs.lock:
            record = self.folder.get(id)
            if not self.jobs.cancel(id) and record.busy:
                return self.folder.change(id, state="cancelled", sentence="")
            return record

    def rename(self, id: str, title: str) -> StudyRecord:
        """Give a study another title."""
        if not as_title(title):
            raise RefusedError(422, "A title has at least one letter.")
        return self.folder.change(id, title=as_title(title))

    def delete(self, id: str) -> None:
        """Delete a study that nothing is done on."""
        with self.jobs.lock:
            if self.jobs.of(id) is not None:
                raise RefusedError(409, "This study is being worked on: cancel that first.")
            self.folder.delete(id)

    def told(self, id: str) -> dict[str, Any]:
        """All about a study, for scripts and for the page that waits for it."""
        with self.jobs.lock:
            job, record = self.jobs.of(id), self.folder.get(id)
            before = self.jobs.place_of(job) if job else 0
        if record.busy and job is None:
            record = record.changed(state="interrupted", sentence=_UNWRITTEN)
        if record.state == "queued" and job is not None and job.started_at is not None:
            record = record.changed(state="running")
        progress = job and {
            "step": job.step,
            "done": job.done,
            "of": job.of,
            "seconds": round(job.seconds, 1),
            "before": before,
        }
        summary = self.folder.told(id, SUMMARY) if record.state == "done" else None
        return {
            **asdict(record),
            "command": command_of(record),
            "progress": progress,
            "gates": (summary or {}).get("gates"),
        }

    def _free(self, id: str) -> StudyRecord:
        record = self.folder.get(id)
        if self.jobs.of(id) is not None:
            raise RefusedError(409, _BUSY)
        return record

    def _begin(self, record: StudyRecord, task: Task, state: str) -> StudyRecord:
        """Put a job on a study in the queue; where there is no place for it nothing changes."""
        begun = record.changed(state=state, sentence="", seconds=None)
        with self.jobs.lock:
            self.jobs.check_room()
            before = self.folder.get(record.id)
            try:
                place = self.folder.workplace()
            except OSError as error:
                raise no_room(self.folder.path) from error
            try:
                orders = self._orders(begun, task, place)
                self.folder.change(record.id, lambda _: begun)
                self.jobs.submit(Job(record.id, task, orders, self._ended))
            except (HeadcountError, OSError) as error:
                shutil.rmtree(place, ignore_errors=True)
                with contextlib.suppress(HeadcountError):  # the disk is full: `before` stands there
                    self.folder.change(record.id, lambda _: before)
                why = error if isinstance(error, HeadcountError) else no_room(self.folder.path)
                raise why from error
        return begun

    def _begin_new(self, record: StudyRecord) -> StudyRecord:
        """Look at the files of a new study; where that is refused nothing is left of it."""
        try:
            return self._begin(record, "look", "looking")
        except HeadcountError:
            self.folder.delete(record.id)
            raise

    def _orders(self, record: StudyRecord, task: Task, place: Path) -> dict[str, Any]:
        """What a worker is told; the files lie in its place under harmless names."""
        return {
            "task": task,
            "place": str(place.resolve()),
            "folder": str(self.folder.study_path(record.id).resolve()),
            "files": self.lay(record, place),
            "reading": record.reading,
            "options": record.options,
            "require": record.require,
            "baseline": record.baseline,
            "memory": self.limits.memory_in_use,
            "unpacked": self.limits.unpacked,
        }

    def lay(self, record: StudyRecord, place: Path) -> dict[str, str | None]:
        """Lay the files of a study into a folder, under names that can do no harm."""
        for given, link in zip(record.inputs, record.links, strict=True):
            (place / link).parent.mkdir(exist_ok=True)
            _lay(self.folder.input_path(given), place / link)
        return record.files

    def pair_ended(self, job: Job, how: str, sentence: str) -> None:
        """Write down why two studies could not be compared."""
        shutil.rmtree(job.orders["place"], ignore_errors=True)
        if how != "done":
            told = json.dumps({"sentence": sentence or "This was cancelled."})
            with contextlib.suppress(HeadcountError):
                path = Path(job.orders["folder"]) / job.orders["file"]
                write_content(path, told, "The comparison")

    def _ended(self, job: Job, how: str, sentence: str) -> None:
        """Write down how a job ended; where that cannot be written, `told` says so."""
        shutil.rmtree(job.orders["place"], ignore_errors=True)
        self.folder.drop_parts(job.study)
        state = "ready" if (job.task, how) == ("look", "done") else how
        with contextlib.suppress(HeadcountError):
            self.folder.change(
                job.study, state=state, sentence=sentence, seconds=round(job.seconds, 3)
            )
        if state == "ready":
            self.jobs.warm()  # an evaluation comes next


def _refuse_finished(record: StudyRecord) -> None:
    if record.state == "done":
        raise RefusedError(409, "This study is finished: run it again with other options instead.")


def _lay(source: Path, target: Path) -> None:
    """The file under another name: a second name where the disk can do that, else a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
