"""The project's texts are plain English: turns of phrase that made readers stumble are refused."""

from __future__ import annotations

import ast
import functools
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from garabench.cli.main import main
from tests.cases import every_case

ROOT = Path(__file__).parents[1]
HABITS = {
    r"\b(go|goes|going|gone|went) on with\b": "resume, continue",
    r"\bstands? twice\b": "duplicate",
    r"\bha(s|ve) to stand\b": "expected …, is required",
    r"\b(that|which) (is|are) none\b": "fake, not a …",
    r"\b(is|are) none of\b": "is not a …",
    r"\b(is|are|was|were) told (by|of)\b": "is reported, is printed",
    r"\b(tell|tells|told|telling) of\b": "report, describe",
    r"\b(as|what) (it|they|is|are|was|were) (is |are |was |were )?told\b": "as reported, the brief",
    r"\b(a|an|agents?|files?|names?) of one's own\b": "your own …",
    r"\b(can|could|cannot|to) be had\b": "is available",
    r"\bbe it (a|an|the|that|by|in|of|on)\b": "whether … or …",
    r"\bof no use\b": "unusable",
    r"\bsuch a one\b": "one",
    r"\bbroken off\b": "interrupted, killed",
    r"(?<!here )\b(is|are) no (?!longer\b|more\b)": "is not a …",
    r"\bmend(s|ed|ing)?\b": "fix, correct",
    r"[a-z]your\b": "a word that a replacement has broken",
    r"\bone's own\b|\b(at|by|in|of|on|to|under|with) one's\b": "the user's, your",
    r"\bhow many (there|they) are\b": "the number of …",
    r"\d %(?=[.,;:)](?!\d)| (of|in|with|under|interval|CI|are|is|and|or)\b)": "95%",
    r"\b(run|episode|output)('s)? director(y|ies)\b": "folder",
    r"\b(is|are) come to\b|\bnone else\b": "is reached, no other",
}
"""Patterns that are refused, and what to write instead."""
PROSE_HABITS = {
    r"\bwhatever\b": "any, regardless of",
    r"\b(an?|no|one|any) (\w+ )?of (its|their|your) own\b": "a separate …, its own …",
    r"\bbeside\b": "next to, in addition to",
}
"""Patterns that pages and docstrings avoid as well; data and prompts may have them."""
UNMENDED = frozenset[str]()
"""Files that are still to be mended: this list may only shrink."""
VERBS = """
    Accept Add Allow Answer Appear Append Assume Boot Break Cache Check Choose Collect Compare Connect
    Create Delay Delete Derive Diagnose Discount Download Draw Emulate End Explain Fail Fix Give Include
    Inject Install Judge Label Let Limit List Listen Log Mark Match Measure Merge Name Offer Open Parse
    Perform Post Predict Press Print Produce Prove Read Record Refuse Remove Repair Repeat Replace Reply
    Require Restart Restore Resume Retry Reuse Run Save Select Send Serve Set Show Shuffle Simulate
    Solve State Stop Store Switch Tap Test Try Uninstall Use Visit Wait Watch Write
"""
"""The words with which the help of an option may begin: each states what the option does."""
CONDITION = re.compile(r"(With --[a-z-]+(?: and --[a-z-]+)?[:,] (?:also )?|Also )(\w)")
"""What may stand before the verb."""


COMMENT = re.compile(r"(?:^ *|  )# (.*)$", re.MULTILINE)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
ANY_HABIT = re.compile("|".join(HABITS), re.IGNORECASE)


