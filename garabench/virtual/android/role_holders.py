"""Who holds a role such as browser or home (AOSP ``RoleManagerService``, ``roles.xml``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from garabench.virtual.android.package_manager import HOME, MAIN
from garabench.virtual.kit.framework import Intent

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

PREFIX = "android.app.role."
ROLE_INTENTS: Mapping[str, Intent] = {
    "ASSISTANT": Intent(action="android.intent.action.ASSIST"),
    "BROWSER": Intent(
        action="android.intent.action.VIEW",
        data="https://example.com",
        categories=frozenset({"android.intent.category.BROWSABLE"}),
    ),
    "DIALER": Intent(action="android.intent.action.DIAL"),
    "EMERGENCY": Intent(action="android.telephony.action.EMERGENCY_ASSISTANCE"),
    "HOME": Intent(action=MAIN, categories=frozenset({HOME})),
    "SMS": Intent(action="android.intent.action.SENDTO", data="smsto:1"),
}
"""The roles, with the intent that their holder handles."""


def holders(phone: Phone, role: str) -> list[str]:
    """Return the packages that hold a role: those set by the shell, else the system app that can.

    Args:
        phone: The phone.
        role: The role's full name.
    """
    if role in phone.services.roles:
        return [name for name in phone.services.roles[role] if phone.packages.get(name) is not None]
    found = phone.packages.query(ROLE_INTENTS[role.removeprefix(PREFIX)])
    return [each.app.package for each in found if each.app.system and each.app.package != "android"][:1]
