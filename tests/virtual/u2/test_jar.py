"""The calls match those of uiautomator2's real server, overload for overload."""

from __future__ import annotations

import asyncio
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import uiautomator2
from uiautomator2._selector import Selector

from garabench.virtual.adb.backend import Write
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.u2 import rpc
from garabench.virtual.u2.server import UiautomatorServer
from tests.cases import every_case
from tests.virtual.u2.dexfile import Dex, Overload

JAR = Path(uiautomator2.__file__).parent / "assets" / "u2.jar"


def of_the_jar() -> list[Overload]:
    """Return the interface of the real server."""
    with zipfile.ZipFile(JAR) as jar:
        names = [name for name in jar.namelist() if name.endswith(".dex")]
        found = [each for name in names for each in Dex(jar.read(name)).overloads("AutomatorService")]
    return sorted(found, key=lambda each: (each.name, each.parameters))


OVERLOADS = of_the_jar()


async def _run(line: str, out: Write, err: Write) -> int:
    return 0


@pytest.fixture(scope="module")
def server() -> UiautomatorServer:
    phone = Phone(Profile.parse("android-34:720x1280"), apps=installed_apps(), strict=True)
    return UiautomatorServer(phone, _run)


def call(server: UiautomatorServer, name: str, *arguments: object) -> dict[str, Any]:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": list(arguments)}).encode()
    answer: dict[str, Any] = json.loads(asyncio.run(rpc.dispatch(server._calls, body)))
    return answer


def sample(server: UiautomatorServer, overload: Overload) -> list[object]:
    """Return sample arguments by parameter type; object ids are those of a stored object."""
    selector = dict(Selector(packageName="com.android.launcher3", className="android.widget.FrameLayout"))
    stored = call(server, "getUiObject", selector)["result"]
    about_an_object = ("Selector", *overload.parameters[1:])
    is_id = Overload(overload.name, about_an_object) in OVERLOADS or overload.name in (
        "getChild",
        "getFromParent",
        "removeUiObject",
    )
    values: dict[str, object] = {
        "I": 1,
        "J": 1,
        "F": 0.5,
        "Z": False,
        "String": "a",
        "Selector": selector,
        "[Selector": [selector],
        "[String": ["back"],
        "[I": [1, 1, 2, 2],
        "Point": {"x": 1, "y": 1},
        "ConfiguratorInfo": {"waitForIdleTimeout": 0},
    }
    arguments = [values[kind] for kind in overload.parameters]
    if overload.parameters[:1] == ("String",) and is_id:
        arguments[0] = stored
    return arguments


def test_the_jar_has_overloads() -> None:
    assert len(OVERLOADS) > 90
    assert Overload("waitForExists", ("Selector", "J")) in OVERLOADS


def test_method_names_match_the_jar(server: UiautomatorServer) -> None:
    assert sorted(server.methods) == sorted({each.name for each in OVERLOADS})


@every_case("overload", OVERLOADS, ids=lambda each: f"{each.name}({','.join(each.parameters)})")
def test_every_overload_is_accepted(server: UiautomatorServer, overload: Overload) -> None:
    answer = call(server, overload.name, *sample(server, overload))
    error = answer.get("error", {"code": None, "message": ""})
    assert error["code"] in (None, rpc.JAVA_EXCEPTION), answer
    assert error["message"] in ("", rpc.UI_OBJECT_NOT_FOUND), answer
