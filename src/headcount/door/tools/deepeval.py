"""DeepEval: the test cases of a run and their metrics."""

from typing import Any

from headcount.door.tools.found import Export, Found, as_flag

NAME = "DeepEval"


def recognises(export: Export) -> bool:
    """Test cases with metrics."""
    return bool(_cases(export.document))


def _cases(document: Any) -> list[dict[str, Any]]:
    inner = document.get("testRunData", document) if isinstance(document, dict) else None
    cases = inner.get("testCases") if isinstance(inner, dict) else None
    if isinstance(cases, list) and any(isinstance(c, dict) and "metricsData" in c for c in cases):
        return [case for case in cases if isinstance(case, dict)]
    return []


def read(export: Export) -> Found:
    """Whether each metric was met, and its score."""
    found = Found(NAME)
    for place, case in enumerate(_cases(export.document)):
        item = case.get("name") or f"test_case_{place}"
        for metric in case.get("metricsData") or ():
            if metric.get("error"):
                found.left_out["metrics that failed"] += 1
                continue
            found.put(found.answers, item, metric["name"], as_flag(metric.get("success")))
            found.put(found.scores, item, metric["name"], metric.get("score"))
    return found
