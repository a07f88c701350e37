"""``garabench interruptions gallery``: a page of all interruptions in all states."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import click

from garabench.campaign import gallery_texts
from garabench.campaign.anomaly_shots import AnomalyShot, Asked, anomaly_shots
from garabench.campaign.gallery import ELSEWHERE, SIZES, USUAL, Shot, shots
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.core.clock import SystemClock
from garabench.core.interruption import Form, Interruption
from garabench.core.names import did_you_mean
from garabench.errors import InputError
from garabench.interruptions.system.catalogue import ANOMALIES, NOT_OFFERED

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
h3 { font-size: 14px; margin: 18px 0 8px }
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
.part { margin: 34px 0 4px } .part + p { margin-bottom: 14px } .words { color: var(--ink) }
"""
_SYSTEM = (
    "Each was brought about on a virtual phone and seen to be in force there; the picture is what was on the "
    "screen then, of permission-taken once the app had asked for the permission again."
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})  # it is called by itself, too
@click.argument("names", metavar="[INTERRUPTION]...", nargs=-1)
@click.option("--out", type=_FILE, required=True, help="Where the page is written.")
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--width", type=click.IntRange(120, 720), default=240, show_default=True, help="Of a picture.")
@click.option("--size", "sizes", type=click.Choice(SIZES), multiple=True, help="Of screens; default: all.")
@plainly
def gallery(names: tuple[str, ...], out: Path, root: Path | None, width: int, sizes: tuple[str, ...]) -> None:
    """Draw every interruption in every state: both modes, day and night, languages, sizes.

    System anomalies are brought about on virtual phones, and what is on the screen then is kept. The page
    holds its pictures itself; those of all interruptions and anomalies take some minutes.

    \b
    Example:
        garabench interruptions gallery wifi-check crash --size 720x1280 --out gallery.html
    """
    suite = Suite.load(root)
    library, system = suite.interruptions, _anomalies(suite)
    for name in names:
        if name not in library and name not in system:
            known = [*library, *system]
            raise InputError(f"no interruption is called {name!r}", hint=did_you_mean(name, known))
    chosen = [each for each in library.values() if not names or each.id in names]
    asked = [each for each in system.values() if not names or each.name in names]
    taken: dict[str, list[Shot]] = {each.id: [] for each in chosen}
    seen: dict[str, list[AnomalyShot]] = {each.name: [] for each in asked}
    drawn = sizes or SIZES
    if chosen:
        with click.progressbar(shots(chosen, width=width, sizes=drawn), label="Pictures") as each:
            for shot in each:
                taken[shot.interruption].append(shot)
    if asked:
        on_phones = anomaly_shots(asked, SystemClock(), width=width, sizes=drawn)
        with click.progressbar(on_phones, label="Anomalies") as each_seen:
            for anomaly_shot in each_seen:
                seen[anomaly_shot.name].append(anomaly_shot)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(chosen, taken, asked, seen, everything=not names), encoding="utf-8")
    count = sum(map(len, taken.values())) + sum(bool(shot.jpeg) for shots in seen.values() for shot in shots)
    click.echo(f"{count} pictures of {_counted(chosen, asked)} in {out}")


def _anomalies(suite: Suite) -> dict[str, Asked]:
    """The catalogue's anomalies, and those of the suite that have another name or value."""
    found = {each.id: Asked(each.id, each, "", each.description) for each in ANOMALIES.values()}
    for own in suite.anomalies.values():
        found[own.id] = Asked(own.id, ANOMALIES[own.system], own.value, own.description)
    return found


def _counted(interruptions: Sequence[Interruption], asked: Sequence[Asked]) -> str:
    counts = ((len(interruptions), "interruption"), (len(asked), "system anomaly"))
    words = [f"{count} {_plural(noun) if count > 1 else noun}" for count, noun in counts if count]
    return " and ".join(words) or "nothing"


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def page(
    interruptions: Sequence[Interruption],
    taken: Mapping[str, Sequence[Shot]],
    asked: Sequence[Asked] = (),
    seen: Mapping[str, Sequence[AnomalyShot]] = MappingProxyType({}),
    *,
    everything: bool = False,
) -> str:
    """The whole page; whatever an interruption says is escaped.

    Args:
        interruptions: In the order in which they are told.
        taken: The pictures by the interruption's id.
        asked: System anomalies, in the order in which they are told.
        seen: What each made of the screen, by its name.
        everything: Whether it also tells which anomalies cannot be had.
    """
    names = [*(each.id for each in interruptions), *(each.name for each in asked)]
    links = "".join(f'<a href="#{_e(name)}">{_e(name)}</a>' for name in names)
    sections = "".join(_section(each, taken[each.id]) for each in interruptions)
    anomalies = "".join(_anomaly(each, seen[each.name]) for each in asked)
    if anomalies:
        anomalies = f'<h2 class="part">System anomalies</h2><p>{_SYSTEM}</p>{anomalies}'
    if everything:
        rows = "".join(f"<p><b>{_e(name)}</b>: {_e(why)}.</p>" for name, why in NOT_OFFERED.items())
        anomalies += f'<section id="not-offered"><h2>Not offered</h2>{rows}</section>'
    count = sum(map(len, taken.values()))
    told = (
        f"{_counted(interruptions, ())} in {count} pictures, as the virtual phone shows them. {_drawn(taken)}"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Interruptions</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>Interruptions</h1>{f'<p>{told}</p>' if interruptions else ''}"
        f"<nav>{links}</nav>{sections}{anomalies}</main></body></html>\n"
    )