@functools.cache
def found(name: str) -> tuple[str, ...]:
    """The refused phrases of a file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        only_docstrings = name.startswith("garabench/virtual/apps/")
        parts = docstrings(name) if only_docstrings else strings_and_comments(name)
    else:
        parts = tuple(suite_texts(text)) if name.endswith(".yaml") else (text,)
    return tuple(
        f"{name}: {match[0]!r} (write: {instead})"
        for line in (" ".join(part.split()) for part in parts)
        if ANY_HABIT.search(line)
        for pattern, instead in HABITS.items()
        for match in re.finditer(pattern, line, re.IGNORECASE)
    )


def docstrings(name: str) -> tuple[str, ...]:
    """The docstrings of a file."""
    return tuple(text for is_docstring, text in texts_of(name) if is_docstring)


def strings_and_comments(name: str) -> tuple[str, ...]:
    """The strings of a file, among them its docstrings, and its comments."""
    return tuple(text for is_docstring, text in texts_of(name) if not is_docstring)


@functools.cache
def texts_of(name: str) -> tuple[tuple[bool, str], ...]:
    """The texts of a Python file, which is parsed once for all tests."""
    return tuple(texts_in((ROOT / name).read_text(encoding="utf-8")))


def texts_in(source: str) -> Iterator[tuple[bool, str]]:
    """Yield the docstrings of a module, with True, and all its strings and comments, with False."""
    for comment in COMMENT.findall(source):
        yield False, comment
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield True, ast.get_docstring(node) or ""
        elif isinstance(node, ast.JoinedStr):
            text = "".join(
                part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "0"
                for part in node.values
            )
            yield False, text
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield False, node.value


SUITE_FOLDERS = ("goal_schemas", "rules", "tasks")
LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def suite_texts(source: str) -> Iterator[str]:
    """The comments of a suite file, and its texts for readers: the rest is data."""
    yield from COMMENT.findall(source)
    yield from described(yaml.load(source, Loader=LOADER), "")  # noqa: S506 - a safe loader


def described(value: object, key: str) -> Iterator[str]:
    """The texts below a key: those of descriptions, reasons and names, but no parameters of goals."""
    if isinstance(value, dict):
        for below, held in value.items():
            if below not in {"with", "instruction"}:
                yield from described(held, "because" if key == "because" else below)
    elif isinstance(value, list):
        for held in value:
            yield from described(held, key)
    elif isinstance(value, str):
        if key in {"description", "reason", "because", "object"}:
            yield value
        elif key in {"id", "name", "use"}:
            yield value.replace("-", " ")


FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(path for folder in ("garabench", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "schemas").glob("*.json"),
        *(path for folder in SUITE_FOLDERS for path in (ROOT / folder).glob("*.yaml")),
        *ROOT.glob("*.md"),
    )
    if path != Path(__file__)  # its examples are the refused phrases
)


def test_nothing_is_written_in_a_refused_phrase() -> None:
    assert [phrase for name in FILES if name not in UNMENDED for phrase in found(name)] == []


def prose(name: str) -> str:
    """Return the text of a page, or the docstrings of a module, without code."""
    is_module = name.endswith(".py")
    text = "\n".join(docstrings(name)) if is_module else (ROOT / name).read_text(encoding="utf-8")
    return CODE.sub("", text)


def test_pages_and_docstrings_avoid_further_phrases() -> None:
    assert [
        f"{name}: {match[0]!r} (write: {instead})"
        for name in FILES
        if name.endswith((".md", ".py"))
        for text in [prose(name)]
        for pattern, instead in PROSE_HABITS.items()
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ] == []


def test_the_list_of_unmended_files_only_shrinks() -> None:
    assert {name for name in UNMENDED if name not in FILES or not found(name)} == set()


@pytest.mark.parametrize(
    "text",
    [
        "the key stands twice",
        "Whether this run can be gone on with",
        "a text has to stand here",
        "Serve a model that is none",
        "near misses that are none of their own",
        "What agents of one's own have told",
        "every kill is told of",
        "it is no reply of the model",
        "the first row is no header",
        "the command that mends it",
        "The list of one's posts",
        "how many there are",
        "the one comment and none else",
        "with 95 % of the runs",
        "the run directory",
    ],
)
def test_the_patterns_refuse_what_they_were_written_for(text: str) -> None:
    assert any(re.search(pattern, text) for pattern in HABITS)


def test_the_texts_of_a_module_are_its_strings_and_comments() -> None:
    source = """
    # above
    report(f"{name!r} is no {what}", "plain")  # beside
    """
    found = {text for is_docstring, text in texts_in(textwrap.dedent(source)) if not is_docstring}
    assert {"above", "beside", "0 is no 0", "plain"} <= found


def test_the_texts_of_a_suite_file_are_its_comments_descriptions_and_reasons() -> None:
    source = """
    # above
    tasks:
      - id: some-id
        description: its description
        instruction: {en: an instruction}
        goal: {use: a-goal, with: {reason: a parameter}}
        infeasible: {because: {en: why not}}
        solution: [{tap: {text: "Order # 1"}}]  # beside
    """
    assert sorted(suite_texts(source)) == [
        "a goal",
        "above",
        "beside",
        "its description",
        "some id",
        "why not",
    ]


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            yield from commands(below, f"{name} {word}")


COMMANDS = dict(commands(main, "garabench"))


@every_case("name", COMMANDS)
def test_the_help_of_a_command_says_what_it_and_its_options_do(name: str) -> None:
    first = (COMMANDS[name].help or "").strip().partition("\n\n")[0]
    assert first.endswith("."), "the help begins with a sentence"
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option):
            text = option.help or ""
            assert text and text[0].isupper() and text.endswith("."), f"{option.opts[0]}: {text!r}"
            words = CONDITION.sub(lambda match: match[2].upper(), text)
            first_word = re.split(r"\W", words, maxsplit=1)[0]
            assert first_word in VERBS.split(), f"{option.opts[0]} begins with a verb: {text!r}"


METAVARS = {
    "--device": {"DEVICE", "SERIAL"},
    "--tasks": {"SELECTOR", "LIST"},
    "--agents": {"LIST"},
    "--conditions": {"LIST"},
    "--suite": {"DIR"},
    "--prices": {"FILE"},
    "--replay": {"RUN"},
    "--cache-replies": {"DIR"},
    "--judge": {"NAME"},
}
"""What the help calls the values of options that several commands have."""


@every_case("name", COMMANDS)
def test_the_help_names_the_values_of_shared_options_alike(name: str) -> None:
    context = click.Context(COMMANDS[name])
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and not option.is_flag:
            shown = option.make_metavar(context)
            assert shown != "DIRECTORY", f"{option.opts[0]}: write DIR"
            assert shown in METAVARS.get(option.opts[0], {shown}), f"{option.opts[0]} {shown}"
