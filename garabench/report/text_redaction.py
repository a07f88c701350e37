"""Remove what must not be published from a report: typed secrets, account names, model keys and paths.

Pictures are left out altogether: a screenshot shows what no pattern finds. From the texts that remain, the
following is removed: texts that an agent typed on screens with a password field, or that are not part of the
instruction; texts, descriptions and hints of fields that name an account; e-mail addresses; keys and tokens;
addresses; paths; serial numbers of all devices; the user's name on this computer. An agent without a label
whose text has any of these is renamed: its name was derived from that text.
"""

from __future__ import annotations

import html
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from garabench.core import events as ev
from garabench.core.campaign_events import RunBegun
from garabench.core.redaction import REDACTED, redact_key, redact_keys
from garabench.core.sections import (
    Block,
    Cell,
    Chart,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.errors import InputError
from garabench.records.campaign_log import read_campaign
from garabench.records.content_store import decompress
from garabench.records.episode import Attempt
from garabench.records.reader import Run

_COMMON_NAME = "agent"
"""A derived name that is in most sentences and reveals nothing."""
_SHORTEST = 3
"""Shorter texts are in too many words: removing every "a" would make the report unreadable."""
_MOST = 5_000
"""Characters of a typed text that are compared."""
_NODE = re.compile(rb"<node\b[^>]*>")
_PASSWORD_FIELD = re.compile(rb'\bpassword="true"')
"""In whichever field: the action that types may also be the one that focuses it."""
_ACCOUNT_FIELD = re.compile(
    rb'\bresource-id="[^"]*(?:account|user_?name|nick_?name|profile_name|e?mail|phone_?(?:num|no))[^"]*"',
    re.IGNORECASE,
)
_TEXT = re.compile(rb'\b(?:text|content-desc|hint)="([^"]+)"')
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>]+", re.IGNORECASE)
_PART = r"(?:\\ |[^\s/\\:;,\"'`<>|()\[\]{}?*=])"
"""A character of a part of a path; a space has a backslash before it."""
_PATH = re.compile(
    rf"(?<=[\"'])(?:~|\.{{1,2}})?/(?=[^\s/])[^\"'<>\n]*(?=[\"'])"  # "/home/me/my agent.py"
    rf"|(?:(?<![\w/.~])(?:~[\w-]*|\.{{1,2}})?/(?:{_PART}+/)+{_PART}*"  # /home/me/agent.py, but not "and/or"
    rf"|(?<![^\s\"'(=:,;\[])(?:~[\w-]*/|\.{{0,2}}/(?=[\w.@-]*[A-Za-z])){_PART}+)"  # /agent.py, ./agent.py
    rf"(?: {_PART}+(?:/{_PART}*)+)*"  # the rest of /home/me/my agents/agent.py
    r"|(?<!\w)[A-Za-z]:\\[^\s\"'<>|]+"  # C:\Users\me
    r"|\\\\[\w.-]+\\[^\s\"'<>|]+"
)
_OPTION = re.compile(
    r"(?<![\w-])(--(?:[a-z0-9]+[-_]){0,4}(?:key|token|password|passwd|secret)(?:\s?=\s?|\s+))"
    r"(\"[^\"]*\"|'[^']*'|(?!-)[^\s\"']+)",
    re.IGNORECASE,
)
"""A command's option with a secret: ``--api-key abc``, ``--token=abc``."""
_DEVICE = re.compile(
    r"(?<![\w-])emulator-\d{4,5}\b"
    r"|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}\b"  # 192.168.0.7:5555, but not the version 28.10.0.100
    r"|(?<![\w-])adb-[\w-]+\._adb[\w-]*\._tcp\b\.?"  # wireless debugging
)
"""Serials by their form, which older runs do not record for every device."""
_KEY_VARIABLE = re.compile(r"(?:API|ACCESS|AUTH|SECRET|PRIVATE)_?(?:KEY|TOKEN)|_TOKEN$|_KEY$|PASSWORD|SECRET")
_KEY_LENGTH = 8
_DAMAGED = (ValueError, EOFError, zlib.error)
"""What `decompress` raises."""
_VIRTUAL_LABEL = re.compile(r"phone-\d+")
_EDGE = re.compile(r"[A-Za-z0-9_]")
_NUMBER = re.compile(r"[\d.,]+")


