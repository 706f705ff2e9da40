"""User text made harmless wherever it leaves: terminal, Markdown, HTML."""

import html
import re

_MARKS = re.compile(r"[\\|`*_\[\]#~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MADE_LINKS = re.compile(r"(?<=http):|(?<=https):|(?<=ftp):|(?<=www)\.", re.IGNORECASE)
"""What a bare address becomes a link by."""
_ADDRESSED = re.compile(r"@|(?<=#)(?=\d)")
"""What makes somebody hear of it, or another page: @name, #12. Forges look at the
finished page, where no escape is left, so that only a space of no width stops them."""
_LIST_MARK = re.compile(r"^(?:[-+]|\d{1,9}(?=[.)])|(?=\s)|=)")
"""What would begin a list, an underlined heading or a block of code."""


def plain(text: str) -> str:
    r"""Text as one printable line: control characters become visible escapes.

    >>> plain("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def markdown(text: str) -> str:
    r"""Text that Markdown shows as it is, wherever in a line it stands.

    >>> markdown("<b>|*x*")
    '&lt;b&gt;\\|\\*x\\*'
    >>> markdown("- see https://a.example, @you")
    '\\- see https&#58;//a.example, @&#8203;you'
    """
    escaped = _ADDRESSED.sub(r"\g<0>\0", plain(text))
    escaped = re.sub("[&<>]", lambda found: _ENTITIES[found[0]], escaped)
    escaped = _MARKS.sub(r"\\\g<0>", escaped).replace("\0", "&#8203;")
    escaped = _MADE_LINKS.sub(lambda found: f"&#{ord(found[0])};", escaped)
    return _LIST_MARK.sub(_at_the_start, escaped)


def _at_the_start(found: re.Match[str]) -> str:
    if not found[0]:
        return "&#8203;"
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def html_text(text: str) -> str:
    """Text that a page shows as it is."""
    return html.escape(plain(text))
