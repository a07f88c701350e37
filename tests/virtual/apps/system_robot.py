"""A phone with its system apps, used by ids of views."""

from __future__ import annotations

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.scene import PlacedNode

SYSTEM_APPS = tuple(app for app in installed_apps() if app.system)


class SystemRobot:
    """A phone with its system apps, which is tapped by ids and texts."""

    def __init__(self, profile: str = "android-34:720x1280", lang: str = "en") -> None:
        self.phone = Phone(Profile.parse(profile), apps=SYSTEM_APPS, lang=lang, strict=True)

    def start(self, **intent: object) -> str:
        """Start an intent; return the activity in the foreground."""
        self.phone.activities.start(Intent(**intent))  # type: ignore[arg-type]
        self.phone.clock.advance(1500)
        front = self.phone.activities.resumed
        return "" if front is None else f"{front.app.package}/{front.name}"

    def nodes(self, name: str) -> list[PlacedNode]:
        """Return the visible nodes with an id or a text."""
        return [
            node
            for window in self.phone.scene().windows
            for node in window.root.walk()
            if not node.visible.is_empty
            and (name in (node.text, node.widget.desc) or node.resource_id.endswith(f"/{name}"))
        ]

    def texts(self, name: str) -> list[str]:
        """Return the texts of the nodes with an id."""
        return [node.text for node in self.nodes(name)]

    def tap(self, *names: str) -> None:
        """Tap nodes one after the other."""
        for name in names:
            found = self.nodes(name)
            assert found, name
            at = found[0].visible.center
            self.phone.input.tap(at.x, at.y)
            self.phone.clock.advance(400)

    def state(self, package: str) -> list[tuple[str, str]]:
        """Return kind and object of the records of an app's state."""
        installed = self.phone.packages.get(package)
        assert installed is not None
        assert installed.app.state is not None
        return [
            (each.kind, each.object) for each in installed.app.state(self.phone.make_context(installed.app))
        ]
