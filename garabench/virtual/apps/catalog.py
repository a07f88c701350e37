"""The apps preinstalled on a new phone."""

from __future__ import annotations

from garabench.virtual.apps.amap import app as amap
from garabench.virtual.apps.amazon import app as amazon
from garabench.virtual.apps.bilibili import app as bilibili
from garabench.virtual.apps.board import app as board
from garabench.virtual.apps.browser import app as browser
from garabench.virtual.apps.calculator import app as calculator
from garabench.virtual.apps.camera import app as camera
from garabench.virtual.apps.clock import app as clock
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.contacts import app as contacts
from garabench.virtual.apps.ctrip import app as ctrip
from garabench.virtual.apps.dialer import app as dialer
from garabench.virtual.apps.facebook import app as facebook
from garabench.virtual.apps.framework import app as framework
from garabench.virtual.apps.gmaps import app as gmaps
from garabench.virtual.apps.jd import app as jd
from garabench.virtual.apps.launcher import app as launcher
from garabench.virtual.apps.market import app as store
from garabench.virtual.apps.permissions import app as permissions
from garabench.virtual.apps.settings import app as settings
from garabench.virtual.apps.system_packages import app as system_packages
from garabench.virtual.apps.weibo import app as weibo
from garabench.virtual.kit.framework import App


def installed_apps() -> tuple[App, ...]:
    """Return all apps of a new phone: system apps, the companion app, and the stand-ins."""
    return (
        framework.APP,
        launcher.APP,
        settings.APP,
        permissions.APP,
        store.APP,
        companion.APP,
        board.APP,
        bilibili.APP,
        jd.APP,
        amazon.APP,
        weibo.APP,
        ctrip.APP,
        amap.APP,
        gmaps.APP,
        facebook.APP,
        browser.APP,
        dialer.APP,
        contacts.APP,
        clock.APP,
        calculator.APP,
        camera.APP,
        *system_packages.PACKAGES,
    )
