"""``garabench interruptions gallery``: a page of all interruptions in all states."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from pathlib import Path

import click

from garabench.campaign.gallery import ELSEWHERE, SIZES, USUAL, Shot, shots
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.core.interruption import Form, Interruption
from garabench.core.names import did_you_mean
from garabench.errors import InputError
from garabench.interruptions.system.catalogue import ANOMALIES

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)
_LANGUAGES = {"zh": "Chinese", "en": "English"}
_STYLE = """
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #1c1e21; --quiet: #5f6368;
  --line: #dadce0 }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --card: #212428; --ink: #e6e7e9;
  --quiet: #a3a8ae; --line: #383c42 } }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.45 system-ui, "Noto Sans CJK SC", sans-serif; background: var(--ground);
  color: var(--ink) }
main { max-width: 1500px; margin: 0 auto; padding: 24px 20px 60px }
h1 { font-size: 26px; margin: 0 0 4px } h2 { font-size: 19px; margin: 0 }
p { margin: 4px 0; color: var(--quiet) }
nav { display: flex; flex-wrap: wrap; gap: 6px; margin: 16px 0 24px }
nav a { padding: 3px 10px; border: 1px solid var(--line); border-radius: 99px; color: inherit;
  text-decoration: none; background: var(--card); font-size: 13px }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px;
  margin-bottom: 18px; scroll-margin-top: 12px }
ul { list-style: none; padding: 0; margin: 8px 0 14px; display: flex; flex-wrap: wrap; gap: 6px }
li { font-size: 13px; border: 1px solid var(--line); border-radius: 6px; padding: 2px 8px }
.shots { display: flex; flex-wrap: wrap; gap: 14px; align-items: flex-end }
figure { margin: 0 } img { display: block; border-radius: 8px; border: 1px solid var(--line);
  max-width: 100%; height: auto }
figcaption { font-size: 12px; color: var(--quiet); margin-top: 4px; max-width: 210px }
"""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})  # it is called by itself, too
@click.argument("names", metavar="[INTERRUPTION]...", nargs=-1)
@click.option("--out", type=_FILE, required=True, help="Where the page is written.")
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--width", type=click.IntRange(120, 720), default=240, show_default=True, help="Of a picture.")
@click.option("--size", "sizes", type=click.Choice(SIZES), multiple=True, help="Of screens; default: all.")
@plainly
def gallery(names: tuple[str, ...], out: Path, root: Path | None, width: int, sizes: tuple[str, ...]) -> None:
    """Draw every interruption in every state: both modes, day and night, languages, sizes.

    There are no pictures of system anomalies: what one shows, as crash and heads-up do, is a window of
    Android's. The page holds its pictures itself; those of all interruptions take a minute or two.

    \b
    Example:
        garabench interruptions gallery wifi-check --size 720x1280 --out gallery.html
    """
    suite = Suite.load(root)
    library = suite.interruptions
    for name in names:
        if name not in library:
            if name in suite.anomalies or name in ANOMALIES:
                raise InputError(
                    f"{name!r} is a system anomaly, of which there is no picture: what it shows is Android's",
                    hint=f"garabench interruptions show {name} tells what it is.",
                )
            raise InputError(f"no interruption is called {name!r}", hint=did_you_mean(name, library))
    chosen = [each for each in library.values() if not names or each.id in names]
    taken: dict[str, list[Shot]] = {each.id: [] for each in chosen}
    with click.progressbar(shots(chosen, width=width, sizes=sizes or SIZES), label="Pictures") as each:
        for shot in each:
            taken[shot.interruption].append(shot)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(chosen, taken), encoding="utf-8")
    click.echo(f"{sum(map(len, taken.values()))} pictures of {len(chosen)} interruptions in {out}")


def page(interruptions: Sequence[Interruption], taken: dict[str, list[Shot]]) -> str:
    """The whole page; whatever an interruption says is escaped.

    Args:
        interruptions: In the order in which they are told.
        taken: The pictures by the interruption's id.
    """
    links = "".join(f'<a href="#{_e(each.id)}">{_e(each.id)}</a>' for each in interruptions)
    sections = "".join(_section(each, taken[each.id]) for each in interruptions)
    count = sum(map(len, taken.values()))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Interruptions</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>Interruptions</h1><p>{len(interruptions)} interruptions in {count} pictures, "
        f"as the virtual phone shows them. {_drawn(taken)} "
        "System anomalies are not here: what one shows, as crash and heads-up do, is Android’s window.</p>"
        f"<nav>{links}</nav>{sections}</main></body></html>\n"
    )


def _drawn(taken: dict[str, list[Shot]]) -> str:
    """Which states there are pictures of, in a sentence."""
    sizes = {shot.view.size for shots_of in taken.values() for shot in shots_of}
    others = " and ".join(size for size in SIZES if size in sizes - {USUAL})
    where = [f"on {USUAL} in Chinese and English"] * (USUAL in sizes)
    where += [f"on {others} in {_LANGUAGES[ELSEWHERE]}"] * bool(others)
    if not where:
        return ""
    more = f" {USUAL} also lies on its side, has larger letters, and is filled in where that can be done."
    return (
        "Each by day and by night, in dual mode and, where that offers other buttons, in forced mode: "
        f"{', '.join(where)}.{more if USUAL in sizes else ''}"
    )


def _section(each: Interruption, taken: Sequence[Shot]) -> str:
    buttons = "".join(f"<li>{_e(_button(each, place))}</li>" for place in range(len(each.buttons)))
    figures = "".join(_figure(shot) for shot in sorted(taken, key=_order))
    return (
        f'<section id="{_e(each.id)}"><h2>{_e(each.id)}</h2><p>{_e(each.description)}. '
        f"{_e(each.category.value)}, {_e(each.template)}, {_e(each.style.value)}"
        f"{'' if each.cancelable else ', Back does not close it'}.</p><ul>{buttons}</ul>"
        f'<div class="shots">{figures}</div></section>'
    )


def _button(each: Interruption, place: int) -> str:
    button = each.buttons[place]
    words = [button.key, button.role.value]
    words += [button.form.value] * (button.form is not Form.BUTTON)
    words += [f"after {button.after} s"] * bool(button.after)
    words += ["small"] * button.small + ["left out in forced mode"] * button.easy
    text = button.label.get("en") or next(iter(button.label.values()))
    steps = [step.model_dump() if hasattr(step, "model_dump") else str(step) for step in button.follow_up]
    leads = "; ".join(_told(step) for step in steps)
    return f"{text} ({', '.join(words)})" + (f" → {leads}" if leads else "")


def _told(step: object) -> str:
    if not isinstance(step, dict):
        return str(step).replace("_", " ")
    words = ((name.replace("_", " "), value) for name, value in step.items())
    return ", ".join(name if value is None else f"{name}: {_value(value)}" for name, value in words)


def _value(value: object) -> str:
    return " ".join(str(each) for each in value.values()) if isinstance(value, dict) else str(value)


def _order(shot: Shot) -> tuple[bool, bool, bool, bool, str]:
    view = shot.view
    return view.turned, view.large, view.size != USUAL, view.entered, str(view)


def _figure(shot: Shot) -> str:
    data = base64.b64encode(shot.jpeg).decode("ascii")
    words = f"{shot.interruption}: {shot.view}"
    return (
        f'<figure><img loading="lazy" alt="{_e(words)}" width="{shot.width}" height="{shot.height}" '
        f'src="data:image/jpeg;base64,{data}"><figcaption>{_e(str(shot.view))}</figcaption></figure>'
    )


def _e(text: str) -> str:
    return html.escape(text, quote=True)
