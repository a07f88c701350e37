"""Parse agent names: ``[LABEL=]NAME[?OPTIONS]`` and ``[LABEL=]SCHEME:REST``; nothing is loaded.

A plan stores the text. The name in tables, records and paths is the label or is derived from the text; it is
deterministic and safe as a part of a path.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from garabench.errors import InputError

COMMAND_SCHEMES = ("process", "autonomous", "owning")
"""Schemes whose rest is a command; ``owning`` is the former name of ``autonomous``."""
MAX_NAME_LENGTH = 64
"""Maximum length of a name, in characters."""
_LABEL = re.compile(r"(?P<label>[^=:?/'\"\s]+)=(?P<body>.+)", re.DOTALL)
_SAFE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MAX_NAME_LENGTH - 1}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._+]+")
_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9-]*):(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AgentName:
    """A parsed agent name.

    Attributes:
        text: The full text, as stored in a plan.
        label: The label; empty if there is none.
        body: The text without the label.
    """

    text: str
    label: str
    body: str

    @property
    def name(self) -> str:
        """Name in tables and paths."""
        return self.label or path_name(self.body)

    @property
    def scheme(self) -> str:
        """The lower-case word before the first colon; empty if there is none."""
        match = _SCHEME.fullmatch(self.body)
        return match["scheme"] if match else ""

    @property
    def rest(self) -> str:
        """The body without the scheme."""
        match = _SCHEME.fullmatch(self.body)
        return match["rest"].strip() if match else self.body

    @property
    def base(self) -> str:
        """The body without its options."""
        return self.body.partition("?")[0]

    @property
    def options(self) -> dict[str, str]:
        """The options after the question mark, ``key=value`` pairs separated by ``&`` as in a URL.

        Raises:
            InputError: The options are malformed, or a key is duplicate.
        """
        written = self.body.partition("?")[2]
        if not written:
            return {}
        try:
            pairs = parse_qsl(written, keep_blank_values=True, strict_parsing=True)
        except ValueError as error:
            raise InputError(
                f"the options of {self.text!r} are not key=value pairs",
                hint="Write NAME?key=value&key=value.",
            ) from error
        found = dict(pairs)
        if len(found) != len(pairs):
            raise InputError(f"{self.text!r} has a duplicate option")
        return found


def parse_agent_name(text: str) -> AgentName:
    """Parse an agent name.

    Raises:
        InputError: The label is not safe as a part of a path.
    """
    text = text.strip()
    match = _LABEL.fullmatch(text)
    if match is None:
        return AgentName(text, "", text)
    label = match["label"]
    if not _SAFE.fullmatch(label):
        raise InputError(
            f"{label!r} cannot be an agent's label",
            hint="A label has letters, digits and . _ + -, starts with a letter or a digit, and has at most "
            f"{MAX_NAME_LENGTH} characters.",
        )
    return AgentName(text, label, match["body"].strip())


def path_name(body: str) -> str:
    """Derive a name from an agent name's body: its letters, digits and dots, joined by hyphens.

    A name that is too long is cut and gets a hash, so that different bodies keep different names.
    """
    match = _SCHEME.fullmatch(body)
    source = match["rest"] if match and match["scheme"] in COMMAND_SCHEMES else body
    name = _UNSAFE.sub("-", source).strip("-._+")
    if name and len(name) <= MAX_NAME_LENGTH:
        return name
    digest = hashlib.sha256(body.encode()).hexdigest()[:8]
    return f"{name[: MAX_NAME_LENGTH - 9].rstrip('-._+')}-{digest}" if name else f"agent-{digest}"


def split_list(text: str) -> tuple[str, ...]:
    """Split a comma-separated list; commas within quotes do not separate.

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
        raise InputError(f"unclosed quote in {text!r}")
    return tuple(part.strip() for part in parts)
