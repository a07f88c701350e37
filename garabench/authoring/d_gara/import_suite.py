"""Import the released D-GARA data: the suite's files and a report of every fault in the data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.authoring.d_gara.conversion import ConvertedSuite, convert
from garabench.authoring.d_gara.data_fault import MEANINGS, DataFault
from garabench.authoring.d_gara.entry_faults import follow_up_faults, keyword_faults, selector_faults
from garabench.authoring.d_gara.goal_agreement import goal_faults
from garabench.authoring.d_gara.reference_faults import reference_faults
from garabench.authoring.d_gara.released_data import ReleasedData, read_released_data
from garabench.errors import InputError, RecordError
from garabench.lint.screen_texts import ScreenTexts
from garabench.suite.files import display_path

REPORT, REPORT_DATA = "import-report.md", "import-report.json"


@dataclass(frozen=True)
class ImportedSuite:
    """The outcome of an import.

    Attributes:
        suite: The converted files.
        found: The faults in the released data, by kind and then in the order of the files, with the
            suspected ones.
    """

    suite: ConvertedSuite
    found: tuple[DataFault, ...]

    @property
    def faults(self) -> tuple[DataFault, ...]:
        """The faults that the data shows."""
        return tuple(fault for fault in self.found if not fault.suspected)

    @property
    def suspected(self) -> tuple[DataFault, ...]:
        """What is a fault only if the real app differs from the data."""
        return tuple(fault for fault in self.found if fault.suspected)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "tasks": self.suite.tasks,
            "left_out": list(self.suite.left_out),
            "missing_rules": list(self.suite.missing_rules),
            "faults": [_json(fault) for fault in self.faults],
            "suspected": [_json(fault) for fault in self.suspected],
        }

    def to_markdown(self) -> str:
        """Return the report as a page: the kinds with their counts, then each fault with its location."""
        counts = Counter(fault.kind for fault in self.faults)
        lines = ["# Import of the released D-GARA data", ""]
        lines += [f"{self.suite.tasks} tasks were imported. The data has {len(self.faults)} faults.", ""]
        lines += ["| Kind | Faults | Tasks | Meaning |", "|---|---|---|---|"]
        for kind in counts:
            tasks = {task for fault in self.faults if fault.kind is kind for task in fault.tasks}
            lines.append(f"| {kind.value} | {counts[kind]} | {len(tasks)} | {MEANINGS[kind]} |")
        for kind in counts:
            lines += ["", f"## {kind.value}", "", f"{MEANINGS[kind].capitalize()}.", ""]
            lines += [
                f"- {fault.place}: {fault.message}{_affected(fault)}"
                for fault in self.faults
                if fault.kind is kind
            ]
        if self.suspected:
            about = (
                "The data does not show whether these are faults: compare the real app. They are not counted."
            )
            lines += ["", "## Suspected", "", about, ""]
            lines += [
                f"- {fault.place}: {fault.kind.value}: {fault.message}{_affected(fault)}"
                for fault in self.suspected
            ]
        lines += ["", "## Task by task", ""]
        for task in sorted({task for fault in self.faults for task in fault.tasks}):
            lines.append(f"- task {task}")
            lines += [
                f"  - {fault.kind.value}: {fault.message} ({fault.place})"
                for fault in self.faults
                if task in fault.tasks
            ]
        for title, sentences in (
            ("Imported without a rule", self.suite.missing_rules),
            ("Left out", self.suite.left_out),
        ):
            if sentences:
                lines += ["", f"## {title}", "", *(f"- {each}" for each in sentences)]
        return "\n".join(lines) + "\n"


def _json(fault: DataFault) -> dict[str, Any]:
    """Return a fault as JSON data."""
    return {
        "kind": fault.kind.value,
        "entry": fault.entry,
        "message": fault.message,
        "file": fault.place.file,
        "line": fault.place.line,
        "column": fault.place.column,
        "tasks": list(fault.tasks),
    }


def _affected(fault: DataFault) -> str:
    """Name the tasks that a fault affects, unless it is in the task itself."""
    if not fault.tasks or fault.entry == str(fault.tasks[0]):
        return ""
    listed = ", ".join(map(str, fault.tasks))
    return f" (task {listed})" if len(fault.tasks) == 1 else f" (tasks {listed})"


def find_faults(data: ReleasedData, screens: ScreenTexts | None = None) -> tuple[DataFault, ...]:
    """Find every fault in the released data, and what may be one.

    Args:
        data: The data.
        screens: The texts on the apps' screens; default: the bundled ones.
    """
    return tuple(
        sorted(
            _faults(data, screens or ScreenTexts.load()),
            key=lambda fault: (_ORDER[fault.kind], fault.place.line),
        )
    )


_ORDER = {kind: number for number, kind in enumerate(MEANINGS)}


def _faults(data: ReleasedData, screens: ScreenTexts) -> Iterator[DataFault]:
    yield from reference_faults(data)
    yield from goal_faults(data)
    yield from selector_faults(data)
    yield from follow_up_faults(data)
    yield from keyword_faults(data, screens)


def import_d_gara(source: Path, out: Path) -> ImportedSuite:
    """Import the released data as a suite, with a report of its faults.

    Args:
        source: The folder with the four released files.
        out: The folder of the suite; it must not exist, or be empty.

    Raises:
        InputError: The data cannot be read, or the folder is not empty.
        RecordError: The files cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{display_path(out)} already exists", hint="Choose another folder with --out.")
    data = read_released_data(source)
    imported = ImportedSuite(convert(data), find_faults(data))
    try:
        for name, text in imported.suite.files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (out / REPORT).write_text(imported.to_markdown(), encoding="utf-8")
        report = json.dumps(imported.to_json(), ensure_ascii=False, indent=2)
        (out / REPORT_DATA).write_text(report + "\n", encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{display_path(out)} cannot be written: {error.strerror or error}") from error
    return imported
