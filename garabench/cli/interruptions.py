"""``garabench interruptions``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from garabench.cli.command_classes import LazyGroup
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.anomalies.anomaly import Anomaly
from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.interruptions.system.descriptions import undoing_commands, verifying_commands
from garabench.suite.suite import Suite

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(cls=LazyGroup, modules={"gallery": "garabench.cli.interruptions_gallery"})
def interruptions() -> None:
    """List, show and draw interruptions.

    An interruption is a window of the companion app or an anomaly of the system.

    \b
    Example:
        garabench interruptions list
    """


@interruptions.command("list")
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(root: Path | None, as_json: bool) -> None:
    """List all interruptions.

    The columns are id, kind, category, severity, Android versions and description. The kinds are `window` (a
    window of the companion app), `system` (an anomaly of Android itself) and `anomaly` (a system anomaly to
    which the suite gives a name and a value).

    \b
    Example:
        garabench interruptions list
    """
    suite = Suite.load(root)
    rows = [
        *(_window_row(each) for each in suite.interruptions.values()),
        *(_named_anomaly_row(each) for each in suite.anomalies.values()),
        *(_anomaly_row(each) for each in ANOMALIES.values()),
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        where = row["android"] if row["devices"] == "any" else f"{row['android']}, {row['devices']}"
        click.echo(
            f"{row['id']:24} {row['kind']:8} {row['category']:11} {row['severity']:7} {where:26} "
            f"{row['description']}"
        )


@interruptions.command()
@click.argument("name", metavar="INTERRUPTION")
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def show(name: str, root: Path | None, as_json: bool) -> None:
    """Show the details of an interruption.

    For a window, these are its texts and buttons; for an anomaly, its changes and how they are undone.

    \b
    Example:
        garabench interruptions show airplane-mode
    """
    suite = Suite.load(root)
    library, anomalies = suite.interruptions, suite.anomalies
    if name in library:
        row = _window_row(library[name]) | {"title": library[name].title, "message": library[name].message}
        row["buttons"] = [
            f"{button.key} ({button.role.value}{', easy' if button.easy else ''})"
            for button in library[name].buttons
        ]
    elif name in anomalies:
        row = _named_anomaly_row(anomalies[name])
    elif name in ANOMALIES:
        row = _anomaly_row(ANOMALIES[name])
    elif name in NOT_OFFERED:
        raise InputError(f"{name} is not available: {NOT_OFFERED[name]}")
    else:
        known = [*library, *anomalies, *ANOMALIES]
        raise InputError(f"unknown interruption {name!r}", hint=did_you_mean(name, known))
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
        return
    for key, value in row.items():
        if isinstance(value, dict):
            value = "; ".join(f"{language}: {text}" for language, text in value.items())
        click.echo(f"{key:12} {'; '.join(value) if isinstance(value, list) else value}")


def _window_row(each: Interruption) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": "window",
        "category": each.category.value,
        "severity": each.severity.value,
        "android": "4.4 and newer",
        "devices": "any",
        "description": each.description,
    }


def _named_anomaly_row(each: SystemInterruption) -> dict[str, Any]:
    """Return the row of a system anomaly to which the suite gives a name and a value."""
    anomaly = ANOMALIES[each.system]
    row = _anomaly_row(anomaly) | {"id": each.id, "kind": "anomaly", "description": each.description}
    if anomaly.parameter is not None:
        row["value"] = each.value or anomaly.parameter.default
    return row | {"system": each.system}


def _anomaly_row(each: Anomaly) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": each.id,
        "kind": "system",
        "category": each.category.value,
        "severity": each.severity.value,
        "android": each.versions,
        "devices": each.devices.value,
        "description": each.description,
        "notice": dict(each.notice),
        "verified_by": list(verifying_commands(each)),
        "answered": each.answered_when.value,
        "undo": list(undoing_commands(each)) or ["nothing to undo"],
    }
    if each.parameter is not None:
        row["value"] = f"{each.parameter.meaning}; default: {each.parameter.default}"
    if each.leaves:
        row["leaves"] = each.leaves
    return row
