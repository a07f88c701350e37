"""``garabench tasks texts``: write down what the apps' screens show."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.campaign.app_texts import FOLDER, KEPT, AppTexts
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.cli.files import write
from garabench.core.names import did_you_mean
from garabench.errors import InputError

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FEW = 5


@click.command()
@click.argument("apps", metavar="[APP]...", nargs=-1)
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own; its texts stand beside it.")
@click.option("--jobs", type=click.IntRange(1, 16), default=2, show_default=True, help="Processes at once.")
@click.option("--stale", is_flag=True, help="Only those whose sources have changed since.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where something else would be written.")
@plainly
def texts(apps: tuple[str, ...], root: Path | None, jobs: int, stale: bool, check: bool) -> None:
    """Go through the virtual phone's apps and write down all that their screens show.

    `garabench check` looks there for keywords and ids. Each APP is a package or an app's nickname; all are
    gone through unless some are named, which takes minutes. A suite's own tasks lead to more screens than
    everybody can find: what is seen on their ways is written, too.

    \b
    Example:
        garabench tasks texts com.android.settings --check
        garabench tasks texts --stale
    """
    from garabench.campaign.shown_texts import all_apps, shown_texts  # loads all apps, which takes long
    from garabench.campaign.texts_origin import origin

    suite = Suite.load(root)
    folder = KEPT if root is None else root / FOLDER
    system = {app.package: app.system for app in all_apps()}
    named = _packages(suite, apps, frozenset(system))
    origins = {app.package: origin(app) for app in all_apps()}
    if stale:
        gone_through = named or tuple(app.package for app in all_apps() if app.launcher)
        named = tuple(name for name in gone_through if _made_from(folder, name) != origins[name])
        if not named:
            click.echo("The words in the apps' sources are what they were.")
            return
    shown = shown_texts(suite, jobs=jobs, packages=named)
    if named:  # of the others, only what lies on the way was seen
        shown = {package: found for package, found in shown.items() if package in named}
    others = 0
    for package, found in sorted(shown.items()):
        path = folder / f"{package}.json"
        before = AppTexts.read(path).texts if path.exists() else frozenset[str]()
        if named and system[package]:
            found = found | before  # the others have shown the rest
        if check and found != before:
            others += 1
            click.echo(f"{path}: {_differ(found - before, before - found)}")
        elif not check:
            made = AppTexts(package, found, system[package], origins[package])
            write(path, made.to_json().encode())
            click.echo(f"{path}: {len(found)} texts")
    if others:
        click.echo("Write them anew: garabench tasks texts", err=True)
        raise click.exceptions.Exit(1)
    if check:
        click.echo(
            f"What {'it shows' if len(shown) == 1 else f'{len(shown)} apps show'} is what stands in {folder}."
        )


def _made_from(folder: Path, package: str) -> str:
    """What a file that stands there was made from; empty where there is none."""
    path = folder / f"{package}.json"
    return AppTexts.read(path).made_from if path.exists() else ""


def _packages(suite: Suite, apps: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    nicknames = {item.group: item.app for item in suite.tasks.values()}
    found = [nicknames.get(app, app) for app in apps]
    for app in found:
        if app not in known:
            hint = did_you_mean(app, {*nicknames, *known})
            raise InputError(f"the virtual phone has no app called {app!r}", hint=hint)
    return tuple(dict.fromkeys(found))


def _differ(more: frozenset[str], gone: frozenset[str]) -> str:
    """What has come and gone, in few words."""
    parts = []
    for number, some, word in ((len(more), more, "new"), (len(gone), gone, "gone")):
        if some:
            named = ", ".join(repr(text[:40]) for text in sorted(some)[:_FEW])
            parts.append(f"{number} {word}: {named}" + (", …" if number > _FEW else ""))
    return "; ".join(parts)
