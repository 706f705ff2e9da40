"""The sentences that were read aloud are those that the code says."""

import difflib

from tests.evaluation.read_aloud import HERE, everything


def test_the_sentences_are_those_that_were_read() -> None:
    kept, now = HERE.read_text(encoding="utf-8"), everything()
    changed = "\n".join(difflib.unified_diff(kept.splitlines(), now.splitlines(), lineterm=""))
    assert not changed, f"read these, then: python -m tests.evaluation.read_aloud\n{changed}"
