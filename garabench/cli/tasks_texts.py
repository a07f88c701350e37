"""``garabench tasks texts``: collect the texts that the apps' screens show."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.check import counted
from garabench.cli.errors import report_errors
from garabench.cli.output_files import write
from garabench.core.identifiers import did_you_mean
from garabench.errors import InputError
from garabench.lint.screen_texts import FOLDER, KEPT, AppTexts
from garabench.suite.suite import Suite

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FEW = 5


@click.command()
@click.argument("apps", metavar="[APP]...", nargs=-1)
@click.option(
    "--suite",
    "root",
    type=_FOLDER,
    help="Folder of the suite, which also receives the texts; default: the bundled suite.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 16), default=2, show_default=True, help="Number of parallel processes."
)
@click.option("--stale", is_flag=True, help="Only visit apps whose sources have changed.")
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 if a file is out of date.")
@report_errors
def texts(apps: tuple[str, ...], root: Path | None, jobs: int, stale: bool, check: bool) -> None:
    """Crawl the virtual phone's apps and save all texts that their screens show.

    `garabench check` looks up keywords and ids in these texts. Each APP is a package or a nickname; the
    default is all apps, which takes minutes. The solutions of the suite's tasks are followed as well, since
    they reach more screens than the crawler.

    \b
    Example:
        garabench tasks texts com.android.settings --check
        garabench tasks texts --stale
    """
    from garabench.screens.fingerprint import texts_fingerprint
    from garabench.screens.text_crawler import all_apps, crawl_texts  # slow: loads all apps

    suite = Suite.load(root)
    folder = KEPT if root is None else root / FOLDER
    system = {app.package: app.system for app in all_apps()}
    named = _packages(suite, apps, frozenset(system))
    origins = {app.package: texts_fingerprint(app) for app in all_apps()}
    if stale:
        candidates = named or tuple(app.package for app in all_apps() if app.launcher)
        named = tuple(name for name in candidates if _made_from(folder, name) != origins[name])
        if not named:
            click.echo("The texts are up to date: no app's source has changed.")
            return
    shown = crawl_texts(suite, jobs=jobs, packages=named)
    if named:  # other apps were only passed through
        shown = {package: found for package, found in shown.items() if package in named}
    outdated = 0
    for package, found in sorted(shown.items()):
        path = folder / f"{package}.json"
        before = AppTexts.read(path).texts if path.exists() else frozenset[str]()
        if named and system[package]:
            found = found | before  # the rest was seen in other apps
        if check and found != before:
            outdated += 1
            click.echo(f"{path}: {_changes(found - before, before - found)}")
        elif not check:
            made = AppTexts(package, found, system[package], origins[package])
            write(path, made.to_json().encode())
            click.echo(f"{path}: {len(found)} texts")
    if outdated:
        click.echo("Update them: garabench tasks texts", err=True)
        raise click.exceptions.Exit(1)
    if check:
        click.echo(f"{folder} is up to date ({counted(len(shown), 'app')}).")


def _made_from(folder: Path, package: str) -> str:
    """Return the fingerprint of the sources that a file was made from; empty if there is no file."""
    path = folder / f"{package}.json"
    return AppTexts.read(path).made_from if path.exists() else ""


def _packages(suite: Suite, apps: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    nicknames = {item.group: item.app for item in suite.tasks.values()}
    found = [nicknames.get(app, app) for app in apps]
    for app in found:
        if app not in known:
            hint = did_you_mean(app, {*nicknames, *known})
            raise InputError(f"unknown app {app!r} of the virtual phone", hint=hint)
    return tuple(dict.fromkeys(found))


def _changes(more: frozenset[str], gone: frozenset[str]) -> str:
    """Summarize new and missing texts."""
    parts = []
    for number, some, word in ((len(more), more, "new"), (len(gone), gone, "missing")):
        if some:
            named = ", ".join(repr(text[:40]) for text in sorted(some)[:_FEW])
            parts.append(f"{number} {word}: {named}" + (", …" if number > _FEW else ""))
    return "; ".join(parts)
