"""``garabench tasks texts``: collect the texts that the apps' screens show."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.core.phrases import counted
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.lint.screen_texts import BUNDLED, FOLDER, AppTexts
from garabench.suite.suite import Suite

_MOST_LISTED = 5


@click.command(cls=Command)
@click.argument("apps", metavar="[APP]...", nargs=-1)
@suite_option
@click.option(
    "--jobs",
    type=click.IntRange(1, 16),
    default=2,
    show_default=True,
    help="Use this number of parallel processes.",
)
@click.option("--stale", is_flag=True, help="Visit only apps whose sources have changed.")
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 if a file is out of date.")
@report_errors
def texts(apps: tuple[str, ...], root: Path | None, jobs: int, stale: bool, check: bool) -> None:
    """Save all texts on the screens of the virtual phone's apps.

    `garabench check` looks up keywords and ids in these texts. Each APP is a package or a short name such as
    jd; the default is all apps, which takes minutes. The crawler also performs the solutions of the suite's
    tasks, since they reach more screens. The texts of your own suite are saved in its folder.

    \b
    Example:
        garabench tasks texts com.android.settings --check
        garabench tasks texts --stale
    """
    from garabench.screens.fingerprint import texts_fingerprint
    from garabench.screens.text_crawler import all_apps, crawl_texts  # slow: loads all apps

    suite = Suite.load(root)
    folder = BUNDLED if root is None else root / FOLDER
    system = {app.package: app.system for app in all_apps()}
    named = _packages(suite, apps, frozenset(system))
    fingerprints = {app.package: texts_fingerprint(app) for app in all_apps()}
    if stale:
        candidates = named or tuple(app.package for app in all_apps() if app.launcher)
        named = tuple(name for name in candidates if _saved_fingerprint(folder, name) != fingerprints[name])
        if not named:
            click.echo("The texts are up to date: no app's source has changed.")
            return
    crawled = crawl_texts(suite, jobs=jobs, packages=named)
    if named:  # other apps were only passed through
        crawled = {package: found for package, found in crawled.items() if package in named}
    outdated = 0
    for package, found in sorted(crawled.items()):
        path = folder / f"{package}.json"
        before = AppTexts.read(path).texts if path.exists() else frozenset[str]()
        if named and system[package]:
            found = found | before  # the rest was seen in other apps
        if check and found != before:
            outdated += 1
            click.echo(f"{path}: {_changes(found - before, before - found)}")
        elif not check:
            updated = AppTexts(package, found, system[package], fingerprints[package])
            write_file(path, updated.to_json().encode())
            click.echo(f"{path}: {len(found)} texts")
    if outdated:
        click.echo("Update them: garabench tasks texts", err=True)
        raise click.exceptions.Exit(1)
    if check:
        click.echo(f"{folder} is up to date ({counted(len(crawled), 'app')}).")


def _saved_fingerprint(folder: Path, package: str) -> str:
    """Return the source fingerprint that a file records; empty if there is no file."""
    path = folder / f"{package}.json"
    return AppTexts.read(path).made_from if path.exists() else ""


def _packages(suite: Suite, apps: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    short_names = {item.group: item.app for item in suite.tasks.values()}
    found = [short_names.get(app, app) for app in apps]
    for app in found:
        if app not in known:
            hint = did_you_mean(app, {*short_names, *known})
            raise InputError(f"unknown app {app!r} of the virtual phone", hint=hint)
    return tuple(dict.fromkeys(found))


def _changes(new: frozenset[str], missing: frozenset[str]) -> str:
    """Summarize new and missing texts."""
    parts = []
    for texts_of_kind, kind in ((new, "new"), (missing, "missing")):
        if texts_of_kind:
            number = len(texts_of_kind)
            listed = ", ".join(repr(text[:40]) for text in sorted(texts_of_kind)[:_MOST_LISTED])
            parts.append(f"{number} {kind}: {listed}" + (", …" if number > _MOST_LISTED else ""))
    return "; ".join(parts)
