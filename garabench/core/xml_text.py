"""Characters that XML 1.0 does not allow."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def replace_invalid(text: str, substitute: str) -> str:
    """Return a text with each character that XML does not allow replaced.

    The allowed ones are those of ``Char`` in XML 1.0, section 2.2.

    Args:
        text: The text.
        substitute: What replaces each of them.
    """
    if text.isprintable():  # all of which XML allows; nearly every text
        return text
    return _NOT_XML.sub(substitute, text)
