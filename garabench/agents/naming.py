"""How a person names an agent: ``[LABEL=]NAME[?OPTIONS]``, ``[LABEL=]SCHEME:REST``; pure, nothing is loaded.

The text is what a plan keeps. The name that stands in tables, records and paths is its label, or else made
from the text; it is the same every time, and safe as a part of a path.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from garabench.errors import InputError

MOST_LETTERS = 64
"""Of a name."""
_LABEL = re.compile(r"(?P<label>[^=:?/'\"\s]+)=(?P<body>.+)", re.DOTALL)
_SAFE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MOST_LETTERS - 1}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._+]+")
_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9-]*):(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """An agent as it was named.

    Attributes:
        text: All of it, as a plan keeps it.
        label: The name that a person gave it, or empty.
        body: What it is, without the label.
    """

    text: str
    label: str
    body: str

    @property
    def name(self) -> str:
        """As in tables and paths."""
        return self.label or path_name(self.body)

    @property
    def scheme(self) -> str:
        """What stands before the first colon, where it is a lower-case word; else empty."""
        match = _SCHEME.fullmatch(self.body)
        return match["scheme"] if match else ""

    @property
    def rest(self) -> str:
        """What stands after the scheme."""
        match = _SCHEME.fullmatch(self.body)
        return match["rest"].strip() if match else self.body

    @property
    def base(self) -> str:
        """The body without its options."""
        return self.body.partition("?")[0]

    @property
    def options(self) -> dict[str, str]:
        """What stands after the question mark, ``key=value`` with ``&`` between, as in an address.

        Raises:
            InputError: It is not of that form, or a key stands twice.
        """
        written = self.body.partition("?")[2]
        if not written:
            return {}
        try:
            pairs = parse_qsl(written, keep_blank_values=True, strict_parsing=True)
        except ValueError as error:
            raise InputError(
                f"the options of {self.text!r} are not of the form key=value",
                hint="Write NAME?key=value&key=value.",
            ) from error
        found = dict(pairs)
        if len(found) != len(pairs):
            raise InputError(f"an option of {self.text!r} stands twice")
        return found


def read_name(text: str) -> Named:
    """Read one agent as a person or a plan names it.

    Raises:
        InputError: Its label cannot be a part of a path.
    """
    text = text.strip()
    match = _LABEL.fullmatch(text)
    if match is None:
        return Named(text, "", text)
    label = match["label"]
    if not _SAFE.fullmatch(label):
        raise InputError(
            f"{label!r} cannot be an agent's label",
            hint="A label has letters, digits and . _ + -, begins with one of the first two, and has at most "
            f"{MOST_LETTERS} of them.",
        )
    return Named(text, label, match["body"].strip())


def path_name(body: str) -> str:
    """A name made from what an agent is: its letters, digits and dots, with hyphens between.

    One that would be too long is cut and gets a hash, so that two different ones stay two.
    """
    match = _SCHEME.fullmatch(body)
    said = match["rest"] if match and match["scheme"] in ("process", "owning") else body
    name = _UNSAFE.sub("-", said).strip("-._+")
    if name and len(name) <= MOST_LETTERS:
        return name
    digest = hashlib.sha256(body.encode()).hexdigest()[:8]
    return f"{name[: MOST_LETTERS - 9].rstrip('-._+')}-{digest}" if name else f"agent-{digest}"


def split_list(text: str) -> tuple[str, ...]:
    """The parts of a comma list; a comma within quotes or brackets of an address does not part anything.

    Raises:
        InputError: A quote is not closed.
    """
    parts, quote = [""], ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == ",":
            parts.append("")
            continue
        parts[-1] += letter
    if quote:
        raise InputError(f"a quote is not closed in {text!r}")
    return tuple(part.strip() for part in parts)
