"""The services and receivers that an intent matches (AOSP ``ComponentResolver``).

Only those of installed APKs are in a manifest; a built-in app's receivers have one class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from garabench.virtual.android.apk import ApkComponent
from garabench.virtual.android.package_manager import InstalledApp, PackageManager, short_component
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter

RECEIVER = "Receiver"
"""Simple class name of the receiver of every built-in app."""


@dataclass(frozen=True, slots=True)
class ResolvedComponent:
    """A service or receiver that an intent matches.

    Attributes:
        owner: The app that declares it.
        entry: The component.
        match: How well its filter matches, as a ``MATCH_…`` value; 0 for an explicit intent.
        filter: The filter that matches; None for an explicit intent.
    """

    owner: InstalledApp
    entry: ApkComponent
    match: int = 0
    filter: IntentFilter | None = None

    @property
    def app(self) -> App:
        """The app that declares it."""
        return self.owner.app

    @property
    def name(self) -> str:
        """Its fully qualified class name."""
        return self.entry.name

    @property
    def component(self) -> str:
        """``package/class``, shortened as Android does."""
        return short_component(self.app.package, self.name)

    @property
    def priority(self) -> int:
        """The priority of its filter."""
        return self.filter.priority if self.filter is not None else 0

    @property
    def is_default(self) -> bool:
        """Whether its filter has the category DEFAULT."""
        return self.filter is not None and DEFAULT in self.filter.categories


Components = Callable[[InstalledApp], Iterable[ApkComponent]]


def services_of(installed: InstalledApp) -> Iterable[ApkComponent]:
    """Return the services of an app."""
    return installed.services


def receivers_of(installed: InstalledApp) -> Iterable[ApkComponent]:
    """Return the receivers of an app."""
    if not installed.app.receivers:
        return installed.receivers
    filters = tuple(IntentFilter((action,), ()) for action in installed.app.receivers)
    return (ApkComponent(f"{installed.app.package}.{RECEIVER}", exported=True, filters=filters),)


def query(packages: PackageManager, intent: Intent, components: Components) -> tuple[ResolvedComponent, ...]:
    """Return the components that an intent matches, the best first.

    Args:
        packages: The installed apps.
        intent: The intent; with a class name it matches that component alone.
        components: `services_of` or `receivers_of`.
    """
    owners = [each for each in packages.all() if each.available and _may_own(each, intent)]
    if intent.activity:
        name = intent.package + intent.activity if intent.activity.startswith(".") else intent.activity
        return tuple(
            ResolvedComponent(owner, entry)
            for owner in owners
            for entry in components(owner)
            if entry.name == name
        )
    if not (intent.action or intent.data or intent.mime_type):
        return ()
    found = [
        resolved
        for owner in owners
        for entry in components(owner)
        if (resolved := _match(owner, entry, intent)) is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.priority, not each.is_default, -each.match)))


def _may_own(installed: InstalledApp, intent: Intent) -> bool:
    return intent.package in ("", installed.app.package)


def _match(owner: InstalledApp, entry: ApkComponent, intent: Intent) -> ResolvedComponent | None:
    """Return the component with its first filter that matches, or None."""
    for each in entry.filters:
        if matched := each.match(intent.action, intent.categories, intent.data, intent.mime_type):
            return ResolvedComponent(owner, entry, matched, each)
    return None