def _drawn(taken: Mapping[str, Sequence[Shot]]) -> str:
    """Which states there are pictures of, in a sentence."""
    sizes = {shot.view.size for shots_of in taken.values() for shot in shots_of}
    others = " and ".join(size for size in SIZES if size in sizes - {USUAL})
    where = [f"on {USUAL} in Chinese and English"] * (USUAL in sizes)
    where += [f"on {others} in {_LANGUAGES[ELSEWHERE]}"] * bool(others)
    if not where:
        return ""
    right = any(_from_the_right(shot) for shots_of in taken.values() for shot in shots_of)
    more = (
        " Some are in Arabic and Hebrew, too." * right
        + f" {USUAL} also lies on its side, has larger letters, and is filled in where that can be done."
    )
    return (
        "Each by day and by night, in dual mode and, where that offers other buttons, in forced mode: "
        f"{', '.join(where)}.{more if USUAL in sizes else ''}"
    )


def _anomaly(each: Asked, seen: Sequence[AnomalyShot]) -> str:
    anomaly = each.anomaly
    without: dict[str, list[str]] = {}
    for shot in seen:
        if not shot.jpeg:
            without.setdefault(shot.words, []).append(str(shot.view))
    words = "".join(
        f'<p class="words">{_e(said)}{_e(_where(views)) if len(views) < len(seen) else ""}</p>'
        for said, views in without.items()
    )
    figures = "".join(_anomaly_figure(shot) for shot in seen if shot.jpeg)
    leaves = f" It leaves {_e(anomaly.leaves)}." if anomaly.leaves else ""
    return (
        f'<section id="{_e(each.name)}"><h2>{_e(each.name)}</h2><p>{_e(each.description)}. '
        f"{_e(anomaly.category.value)}, Android {_e(anomaly.versions)}.{leaves}</p>"
        f'{words}<div class="shots">{figures}</div></section>'
    )


def _where(views: Sequence[str]) -> str:
    return f" ({'; '.join(views)})"


def _anomaly_figure(shot: AnomalyShot) -> str:
    words = str(shot.view) + (f", {shot.value}" if shot.value else "")
    return _picture(shot.jpeg, shot.width, shot.height, f"{shot.name}: {words}", words)


def _section(each: Interruption, taken: Sequence[Shot]) -> str:
    buttons = "".join(f"<li>{_e(_button(each, place))}</li>" for place in range(len(each.buttons)))
    ordered = sorted(taken, key=_order)
    figures = "".join(_figure(shot) for shot in ordered if not _from_the_right(shot))
    right = "".join(_figure(shot) for shot in ordered if _from_the_right(shot))
    return (
        f'<section id="{_e(each.id)}"><h2>{_e(each.id)}</h2><p>{_e(each.description)}. '
        f"{_e(each.category.value)}, {_e(each.template)}, {_e(each.style.value)}"
        f"{'' if each.cancelable else ', Back does not close it'}.</p><ul>{buttons}</ul>"
        f'<div class="shots">{figures}</div>'
        + (f'<h3>Read from the right</h3><div class="shots">{right}</div>' if right else "")
        + "</section>"
    )


def _from_the_right(shot: Shot) -> bool:
    return shot.view.language in gallery_texts.FROM_THE_RIGHT


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
    return _picture(shot.jpeg, shot.width, shot.height, f"{shot.interruption}: {shot.view}", str(shot.view))


def _picture(jpeg: bytes, width: int, height: int, alt: str, caption: str) -> str:
    data = base64.b64encode(jpeg).decode("ascii")
    return (
        f'<figure><img loading="lazy" alt="{_e(alt)}" width="{width}" height="{height}" '
        f'src="data:image/jpeg;base64,{data}"><figcaption>{_e(caption)}</figcaption></figure>'
    )


def _e(text: str) -> str:
    return html.escape(text, quote=True)
