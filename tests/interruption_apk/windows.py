"""The library's windows and their widgets in the companion app, recorded in ``windows.json`` of its tests.

``WindowsTest`` compares the real app with the record, `test_windows` the twin. After a change of the library
``python -m tests.interruption_apk.windows`` rewrites the specifications. Then ``python
interruption_apk/build.py test --only WindowsTest`` writes ``interruption_apk/pictures/windows.json`` with
their widgets, which replaces the recorded file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.interruption import Mode
from garabench.interruptions.planned_interruption import plan_interruption
from tests.bundled import bundled_suite
from tests.interruption_apk.build_script import HOME

RECORD = HOME / "app" / "src" / "test" / "resources" / "windows.json"
VARIANTS = (("zh", Mode.DUAL), ("en", Mode.FORCED))
"""Both languages and both modes, but not all four combinations: their effects are independent."""


ELEMENTS: dict[str, dict[str, Any]] = {
    "answers": {
        "style": "not-responding",
        "stars": 2,
        "choices": ["One", "Two"],
        "link": {"key": "refresh", "label": "Reload"},
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
"""Every element but the picture, divided so that each window fits the screen without scrolling."""
COMMON: dict[str, Any] = {
    "v": 1,
    "title": "A title",
    "message": "Some words",
    "buttons": [
        {"key": "accept", "label": "Continue", "role": "accept"},
        {"key": "later", "label": "Not now", "role": "dismiss"},
    ],
}


def specifications() -> Iterator[dict[str, Any]]:
    """Yield name, language and specification of the library's windows, and of windows with every element."""
    for template in ("dialog", "full-screen", "bottom-sheet"):
        for name, elements in ELEMENTS.items():
            for language in ("zh", "en"):
                spec = {"template": template} | COMMON | elements
                yield {"name": f"{name}-{template}-{language}", "language": language, "spec": spec}
    for interruption in bundled_suite().interruptions.values():
        for language, mode in VARIANTS:
            planned = plan_interruption(interruption, mode, app="a.b", language=language, token="t")
            name = f"{interruption.id}-{language}-{mode.value}"
            yield {"name": name, "language": language, "spec": dict(planned.spec)}


def recorded_windows() -> list[dict[str, Any]]:
    """Read the recorded windows with their widgets."""
    return list(json.loads(RECORD.read_text("utf-8"))["windows"])


def specification_of(window: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded window without its widgets."""
    return {key: window[key] for key in ("name", "language", "spec")}


if __name__ == "__main__":
    text = json.dumps({"windows": list(specifications())}, ensure_ascii=False, indent=1)
    RECORD.write_text(text + "\n", encoding="utf-8")
