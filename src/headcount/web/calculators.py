"""The pages and addresses of the calculators: the state is in the address, so it can be sent."""

import inspect
import json
import threading
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from headcount.errors import HeadcountError, OptionError
from headcount.frozen import frozen
from headcount.options import Told, described
from headcount.web.api import REFUSALS
from headcount.web.choices import calculator_command, fields
from headcount.web.jobs import ordered, start_worker
from headcount.web.limits import Limits, RefusedError
from headcount.web.plans import PLANS, Plan, computed, is_table, values_of
from headcount.web.rendering import Pages

# Seconds that somebody looks at an empty page; the command has no such limit.
_PATIENCE = 60.0

# Plans that are simulated at once: more would take turns on a small machine.
_SLOW_AT_ONCE = 2


@frozen
class Dial:
    """One input of a calculator: a field, the slider beside it, and the form it belongs to."""

    field: Any
    ends: tuple[float, float, float] | None
    table: bool
    form: str
    case: str


class Slow:
    """Plans that are simulated: in processes of their own, a few at once, each for a while."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = threading.BoundedSemaphore(_SLOW_AT_ONCE)
        self._known: dict[str, dict[str, Any]] = {}

    def computed(self, plan: Plan, given: Mapping[str, str]) -> dict[str, Any]:
        """The answer of a calculator, from a worker; told again without computing it again."""
        values_of(plan, given)  # what cannot be is told at once
        key = json.dumps([plan.name, sorted(given.items())])
        if key not in self._known:
            if len(self._known) > 100:
                self._known.clear()
            with self._places:
                self._known[key] = self._asked(plan, given)
        return self._known[key]

    def _asked(self, plan: Plan, given: Mapping[str, str]) -> dict[str, Any]:
        orders = {
            "task": "plan",
            "plan": plan.name,
            "given": dict(given),
            "memory": self._limits.memory_in_use,
            "unpacked": self._limits.unpacked,
        }
        last, in_time = ordered(start_worker(), orders, _PATIENCE, lambda _: None)
        if not in_time:
            raise RefusedError(
                429,
                f"This plan takes longer than {_PATIENCE:.0f} seconds to simulate: use "
                f"{' '.join(plan.words)} for it, or ask for fewer simulations.",
            )
        if "answer" in last:
            found: dict[str, Any] = last["answer"]
            return found
        raise OptionError(last.get("ended") or "The simulation ended without an answer.")


def router(pages: Pages, limits: Limits) -> APIRouter:
    """The routes of the calculators, for people and for scripts."""
    routes = APIRouter()
    slow = Slow(limits)

    def answered(plan: Plan, given: Mapping[str, str], *, drawn: bool = True) -> dict[str, Any]:
        return slow.computed(plan, given) if plan.slow else computed(plan, given, drawn=drawn)

    @routes.get("/calculators", include_in_schema=False)
    def all_of_them() -> Response:
        return HTMLResponse(pages.show("calculators", plans=PLANS.values()))

    @routes.get("/calculators/{name}", include_in_schema=False)
    def calculator(request: Request, name: str) -> Response:
        plan = PLANS.get(name)
        if plan is None:
            raise RefusedError(404, "There is no such calculator here.")
        shown = dict(request.query_params) or dict(plan.start)
        given = chosen(plan, shown)
        answer, problem = None, ""
        try:
            answer = answered(plan, given)
        except HeadcountError as error:
            problem = str(error)
        told = {
            "plan": plan,
            "dials": dials(plan, shown),
            "shown": shown,
            "answer": answer,
            "problem": problem,
            "command": _command(plan, given),
            "case_of": case_of,
        }
        return HTMLResponse(pages.show("calculator", **told))

    for plan in PLANS.values():
        routes.add_api_route(
            f"/api/plans/{plan.name}",
            _for_scripts(plan, answered),
            tags=["plans"],
            responses=REFUSALS,
            name=f"plan {plan.name}",
        )
    return routes


def _for_scripts(
    plan: Plan, answered: Callable[..., dict[str, Any]]
) -> Callable[..., dict[str, Any]]:
    """A plan from plain numbers, which the query holds by the names of the command's options."""

    def asked(**query: Any) -> dict[str, Any]:
        given = {name: str(value) for name, value in query.items() if value not in (None, "")}
        found = answered(plan, given, drawn=False)
        return {
            "verdict": found["verdict"],
            "command": _command(plan, given),
            "result": found["result"],
        }

    asked.__doc__ = (
        f"{plan.question} The same as `{' '.join(plan.words)}`; small tables are CSV text."
    )
    vars(asked)["__signature__"] = inspect.Signature(
        [_query(plan, name, told) for name, told in described(plan.options).items()]
    )
    return asked


def _query(plan: Plan, name: str, told: Told) -> inspect.Parameter:
    kind: Any = told.kind if told.kind in (int, float) else str
    about = Query(
        description=told.help, examples=[plan.start[name]] if name in plan.start else None
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, about],
    )


def chosen(plan: Plan, shown: Mapping[str, str]) -> dict[str, str]:
    """What counts of a form: of fields that exclude each other those that were chosen."""
    given = {name: text for name, text in shown.items() if text.strip()}
    for form, cases in plan.forms.items():
        key = form.replace(" ", "_")
        case = given.pop(key, None) or case_of(cases, given)
        for other, names in cases.items():
            if other != case:
                given = {name: text for name, text in given.items() if name not in names}
    if "step" in given:
        given = {name: text for name, text in given.items() if not name.startswith("label_acc")}
    return given


def case_of(cases: Mapping[str, tuple[str, ...]], given: Mapping[str, str]) -> str:
    """Which case a form is, where nothing says so: the first that has anything in it."""
    for case, names in cases.items():
        if any(name in given for name in names):
            return case
    return next(iter(cases))


def dials(plan: Plan, shown: Mapping[str, str]) -> dict[str, list[Dial]]:
    """The inputs of a calculator by panel."""
    found: dict[str, list[Dial]] = {}
    belongs = {
        name: (form.replace(" ", "_"), case)
        for form, cases in plan.forms.items()
        for case, names in cases.items()
        for name in names
    }
    for each in fields(plan.options, {}):
        form, case = belongs.get(each.name, ("", ""))
        dial = Dial(
            field={**vars(each), "value": shown.get(each.name, "")},
            ends=plan.dials.get(each.name),
            table=is_table(plan, each.name),
            form=form,
            case=case,
        )
        found.setdefault(each.panel, []).append(dial)
    return found


def _command(plan: Plan, given: Mapping[str, str]) -> str:
    """The command that does the same; a table is a file there."""
    known = described(plan.options)
    told = {name: text for name, text in given.items() if name in known}
    told |= {name: f"{name}.csv" for name in told if is_table(plan, name)}
    return calculator_command(list(plan.words), plan.options, told)
