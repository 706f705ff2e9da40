"""User text made harmless wherever it leaves: terminal, Markdown, HTML."""

import html

_MARKS = ("\\", "|", "`", "*", "_", "[", "]", "#", "~")


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
    r"""Text that Markdown shows as it is.

    >>> markdown("<b>|*x*")
    '&lt;b&gt;\\|\\*x\\*'
    """
    escaped = plain(text)
    for mark in _MARKS:
        escaped = escaped.replace(mark, "\\" + mark)
    return escaped.replace("<", "&lt;").replace(">", "&gt;")


def html_text(text: str) -> str:
    """Text that a page shows as it is."""
    return html.escape(plain(text))
