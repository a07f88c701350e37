"""``garabench interruptions``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.cli.lazy import LazyGroup
from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.names import did_you_mean
from garabench.errors import InputError
from garabench.interruptions.system.anomaly import Anomaly
from garabench.interruptions.system.catalogue import ANOMALIES, NOT_OFFERED
from garabench.interruptions.system.words import in_force, undone

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(cls=LazyGroup, places={"gallery": "garabench.cli.gallery"})
def interruptions() -> None:
    """Interruptions: the library's windows, and the anomalies of the system itself.

    \b
    Example:
        garabench interruptions list
    """


@interruptions.command("list")
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_(root: Path | None, as_json: bool) -> None:
    """List what there is: category, severity, Android versions and what it is.

    Rules inject windows and a suite's anomalies by their ids; an anomaly is one of the system's to which a
    suite gives a name and a value.

    \b
    Example:
        garabench interruptions list
    """
    suite = Suite.load(root)
    rows = [
        *(_of_library(each) for each in suite.interruptions.values()),
        *(_of_suite(each) for each in suite.anomalies.values()),
        *(_of_system(each) for each in ANOMALIES.values()),
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
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def show(name: str, root: Path | None, as_json: bool) -> None:
    """Show one: what it says, its buttons or what it changes, how it is seen and put back.

    \b
    Example:
        garabench interruptions show airplane-mode
    """
    suite = Suite.load(root)
    library, anomalies = suite.interruptions, suite.anomalies
    if name in library:
        row = _of_library(library[name]) | {"title": library[name].title, "message": library[name].message}
        row["buttons"] = [
            f"{button.key} ({button.role.value}{', easy' if button.easy else ''})"
            for button in library[name].buttons
        ]
    elif name in anomalies:
        row = _of_suite(anomalies[name])
    elif name in ANOMALIES:
        row = _of_system(ANOMALIES[name])
    elif name in NOT_OFFERED:
        raise InputError(f"there is no {name}: {NOT_OFFERED[name]}")
    else:
        known = [*library, *anomalies, *ANOMALIES]
        raise InputError(f"no interruption is called {name!r}", hint=did_you_mean(name, known))
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
        return
    for key, value in row.items():
        if isinstance(value, dict):
            value = "; ".join(f"{language}: {text}" for language, text in value.items())
        click.echo(f"{key:12} {'; '.join(value) if isinstance(value, list) else value}")


def _of_library(each: Interruption) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": "window",
        "category": each.category.value,
        "severity": each.severity.value,
        "android": "4.4 and newer",
        "devices": "any",
        "description": each.description,
    }


def _of_suite(each: SystemInterruption) -> dict[str, Any]:
    """An anomaly as the suite names it: what the system's own is, with the value that is given."""
    anomaly = ANOMALIES[each.system]
    row = _of_system(anomaly) | {"id": each.id, "kind": "anomaly", "description": each.description}
    if anomaly.parameter is not None:
        row["value"] = each.value or anomaly.parameter.default
    return row | {"system": each.system}


def _of_system(each: Anomaly) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": each.id,
        "kind": "system",
        "category": each.category.value,
        "severity": each.severity.value,
        "android": each.versions,
        "devices": each.kind.value,
        "description": each.description,
        "says": dict(each.says),
        "seen": list(in_force(each)),
        "answered": each.over.value,
        "undo": list(undone(each)) or ["it changes nothing that lasts"],
    }
    if each.parameter is not None:
        row["value"] = f"{each.parameter.what}; {each.parameter.default} unless given"
    if each.leaves:
        row["leaves"] = each.leaves
    return row
