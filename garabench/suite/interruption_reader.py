"""Read the interruptions of a suite, and the system anomalies that it declares."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.core.interruption import Interruption, InterruptionFile, SystemInterruption
from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.suite.borrowing import Borrowed
from garabench.suite.files import (
    ParsedFile,
    SuiteFiles,
    holds_interruptions,
    shown_interruptions,
    valid_entries,
)
from garabench.suite.symbols import SymbolTable


def interruption_files(files: SuiteFiles) -> Sequence[ParsedFile[Interruption]]:
    """Return the usable content of the files with interruptions."""
    return files.each("rules", InterruptionFile, "interruptions", Interruption, holds_interruptions)


def read_interruptions(
    names: SymbolTable, borrowed: Borrowed
) -> tuple[dict[str, Interruption], dict[str, SystemInterruption]]:
    """Read the interruptions and the declared system anomalies, each by id.

    Args:
        names: Where they are registered; collects the mistakes.
        borrowed: What is used of the built-in suite, which the result contains.
    """
    result: dict[str, Interruption] = dict(borrowed.interruptions)
    anomalies: dict[str, SystemInterruption] = dict(borrowed.anomalies)
    faulty: list[tuple[YamlDoc, DocPath]] = []
    for file in interruption_files(names.files):
        for place, item in file.entries:
            if names.register("interruption", item.id, file.doc, ("interruptions", place)):
                result[item.id] = item
        names.register_faulty("interruption", "interruptions", file)
        faulty += [(file.doc, ("interruptions", place, "buttons")) for place, _ in file.faulty]
        for place, use in valid_entries(file.doc.data, "anomalies", SystemInterruption):
            here = ("anomalies", place)
            if names.register("interruption", use.id, file.doc, here) and _is_offered(
                names, use, file.doc, here
            ):
                anomalies[use.id] = use
    valid = [
        (doc, (*at, "buttons"))
        for doc, at in (
            names.places["interruption", name] for name in result if name not in borrowed.interruptions
        )
    ]
    for doc, at in (*valid, *faulty):
        for path, name in shown_interruptions(doc.value(at), at):
            names.resolve("interruption", name, result, doc, path)
    return result, anomalies


def _is_offered(names: SymbolTable, use: SystemInterruption, doc: YamlDoc, path: DocPath) -> bool:
    """Return whether the catalog has the anomaly and accepts the value; report an error otherwise."""
    anomaly = ANOMALIES.get(use.system)
    if anomaly is None:
        reason = NOT_OFFERED.get(use.system)
        message = f"unknown system anomaly {use.system!r}" + (f": {reason}" if reason else "")
        hint = "" if reason else did_you_mean(use.system, ANOMALIES)
        names.errors.append(doc.error((*path, "system"), message, hint=hint))
    elif problem := anomaly.value_problem(use.value):
        names.errors.append(doc.error((*path, "value"), problem))
    else:
        return True
    names.files.unusable.setdefault(InterruptionFile, set()).add(use.id)
    return False
