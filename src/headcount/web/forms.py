"""Forms without files, read back: ours alone, and no larger than a form is."""

from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from headcount.web.guard import FORM_FIELD, Keys
from headcount.web.refusals import RefusedError

_MOST_FIELDS = 2_000


async def read_form(request: Request, keys: Keys) -> dict[str, str]:
    """The fields of a form that one of our pages sent."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedError(415, "Send this as a form.")
    try:
        text = (await request.body()).decode("utf-8", "replace")
        found = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except (ValueError, ClientDisconnect) as error:
        raise RefusedError(400, "The form arrived damaged: send it again.") from error
    if not keys.is_form(found.pop(FORM_FIELD, None)):
        raise RefusedError(403, "This form is not headcount's own: open the page again.")
    return found
