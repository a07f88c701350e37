"""The APK files of built-in apps, read back by the reader of any APK."""

from __future__ import annotations

import io
import zipfile

import pytest

from garabench.virtual.android.apk import read_apk
from garabench.virtual.android.axml import parse_axml
from garabench.virtual.android.axml_writer import Element, write_axml
from garabench.virtual.android.built_in_apk import built_in_apk
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import App
from tests.virtual.shell.harness import on_phone


def test_binary_xml_is_read_back() -> None:
    long = "ä" * 200
    root = Element("a", {"name": "x", "own": long}, (Element("b", {"exported": True, "versionCode": 7}),))
    found = parse_axml(write_axml(root))
    assert (found.tag, found.attributes) == ("a", {"name": "x", "own": long})
    assert [(child.tag, child.attributes) for child in found.children] == [
        ("b", {"exported": True, "versionCode": 7})
    ]


@pytest.mark.parametrize("app", installed_apps(), ids=lambda app: app.package)
def test_a_built_in_apk_has_the_apps_manifest(app: App) -> None:
    data = io.BytesIO(built_in_apk(app))
    with zipfile.ZipFile(data, "a") as archive:  # it is not signed, so it could not be installed
        archive.writestr("META-INF/CERT.RSA", b"signature")
    found = read_apk(data.getvalue())
    assert (found.package, found.version_code, found.version_name) == (
        app.package,
        app.version_code,
        app.version_name,
    )
    assert found.launcher == app.launcher
    assert {each.name for each in found.activities} == set(app.activities)
    assert found.permissions == app.permissions


def test_every_path_of_pm_is_a_readable_apk() -> None:
    phone = Phone(Profile.parse("android-34"), apps=installed_apps())
    for line in on_phone("pm list packages -f", phone=phone)[0].splitlines():
        path, _, package = line.removeprefix("package:").rpartition("=")
        if package == "org.garabench.interruptions":  # a run must tell the twin from the app
            assert phone.files.stat(path) is None
            continue
        with zipfile.ZipFile(io.BytesIO(phone.files.read(path))) as archive:
            assert "AndroidManifest.xml" in archive.namelist()
        found = phone.files.stat(path)
        assert found is not None
        assert found.size == len(phone.files.read(path))
    assert on_phone("ls /product/priv-app/Contacts", phone=phone)[0] == "Contacts.apk\n"
    assert "Read-only file system" in on_phone("rm /product/priv-app/Contacts/Contacts.apk", phone=phone)[1]