@dataclass(frozen=True, slots=True)
class Redaction:
    """What is removed from texts.

    Attributes:
        typed: Typed texts.
        accounts: Names of accounts and users.
        keys: Keys of models.
        devices: Serial numbers.
        agents: New names of agents whose names were derived from texts with anything that is removed.
    """

    typed: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    devices: frozenset[str] = frozenset()
    agents: tuple[tuple[str, str], ...] = ()

    def text(self, text: str) -> str:
        """Return a text without what is removed."""
        for name, new in sorted(self.agents, key=lambda pair: len(pair[0]), reverse=True):
            if name in text:
                text = _renamed(text, name, new)
        for key in sorted(self.keys, key=len, reverse=True):
            text = redact_key(text, key)
        for words, mark in (
            (self.devices, "[device]"),
            (self.typed, "[typed]"),
            (self.accounts, "[account]"),
        ):
            for word in sorted(words, key=len, reverse=True):
                if word in text:
                    text = _whole(word).sub(mark, text)
        text = _OPTION.sub(rf"\1{REDACTED}", text)
        text = _EMAIL.sub("[account]", redact_keys(text))
        text = _DEVICE.sub("[device]", _ADDRESS.sub("[address]", text))
        return _PATH.sub("[path]", text).replace(REDACTED, "[key]")


def _renamed(text: str, name: str, new: str) -> str:
    """Return a text with an agent's name replaced, but not within another name or a path."""
    if text == name:
        return new
    if len(name) < _SHORTEST or name == _COMMON_NAME:
        return text
    pattern = rf"(?<![\w.+-])(?<![:.~\s]/)(?<!^/){re.escape(name)}(?![\w+-]|\.\w)"
    return re.sub(pattern, new, text)


def _whole(word: str) -> re.Pattern[str]:
    """Return a pattern that finds a word, but not within another one: "the" is not in "other".

    A number is not found within a figure either: "100" is not in "100%" or "100/152". Scripts without spaces
    between words have no such limits.
    """
    start = r"(?<![A-Za-z0-9_])" if _EDGE.match(word[0]) else ""
    end = r"(?![A-Za-z0-9_])" if _EDGE.match(word[-1]) else ""
    if _NUMBER.fullmatch(word):
        start, end = start + r"(?<!\d[./,])", end + r"(?!%|[./,]\d)"
    return re.compile(start + re.escape(word) + end)


def find_secrets(runs: Sequence[Run], environment: Mapping[str, str], users: Iterable[str] = ()) -> Redaction:
    """Return what has to be removed from a report of runs. Reads every log and every tree.

    Args:
        runs: The runs.
        environment: Environment variables; those with names of keys are keys.
        users: Names of the user of this computer.
    """
    typed: set[str] = set()
    accounts = set(users)
    devices: set[str] = set()
    for run in runs:
        devices.update(_devices(run))
        for episode in run.episodes:
            for attempt in episode.attempts:
                typed.update(_typed(attempt))
        for file in run.store.files():
            if file.path.name.endswith(".xml.gz"):
                accounts.update(_accounts(file.path.read_bytes()))
    keys = {
        value
        for name, value in environment.items()
        if _KEY_VARIABLE.search(name.upper()) and len(value) >= _KEY_LENGTH
    }
    found = Redaction(_long_enough(typed), _long_enough(accounts), frozenset(keys), _long_enough(devices))
    return replace(found, agents=tuple(_new_names(runs, found)))


