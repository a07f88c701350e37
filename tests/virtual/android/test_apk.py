from __future__ import annotations

from pathlib import Path

import pytest
import uiautomator2
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.android.apk import ApkError, read_apk
from garabench.virtual.android.axml import AxmlError, XmlElement, parse_axml
from tests.virtual.android.apks import apk, axml, manifest

UIAUTOMATOR = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"


@pytest.mark.parametrize("utf8", [False, True])
def test_binary_xml_has_tags_attributes_and_order(utf8: bool) -> None:
    root = parse_axml(axml(manifest(permissions=["a.B"]), utf8=utf8))
    assert root.tag == "manifest"
    assert root.text("package") == "org.example.small"
    assert root.number("versionCode") == 1
    assert [child.tag for child in root.children] == ["uses-sdk", "uses-permission", "application"]
    application = next(root.all("application"))
    assert application.text("label") == "小应用"
    assert application.flag("testOnly") is False
    assert [each.text("name") for each in application.all("activity")] == [".Main", "org.example.Second"]


def test_an_apk_has_the_values_of_its_manifest() -> None:
    found = read_apk(apk(manifest(code=7, permissions=["android.permission.CAMERA"])))
    assert (found.package, found.version_code, found.version_name) == ("org.example.small", 7, "1.7")
    assert (found.min_sdk, found.target_sdk) == (16, 30)
    assert found.label == {"zh": "小应用", "en": "小应用"}
    assert found.launcher == "org.example.small.Main"
    assert [each.name for each in found.activities] == ["org.example.small.Main", "org.example.Second"]
    assert [each.exported for each in found.activities] == [True, False]
    assert found.permissions == ("android.permission.CAMERA",)


def test_reads_a_real_apk() -> None:
    found = read_apk(UIAUTOMATOR.read_bytes())
    assert found.package == "com.github.uiautomator"
    assert found.label == {"zh": "ATX", "en": "ATX"}  # from its resource table
    assert found.launcher == "com.github.uiautomator.MainActivity"
    assert found.input_methods == ("com.github.uiautomator/.AdbKeyboard",)
    assert found.target_sdk == 32
    modes = {each.name.rpartition(".")[2]: each.launch_mode for each in found.activities}
    assert modes["MainActivity"] == "singleTask"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "INSTALL_PARSE_FAILED_NOT_APK"),
        (b"PK\x03\x04 cut short", "INSTALL_PARSE_FAILED_NOT_APK"),
        (apk()[:-30], "INSTALL_PARSE_FAILED_NOT_APK"),
        (apk(b"<manifest/>"), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (apk(signed=False), "INSTALL_PARSE_FAILED_NO_CERTIFICATES"),
        (apk(("manifest", {}, [])), "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED"),
        (apk(manifest("../../etc")), "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME"),
    ],
)
def test_an_invalid_apk_has_its_error_code(data: bytes, code: str) -> None:
    with pytest.raises(ApkError) as caught:
        read_apk(data)
    assert caught.value.code == code


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_rejected(data: bytes) -> None:
    with pytest.raises(AxmlError):
        parse_axml(data)


@given(st.integers(0, len(axml(manifest())) - 1), st.integers(0, 255))
def test_a_damaged_manifest_is_read_or_rejected(place: int, value: int) -> None:
    data = bytearray(axml(manifest()))
    data[place] = value
    try:
        root = parse_axml(bytes(data))
    except AxmlError:
        return
    assert isinstance(root, XmlElement)
