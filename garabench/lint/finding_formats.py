"""Write findings for programs: JSON, GitHub's workflow commands, and SARIF 2.1.0."""

from __future__ import annotations

import enum
import importlib.metadata
import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from garabench.errors import InputError
from garabench.lint.codes import CODES, FindingLevel

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


class FindingFormat(enum.StrEnum):
    """A format for findings."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def severity_of(finding: InputError) -> FindingLevel:
    """Return the severity of a finding."""
    code = CODES.get(finding.code)
    return FindingLevel.ERROR if code is None else code.severity


def finding_row(finding: InputError) -> dict[str, Any]:
    """Return a finding as JSON-compatible data."""
    place = finding.place
    return {
        "code": finding.code,
        "severity": severity_of(finding).value,
        "file": None if place is None else place.file,
        "line": None if place is None else place.line,
        "column": None if place is None else place.column,
        "message": finding.message,
        "hint": finding.hint,
    }


def github_commands(findings: Sequence[InputError]) -> str:
    """Return the workflow commands that annotate the files of a pull request."""
    return "".join(f"{_github_command(each)}\n" for each in findings)


def _github_command(finding: InputError) -> str:
    place = finding.place
    fields = {} if place is None else {"file": place.file, "line": place.line, "col": place.column}
    fields["title"] = f"garabench {finding.code}"
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    return f"::{severity_of(finding)} {listed}::{_escaped(text)}"


def _escaped(text: str, also: str = "") -> str:
    """Escape a text for a workflow command, which ends at a line break."""
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def sarif(findings: Sequence[InputError]) -> str:
    """Return the findings as a SARIF log."""
    used = sorted({finding.code for finding in findings if finding.code in CODES})
    rules = [
        {
            "id": name,
            "shortDescription": {"text": CODES[name].description},
            "defaultConfiguration": {"level": CODES[name].severity.value},
        }
        for name in used
    ]
    version = importlib.metadata.version("garabench")
    driver = {"name": "garabench", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each) for each in findings],
    }
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _sarif_result(finding: InputError) -> dict[str, Any]:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": severity_of(finding).value,
        "message": {"text": text},
    }
    if finding.place is not None:
        path = PurePath(finding.place.file)
        result["locations"] = [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())
                    },
                    "region": {"startLine": finding.place.line, "startColumn": finding.place.column},
                }
            }
        ]
    return result