def _new_names(runs: Sequence[Run], found: Redaction) -> Iterator[tuple[str, str]]:
    """Yield the names that were derived from texts with anything that is removed, and new names.

    A derived name holds the words of a command or an address. A label is the user's own choice.
    """
    agents = {agent.name: agent.text for run in runs for agent in run.agents}
    revealing = [
        name for name, text in agents.items() if not text.startswith(f"{name}=") and found.text(text) != text
    ]
    for number, name in enumerate(revealing, 1):
        yield name, f"agent {number}"


def _long_enough(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(text for text in texts if len(text.strip()) >= _SHORTEST)


def _devices(run: Run) -> Iterator[str]:
    """Yield the serials of a run's devices: of the one that it began on, and of those in its campaign log."""
    if run.environment.serial:
        yield run.environment.serial
    for event in read_campaign(run.folder):
        labels = event.devices if isinstance(event, RunBegun) else (getattr(event, "device", ""),)
        for label in labels:
            # On a cluster the name of the computer is in front.
            yield from (part for part in label.split("/") if not _VIRTUAL_LABEL.fullmatch(part))


def _typed(attempt: Attempt) -> Iterator[str]:
    """Yield the texts typed on screens with a password field, or that are not in the instruction."""
    try:
        events = attempt.events
    except InputError:
        return  # a damaged log is in no section either
    instruction, tree = "", None
    for event in events:
        if isinstance(event, ev.EpisodeStarted):
            instruction = event.instruction
        elif isinstance(event, ev.Observed):
            tree = event
        elif isinstance(event, ev.Decided) and event.action.get("type") == "type":
            text = str(event.action.get("text", ""))[:_MOST]
            if text not in instruction or (tree is not None and _has_password_field(attempt, tree)):
                yield text


def _has_password_field(attempt: Attempt, observed: ev.Observed) -> bool:
    try:
        xml = decompress(attempt.observation(observed).tree_path.read_bytes())
    except (InputError, OSError, *_DAMAGED):
        return True  # the tree is missing or damaged: the text is removed to be safe
    return any(_PASSWORD_FIELD.search(node[0]) for node in _NODE.finditer(xml))


def _accounts(compressed: bytes) -> Iterator[str]:
    """Yield the texts, descriptions and hints of fields that name an account."""
    try:
        xml = decompress(compressed)
    except _DAMAGED:
        return  # a damaged tree is in no section either
    for node in _NODE.finditer(xml):
        if _ACCOUNT_FIELD.search(node[0]):
            for text in _TEXT.finditer(node[0]):
                yield html.unescape(text[1].decode(errors="replace"))


def redact_section(section: Section, clean: Callable[[str], str]) -> Section:
    """Return a section with every text cleaned, and without its pictures."""
    return Section(section.id, clean(section.title), _blocks(section.blocks, clean))


def _blocks(blocks: Iterable[Block], clean: Callable[[str], str]) -> tuple[Block, ...]:
    found = (_block(block, clean) for block in blocks)
    return tuple(block for block in found if block is not None)


def _block(block: Block, clean: Callable[[str], str]) -> Block | None:
    match block:
        case Paragraph(text):
            return Paragraph(clean(text))
        case Table():
            columns = tuple(
                TableColumn(clean(each.title), each.format, clean(each.help)) for each in block.columns
            )
            rows = tuple(tuple(_cell(value, clean) for value in row) for row in block.rows)
            return Table(clean(block.caption), columns, rows, clean(block.note))
        case Chart():
            return replace(
                block,
                title=clean(block.title),
                x_title=clean(block.x_title),
                y_title=clean(block.y_title),
                series=tuple(_series(each, clean) for each in block.series),
            )
        case Picture():
            return None
        case Details():
            inner = _blocks(block.blocks, clean)
            return Details(clean(block.summary), inner) if inner else None


def _cell(value: Cell, clean: Callable[[str], str]) -> Cell:
    return clean(value) if isinstance(value, str) else value


def _series(series: ChartSeries, clean: Callable[[str], str]) -> ChartSeries:
    points = tuple(
        ChartPoint(clean(point.x) if isinstance(point.x, str) else point.x, point.y, point.low, point.high)
        for point in series.points
    )
    return ChartSeries(clean(series.name), points)
