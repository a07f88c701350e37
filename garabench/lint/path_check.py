"""Check files and folders: whole suites, files and folders of a suite, and files outside of one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel

from garabench.caret import SourcePlace
from garabench.core.goal import GoalFile
from garabench.core.interruption import InterruptionFile
from garabench.core.rule import RuleFile
from garabench.core.task import TaskFile
from garabench.core.yamldoc import decode_text, parse_yaml
from garabench.errors import CombinedInputError, InputError
from garabench.lint.codes import FindingLevel
from garabench.lint.finding_formats import severity_of
from garabench.lint.repairs import RepairedFile, repair_file
from garabench.lint.suite_check import CheckResult, find_mistakes, find_mistakes_in_loose_file
from garabench.suite.files import (
    APPS_FOLDER,
    FOLDERS,
    default_root,
    display_path,
    is_suite,
    model_by_content,
    read_bytes,
)
from garabench.suite.suite import Suite

_SUFFIX = ".yaml"
_KIND_OF_MODEL: Mapping[type[BaseModel], str] = {
    TaskFile: "tasks",
    GoalFile: "goals",
    RuleFile: "rules",
    InterruptionFile: "interruptions",
}
KINDS = ("tasks", "infeasible", "goals", "rules", "interruptions", "anomalies")
"""The kinds of entries of a suite, each a list in its files."""
_APP_KEYS = (re.compile(rb"^package\s*:", re.MULTILINE), re.compile(rb"^screens\s*:", re.MULTILINE))
_NAMED = ", ".join(f"{folder}/" for folder in FOLDERS)


@dataclass(frozen=True, slots=True)
class PathCheck:
    """The result of checking one path.

    Attributes:
        findings: The mistakes in the order of files and lines.
        silenced: Number of warnings that comments silence.
        summary: What is valid, in one line; empty if there are mistakes.
        counts: Number of entries by kind (``tasks``, ``goals``, ``rules`` …) that were checked.
        suite: The usable part of the suite, if the path is a whole suite; otherwise None.
    """

    findings: tuple[InputError, ...]
    silenced: int
    summary: str
    counts: Mapping[str, int] = field(default_factory=dict)
    suite: Suite | None = None

    @property
    def failed(self) -> bool:
        """Whether there is an error, not only warnings."""
        return any(severity_of(each) is FindingLevel.ERROR for each in self.findings)


AppCheck = Callable[[Path], Sequence[InputError]]
"""Returns the mistakes in the file of an app."""


def check_paths(
    paths: Sequence[Path | None],
    folders: Sequence[str] = FOLDERS,
    *,
    check_app: AppCheck = lambda path: (),
) -> tuple[PathCheck, ...]:
    """Check paths.

    Args:
        paths: Files and folders; None for the built-in suite.
        folders: Report warnings only in files of these folders of a suite.
        check_app: Checks the files of apps, those of suites included.
    """
    check = lru_cache(maxsize=None)(find_mistakes)
    return tuple(result for path in paths for result in _check(path, folders, check, check_app))


def repaired_files(paths: Sequence[Path | None]) -> Iterator[tuple[Path, RepairedFile]]:
    """Iterate over the files with mechanical mistakes; the caller writes those that were repaired.

    Args:
        paths: Files and folders; None for the built-in suite.
    """
    unused: dict[str, list[int]] = {}
    for check in check_paths(paths):
        for each in check.findings:
            if each.code == "unused-ignore" and each.place is not None:
                unused.setdefault(each.place.file, []).append(each.place.line)
    for path in (file.absolute() for each in paths for file in _repairable(each)):
        try:
            data = read_bytes(path)
        except InputError:
            continue  # the check reports it
        result = repair_file(data, _schema_line(path), unused.get(display_path(path), ()))
        if result.repairs or result.left:
            yield path, result


def _repairable(path: Path | None) -> Iterator[Path]:
    root = default_root() if path is None else path
    if root.is_file():
        yield root
    elif is_suite(root):
        for folder in (*FOLDERS, APPS_FOLDER):
            yield from sorted((root / folder).glob(f"*{_SUFFIX}"))
    else:
        yield from sorted(each for each in root.rglob(f"*{_SUFFIX}") if each.is_file())


def _schema_line(path: Path) -> str:
    """Return the line that names a file's schema to editors; empty if its suite has no schemas."""
    model = model_by_content(read_bytes(path))
    kind = _KIND_OF_MODEL.get(model) if model is not None else "app" if _is_app_file(path) else None
    if kind is None or not (path.parent.parent / "schemas" / f"{kind}.schema.json").is_file():
        return ""
    return f"# yaml-language-server: $schema=../schemas/{kind}.schema.json"


def _check(
    path: Path | None,
    folders: Sequence[str],
    check: Callable[[Path | None], CheckResult],
    check_app: AppCheck,
) -> Iterator[PathCheck]:
    try:
        if path is not None and not os.access(path, os.F_OK):  # also if a folder on the way is unreadable
            raise InputError("no such file or folder")
        if path is None or (path.is_dir() and is_suite(path)):
            yield _suite(check(path), folders, check_app)
        elif path.is_dir():
            for each in _files_in(path):
                yield from _check(each, folders, check, check_app)  # each by itself: one may be unreadable
        else:
            yield _file(path, check, check_app)
    except InputError as error:
        errors = error.errors if isinstance(error, CombinedInputError) else (error,)
        for mistake in errors:
            mistake.code = mistake.code or "invalid-file"
            if mistake.place is None and path is not None:  # programs that read findings need a file
                mistake.place = SourcePlace(display_path(path.absolute()), 1, 1)
        yield PathCheck(errors, 0, "")


