"""The gallery as one HTML page: pictures of interruptions and anomalies, with all texts escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.core.interruption import ButtonForm, Interruption
from garabench.core.phrases import counted
from garabench.screens import rtl_texts
from garabench.screens.anomaly_shots import AnomalyShot, GalleryAnomaly
from garabench.screens.gallery import DEFAULT_SIZE, OTHER_SIZES_LANGUAGE, SIZES, Shot
from garabench.suite.suite import Suite

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
    "Each was performed and verified on a virtual phone; the picture shows the screen at that moment (for "
    "permission-taken: after the app asked for the permission again)."
)


def gallery_anomalies(suite: Suite) -> dict[str, GalleryAnomaly]:
    """Return all system anomalies: those of the catalog and those that the suite names."""
    found = {
        name: GalleryAnomaly(name, anomaly, "", anomaly.description) for name, anomaly in ANOMALIES.items()
    }
    for each in suite.anomalies.values():
        found[each.id] = GalleryAnomaly(each.id, ANOMALIES[each.system], each.value, each.description)
    return found


def gallery_contents(interruptions: Sequence[Interruption], anomalies: Sequence[GalleryAnomaly]) -> str:
    """Return what a gallery shows in words: ``2 interruptions and 1 system anomaly``."""
    counts = (
        (len(interruptions), "interruption", "interruptions"),
        (len(anomalies), "system anomaly", "system anomalies"),
    )
    return " and ".join(counted(*count) for count in counts if count[0]) or "nothing"


def gallery_page(
    interruptions: Sequence[Interruption],
    pictures: Mapping[str, Sequence[Shot]],
    anomalies: Sequence[GalleryAnomaly] = (),
    anomaly_pictures: Mapping[str, Sequence[AnomalyShot]] = MappingProxyType({}),
    *,
    everything: bool = False,
) -> str:
    """Return the page as HTML, with all texts escaped.

    Args:
        interruptions: In the order of the page.
        pictures: Pictures by interruption id.
        anomalies: System anomalies, in the order of the page.
        anomaly_pictures: Pictures by anomaly name.
        everything: Whether to list the anomalies that are not available.
    """
    names = [*(each.id for each in interruptions), *(each.name for each in anomalies)]
    links = "".join(f'<a href="#{_e(name)}">{_e(name)}</a>' for name in names)
    sections = "".join(_section(each, pictures[each.id]) for each in interruptions)
    anomaly_sections = "".join(_anomaly(each, anomaly_pictures[each.name]) for each in anomalies)
    if anomaly_sections:
        anomaly_sections = f'<h2 class="part">System anomalies</h2><p>{_SYSTEM}</p>{anomaly_sections}'
    if everything:
        rows = "".join(f"<p><b>{_e(name)}</b>: {_e(reason)}.</p>" for name, reason in NOT_OFFERED.items())
        anomaly_sections += f'<section id="not-offered"><h2>Not available</h2>{rows}</section>'
    count = sum(map(len, pictures.values()))
    shown = gallery_contents(interruptions, ())
    summary = f"{shown} in {count} pictures, drawn by the virtual phone. {_drawn(pictures)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Interruptions</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>Interruptions</h1>{f'<p>{summary}</p>' if interruptions else ''}"
        f"<nav>{links}</nav>{sections}{anomaly_sections}</main></body></html>\n"
    )


def _drawn(pictures: Mapping[str, Sequence[Shot]]) -> str:
    """Describe the states in the pictures in a sentence."""
    sizes = {shot.view.size for shots_of in pictures.values() for shot in shots_of}
    others = " and ".join(size for size in SIZES if size in sizes - {DEFAULT_SIZE})
    where = [f"on {DEFAULT_SIZE} in Chinese and English"] * (DEFAULT_SIZE in sizes)
    where += [f"on {others} in {_LANGUAGES[OTHER_SIZES_LANGUAGE]}"] * bool(others)
    if not where:
        return ""
    right = any(_right_to_left(shot) for shots_of in pictures.values() for shot in shots_of)
    more = (
        " Some are also in Arabic and Hebrew." * right
        + f" {DEFAULT_SIZE} is also drawn in landscape, with a larger font, and with filled-in fields."
    )
    return (
        "Each in light and dark theme, in dual mode and, if its buttons differ, in forced mode: "
        f"{', '.join(where)}.{more if DEFAULT_SIZE in sizes else ''}"
    )


def _anomaly(each: GalleryAnomaly, anomaly_pictures: Sequence[AnomalyShot]) -> str:
    anomaly = each.anomaly
    problems: dict[str, list[str]] = {}
    for shot in anomaly_pictures:
        if not shot.jpeg:
            problems.setdefault(shot.problem, []).append(str(shot.view))
    notes = "".join(
        f'<p class="words">{_e(text)}{_e(_where(views)) if len(views) < len(anomaly_pictures) else ""}</p>'
        for text, views in problems.items()
    )
    figures = "".join(_anomaly_figure(shot) for shot in anomaly_pictures if shot.jpeg)
    leaves = f" It leaves {_e(anomaly.leaves)}." if anomaly.leaves else ""
    return (
        f'<section id="{_e(each.name)}"><h2>{_e(each.name)}</h2><p>{_e(each.description)}. '
        f"{_e(anomaly.category.value)}, Android {_e(anomaly.versions)}.{leaves}</p>"
        f'{notes}<div class="shots">{figures}</div></section>'
    )


def _where(views: Sequence[str]) -> str:
    return f" ({'; '.join(views)})"


def _anomaly_figure(shot: AnomalyShot) -> str:
    words = str(shot.view) + (f", {shot.value}" if shot.value else "")
    return _picture(shot.jpeg, shot.width, shot.height, f"{shot.name}: {words}", words)


def _section(each: Interruption, pictures: Sequence[Shot]) -> str:
    buttons = "".join(f"<li>{_e(_button(each, place))}</li>" for place in range(len(each.buttons)))
    ordered = sorted(pictures, key=_order)
    figures = "".join(_figure(shot) for shot in ordered if not _right_to_left(shot))
    right = "".join(_figure(shot) for shot in ordered if _right_to_left(shot))
    return (
        f'<section id="{_e(each.id)}"><h2>{_e(each.id)}</h2><p>{_e(each.description)}. '
        f"{_e(each.category.value)}, {_e(each.template)}, {_e(each.style.value)}"
        f"{'' if each.cancelable else ', Back does not close it'}.</p><ul>{buttons}</ul>"
        f'<div class="shots">{figures}</div>'
        + (f'<h3>Right to left</h3><div class="shots">{right}</div>' if right else "")
        + "</section>"
    )


def _right_to_left(shot: Shot) -> bool:
    return shot.view.language in rtl_texts.RTL_LANGUAGES


def _button(each: Interruption, place: int) -> str:
    button = each.buttons[place]
    words = [button.key, button.role.value]
    words += [button.form.value] * (button.form is not ButtonForm.BUTTON)
    words += [f"after {button.after} s"] * bool(button.after)
    words += ["small"] * button.small + ["left out in forced mode"] * button.easy
    text = button.label.get("en") or next(iter(button.label.values()))
    steps = [step.model_dump() if hasattr(step, "model_dump") else str(step) for step in button.follow_up]
    follow_up = "; ".join(_step_text(step) for step in steps)
    return f"{text} ({', '.join(words)})" + (f" → {follow_up}" if follow_up else "")


def _step_text(step: object) -> str:
    if not isinstance(step, dict):
        return str(step).replace("_", " ")
    words = ((name.replace("_", " "), value) for name, value in step.items())
    return ", ".join(name if value is None else f"{name}: {_value(value)}" for name, value in words)


def _value(value: object) -> str:
    return " ".join(str(each) for each in value.values()) if isinstance(value, dict) else str(value)


def _order(shot: Shot) -> tuple[bool, bool, bool, bool, str]:
    view = shot.view
    return view.landscape, view.large_font, view.size != DEFAULT_SIZE, view.filled_in, str(view)


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
