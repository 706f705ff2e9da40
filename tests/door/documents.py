"""Small exports of every tool, whole, for the attack to break."""

import io
import json
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.door.containers import Columns, delimited

_CHOICE = {"from_name": "q", "type": "choices", "value": {"choices": ["a"]}}
_TICKS = {"from_name": "q", "type": "choices", "value": {"choices": ["a", "b"]}}
_PASSED = {"assertion": {"type": "llm-rubric"}, "pass": True, "score": 1}

DOCUMENTS: tuple[Any, ...] = (
    [
        {
            "id": 1,
            "data": {"t": "x", "q_score": 0.4},
            "annotations": [
                {"completed_by": 1, "result": [_CHOICE]},
                {"completed_by": {"email": "b"}, "result": [_CHOICE], "was_cancelled": True},
            ],
            "predictions": [{"model_version": "m", "result": [_CHOICE]}],
        }
    ],
    [{"id": 1, "data": {}, "annotations": [{"completed_by": 1, "result": [_CHOICE, _TICKS]}]}],
    [
        {"id": 1, "annotator": 1, "annotation_id": 1, "text": "x", "mood": "good"},
        {"id": 1, "annotator": 2, "annotation_id": 2, "text": "x", "mood": "bad"},
    ],
    [{"id": 1, "annotator": 1, "annotation_id": 1, "mood": {"choices": ["a", "b"]}}],
    [{"_task_hash": 1, "_input_hash": 2, "answer": "accept", "accept": ["a"], "options": []}],
    [{"_task_hash": 1, "answer": "reject"}, {"_task_hash": 2, "answer": "ignore"}],
    [{"id": 1, "text": "t", "cats": ["a"]}, {"id": 2, "text": "u", "cats": ["b"]}],
    {"1": {"annotations": "0,1", "annotators": "A,B", "annotation task": "t"}},
    {"1": {"annotations": {"A": "1", "B": "2"}, "annotators": "A,B"}},
    [{"id": 1, "label_annotations": {"Q": {"A": "5", "B": "4"}}}],
    [{"id": 1, "label_annotations": {"Q": {"yes": "true"}}}],
    {
        "eval": {"model": "m"},
        "samples": [{"id": 1, "epoch": 1, "target": "x", "scores": {"s": {"value": "C"}}}],
    },
    {
        "results": {
            "results": [
                {
                    "testIdx": 0,
                    "promptIdx": 0,
                    "gradingResult": {"componentResults": [_PASSED, {"pass": False}]},
                }
            ]
        }
    },
    {"testCases": [{"name": "a", "metricsData": [{"name": "m", "success": True, "score": 1}]}]},
    {"columns": ["x/v1/score"], "data": [[1.0], [None]]},
    [{"source-ref": "s", "job": 1, "job-metadata": {"class-name": "a"}}],
    {"answers": [{"answerContent": {"a": {"label": "x"}}, "workerId": "w"}]},
    [{"id": "r", "responses": {"q": [{"value": "a", "user_id": "u"}]}, "suggestions": {}}],
    [{"id": "r", "q.responses": ["a"], "q.responses.users": ["u"], "q.suggestion": "b"}],
    [{"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j", "question_id": 1}],
    [{"output_1": "a", "output_2": "b", "preference": 1.2, "annotator": "n"}],
    [{"id": 1, "scores": {"a": 1}, "input": "x"}],
    [{"id": 1, "annotations": {"ann": "yes", "ben": "no"}}],
    [{"id": 1, "annotators": ["a", "b"], "labels": ["x", "y"]}],
    [{"id": 1, "votes": [{"worker": "a", "label": "x"}, {"worker": "b", "label": "y"}]}],
)
TABLES: tuple[Columns, ...] = (
    {
        "annotation_id": [1, 2],
        "annotator": [1, 2],
        "choice": ["a", "b"],
        "id": [7, 7],
        "lead_time": [1.5, 2],
    },
    {
        "HITId": ["h", "h"],
        "WorkerId": ["v", "w"],
        "AssignmentStatus": ["Approved", "Rejected"],
        "Input.id": ["1", "1"],
        "Answer.q.label": ["a", "b"],
    },
    {
        "INPUT:text": ["x", "x"],
        "OUTPUT:q": ["1", "2"],
        "GOLDEN:q": ["1", ""],
        "ASSIGNMENT:task_id": ["t", "u"],
        "ASSIGNMENT:worker_id": ["v", "w"],
        "ASSIGNMENT:status": ["APPROVED", "EXPIRED"],
    },
    {"example_id": ["e", "f"], "feedback.exact": [1, 0], "error": ["", "timeout"]},
    {"traceId": ["t", "t"], "name": ["cost", "good"], "value": [0.1, 1]},
)


def _parquet(records: list[Any]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), out)
    return out.getvalue()


def make_export(rng: random.Random) -> tuple[str, bytes]:
    """An export's ending and content."""
    if rng.random() < 0.2:
        kind = rng.choice([".csv", ".tsv"])
        return kind, delimited(rng.choice(TABLES), "\t" if kind == ".tsv" else ",")
    kind, document = rng.choice([".json", ".json", ".jsonl", ".parquet"]), rng.choice(DOCUMENTS)
    if kind == ".parquet":
        try:
            return kind, _parquet(document if isinstance(document, list) else [document])
        except pa.ArrowException:  # not every document can be one
            kind = ".json"
    if kind == ".jsonl" and isinstance(document, list):
        return kind, "\n".join(map(json.dumps, document)).encode()
    return kind, json.dumps(document).encode()