def _suite(result: CheckResult, folders: Sequence[str], check_app: AppCheck) -> PathCheck:
    of_apps = (each for file in result.suite.app_files for each in _app_mistakes(file, check_app))
    findings = (
        *(
            each
            for each in result.findings
            if severity_of(each) is FindingLevel.ERROR or folders == FOLDERS or _is_in(each, folders)
        ),
        *of_apps,
    )
    return PathCheck(
        findings,
        result.silenced,
        "" if findings else _counted_suite(result.suite),
        {kind: len(getattr(result.suite.own, kind)) for kind in KINDS},
        result.suite,
    )


def _is_in(finding: InputError, folders: Sequence[str]) -> bool:
    return finding.place is not None and Path(finding.place.file).parent.name in folders


def _files_in(folder: Path) -> Sequence[Path]:
    files = sorted(each for each in folder.rglob(f"*{_SUFFIX}") if each.is_file())
    if not files:
        raise InputError(
            f"{display_path(folder.absolute())} is not a suite: it has none of the folders {_NAMED}",
            hint=f"It has no YAML file either. Create a suite: garabench init {folder}",
        )
    return files


def _app_mistakes(path: Path, check_app: AppCheck) -> tuple[InputError, ...]:
    found = tuple(check_app(Path(display_path(path))))
    for each in found:
        each.code = each.code or "invalid-file"
    return found


def _is_app_file(path: Path) -> bool:
    """Return whether a file declares an app of the virtual phone."""
    if path.parent.name == APPS_FOLDER and is_suite(path.parent.parent):
        return True
    data = read_bytes(path)
    return model_by_content(data) is None and all(key.search(data) for key in _APP_KEYS)


def _file(path: Path, check: Callable[[Path | None], CheckResult], check_app: AppCheck) -> PathCheck:
    whole = path.absolute()
    shown = display_path(whole)
    if path.suffix != _SUFFIX:
        raise InputError("not a suite file", hint=f"The names of suite files end in {_SUFFIX}.")
    if _is_app_file(whole):
        of_app = _app_mistakes(whole, check_app)
        return PathCheck(of_app, 0, "" if of_app else f"{shown}: app OK")
    in_suite = whole.parent.name in FOLDERS and is_suite(whole.parent.parent)
    result = check(whole.parent.parent) if in_suite else find_mistakes_in_loose_file(whole)
    own = tuple(each for each in result.findings if not in_suite or (each.place and each.place.file == shown))
    if own:
        return PathCheck(own, result.silenced, "", _entries_of(whole))
    summary = f"{shown}: {_counted(whole)} OK"
    if others := len(result.findings):
        mistakes = "mistake" if others == 1 else "mistakes"
        summary += f"; other files of the suite have {others} {mistakes}."
    return PathCheck((), result.silenced, summary, _entries_of(whole))


def _counted(path: Path) -> str:
    """Count the entries of a valid file by kind, in words."""
    data = read_bytes(path)
    model = model_by_content(data)
    if model is None:
        return "0 entries"
    counts = _entries_of(path)
    return (
        " and ".join(_number(count, kind) for kind, count in counts.items() if count)
        or f"0 {next(iter(counts), 'entries')}"
    )


def _entries_of(path: Path) -> Mapping[str, int]:
    """Count the entries of a file by kind, as written; empty if it is not YAML with entries."""
    data = read_bytes(path)
    model = model_by_content(data)
    if model is None:
        return {}
    shown = display_path(path)
    try:
        document = parse_yaml(decode_text(data, shown), shown)
    except InputError:
        return {}  # among the findings
    values = {kind: document.value((kind,)) for kind in KINDS if kind in model.model_fields}
    counts = {kind: len(value) if isinstance(value, list) else 0 for kind, value in values.items()}
    if "tasks" in counts and isinstance(values["tasks"], list):
        infeasible = sum(isinstance(each, dict) and "infeasible" in each for each in values["tasks"])
        counts |= {"tasks": counts["tasks"] - infeasible, "infeasible": infeasible}
    return counts


def _number(count: int, kind: str) -> str:
    one = "anomaly" if kind == "anomalies" else kind[:-1]
    return f"{count} {one if count == 1 else kind}"


def _counted_suite(suite: Suite) -> str:
    """Count the entries of a valid suite, in words."""
    own = suite.own
    tasks = _number(len(own.tasks), "tasks")
    if own.infeasible:
        tasks += f" and {len(own.infeasible)} infeasible ones"
    counts = f"{tasks}, {_number(len(own.goals), 'goals')}, {counted_rules(own)}"
    borrowed = f", with {_entries(len(suite.borrowed))} of the built-in suite" if suite.borrowed else ""
    return f"{counts} are valid{borrowed} (suite {suite.digest[:12]})."


def _entries(count: int) -> str:
    return "one entry" if count == 1 else f"{count} entries"


def counted_rules(suite: Suite) -> str:
    """Count the rules, interruptions and anomalies of a suite, in words."""
    anomalies = _number(len(suite.anomalies), "anomalies") if suite.anomalies else ""
    windows = len(suite.interruptions)
    shown = _number(windows, "interruptions") if windows or not anomalies else ""
    return " and ".join(filter(None, (_number(len(suite.rules), "rules"), shown, anomalies)))
