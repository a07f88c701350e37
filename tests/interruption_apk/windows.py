"""The library's windows as the companion app shows them, kept beside its tests in ``windows.json``.

``WindowsTest`` of the app holds them to the real app's widgets, `test_windows` its twin. Where the library
changes, ``python -m tests.interruption_apk.windows`` writes its specifications anew. Then ``python
interruption_apk/build.py test --only WindowsTest`` writes ``interruption_apk/pictures/windows.json`` with
their widgets, to be put in place of the kept file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.campaign.suite import Suite
from garabench.core.interruption import Mode
from garabench.interruptions.plan import plan
from tests.interruption_apk.kept_build import HOME

KEPT = HOME / "app" / "src" / "test" / "resources" / "windows.json"
SHOWN = (("zh", Mode.DUAL), ("en", Mode.FORCED))
"""Both languages and both modes, but not each with each: what they change does not depend on the other."""


PARTS: dict[str, dict[str, Any]] = {
    "answers": {
        "style": "not-responding",
        "stars": 2,
        "choices": ["One", "Two"],
        "link": {"key": "refresh", "label": "Load again"},
        "note": "Small print",
    },
    "forms": {
        "style": "login",
        "progress": 0.5,
        "fields": [{"hint": "Name"}, {"hint": "Password", "password": True}],
        "slider": {"key": "solved", "gap": 0.5, "label": "Drag it"},
        "close": {"key": "close", "after": 2},
    },
}
"""Every part but the picture, shared out so that a window shows all that it has without scrolling."""
COMMON: dict[str, Any] = {
    "v": 1,
    "title": "A title",
    "message": "Some words",
    "buttons": [
        {"key": "accept", "label": "Go on", "role": "accept"},
        {"key": "later", "label": "Not now", "role": "dismiss"},
    ],
}


def specifications() -> Iterator[dict[str, Any]]:
    """Name, language and specification of every window of the library, and of windows with every part."""
    for template in ("dialog", "full-screen", "bottom-sheet"):
        for name, parts in PARTS.items():
            for language in ("zh", "en"):
                spec = {"template": template} | COMMON | parts
                yield {"name": f"{name}-{template}-{language}", "language": language, "spec": spec}
    for interruption in Suite.load().interruptions.values():
        for language, mode in SHOWN:
            planned = plan(interruption, mode, app="a.b", language=language, token="t")
            name = f"{interruption.id}-{language}-{mode.value}"
            yield {"name": name, "language": language, "spec": dict(planned.spec)}


def kept() -> list[dict[str, Any]]:
    """The kept windows, with the widgets of each."""
    return list(json.loads(KEPT.read_text("utf-8"))["windows"])


def specified(window: Mapping[str, Any]) -> dict[str, Any]:
    """A kept window without its widgets."""
    return {key: window[key] for key in ("name", "language", "spec")}


if __name__ == "__main__":
    text = json.dumps({"windows": list(specifications())}, ensure_ascii=False, indent=1)
    KEPT.write_text(text + "\n", encoding="utf-8")
