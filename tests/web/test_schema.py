"""The API against its own description: whatever is sent, nothing breaks on our side."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from tests.web.site import Site, running

from headcount.web.record import new_id

RATINGS = b"item,rater,label\n" + b"".join(
    f"{item},{rater},{'yes' if (item + rater) % 3 else 'no'}\n".encode()
    for item in range(30)
    for rater in range(4)
)
PREDICTIONS = b"item,model\n" + b"".join(f"{item},yes\n".encode() for item in range(30))

REAL = ("/studies/{id}", "/understood", "/look", "/evaluate", "/cancel", "/files/{what}")
"""Addresses that every other case asks of a study that is there; none of them makes another."""


def _attack(site: Site, examples: int) -> dict[str, int]:
    """Ask every route for `examples` cases; how many answers of each kind there were."""
    there = site.upload(("ratings.csv", RATINGS), ("predictions.csv", PREDICTIONS))
    description = site.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    counted: dict[str, int] = {}
    real = False
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            nonlocal real
            real = not real and case.path.endswith(REAL) and case.method != "DELETE"
            if real:
                case.path_parameters["id"] = there
            answer = case.call(
                base_url=site.address,
                headers={"authorization": "Bearer secret-key"},
                timeout=120,
            )
            kind = f"{answer.status_code // 100}xx"
            counted[kind] = counted.get(kind, 0) + 1
            assert answer.status_code < 500, (case.as_curl_command(), answer.text)
            if answer.status_code >= 400:
                assert json.loads(answer.text)["error"]

        ask()
    return counted


def test_no_server_error_in_a_hundred_cases(tmp_path) -> None:
    with running(tmp_path / "studies") as site:
        counted = _attack(site, 5)
        assert sum(counted.values()) >= 70
        assert site.client.get(f"/api/studies/{new_id()}").status_code == 404


@pytest.mark.prove
def test_no_server_error_in_five_thousand_cases(tmp_path) -> None:
    with running(tmp_path / "studies") as site:
        counted = _attack(site, 320)
        print(f"cases by status: {counted}, in all {sum(counted.values())}")
        assert sum(counted.values()) >= 5_000
