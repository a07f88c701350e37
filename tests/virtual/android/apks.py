"""Builders of small APK files, for tests."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence


def _pool(strings: Sequence[str], *, utf8: bool) -> bytes:
    body, offsets = b"", []
    for text in strings:
        offsets.append(len(body))
        if utf8:
            raw = text.encode()
            body += bytes([len(text), len(raw)]) + raw + b"\0"
        else:
            body += struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
    body += b"\0" * (-len(body) % 4)
    head = 28 + 4 * len(strings)
    fields = (0x0001, 28, head + len(body), len(strings), 0, 0x100 if utf8 else 0, head, 0)
    return struct.pack("<HHIIIIII", *fields) + struct.pack(f"<{len(offsets)}I", *offsets) + body


Tag = tuple[str, Mapping[str, str | int | bool], Sequence["Tag"]]


def axml(tag: Tag, *, utf8: bool = False) -> bytes:
    """Return a document in binary XML."""
    strings: list[str] = []

    def index(text: str) -> int:
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    def element(entry: Tag) -> bytes:
        name, attributes, children = entry
        body = struct.pack(
            "<IIIIHHHHHH", 1, 0xFFFFFFFF, 0xFFFFFFFF, index(name), 20, 20, len(attributes), 0, 0, 0
        )
        for key, value in attributes.items():
            if isinstance(value, bool):
                typed = (0xFFFFFFFF, 8, 0, 0x12, 0xFFFFFFFF if value else 0)
            elif isinstance(value, int):
                typed = (0xFFFFFFFF, 8, 0, 0x10, value)
            else:
                typed = (index(value), 8, 0, 0x03, index(value))
            body += struct.pack("<IIIHBBI", 0xFFFFFFFF, index(key), *typed)
        start_chunk = struct.pack("<HHI", 0x0102, 16, 8 + len(body)) + body
        end = struct.pack("<HHIIIII", 0x0103, 16, 24, 1, 0xFFFFFFFF, 0xFFFFFFFF, index(name))
        return start_chunk + b"".join(element(child) for child in children) + end

    inner = element(tag)
    inner = _pool(strings, utf8=utf8) + inner
    return struct.pack("<HHI", 0x0003, 8, 8 + len(inner)) + inner


def manifest(
    package: str = "org.example.small",
    *,
    code: int = 1,
    min_sdk: int = 16,
    target: int = 30,
    test_only: bool = False,
    permissions: Sequence[str] = (),
    services: Sequence[str | Tag] = (),
    receivers: Sequence[Tag] = (),
    debuggable: bool = False,
) -> Tag:
    main: Tag = (
        "activity",
        {"name": ".Main", "exported": True},
        [
            (
                "intent-filter",
                {},
                [
                    ("action", {"name": "android.intent.action.MAIN"}, []),
                    ("category", {"name": "android.intent.category.LAUNCHER"}, []),
                ],
            )
        ],
    )
    return (
        "manifest",
        {"package": package, "versionCode": code, "versionName": f"1.{code}"},
        [
            ("uses-sdk", {"minSdkVersion": min_sdk, "targetSdkVersion": target}, []),
            *[("uses-permission", {"name": each}, []) for each in permissions],
            (
                "application",
                {"label": "小应用", "testOnly": test_only, "debuggable": debuggable},
                [
                    main,
                    ("activity", {"name": "org.example.Second"}, []),
                    *[("service", {"name": e}, []) if isinstance(e, str) else e for e in services],
                    *receivers,
                ],
            ),
        ],
    )


def component(
    tag: str, name: str, *actions: str, exported: bool | None = None, scheme: str = "", priority: int = 0
) -> Tag:
    """Return a service or receiver with one filter, or none without an action."""
    parts: list[Tag] = [("action", {"name": each}, []) for each in actions]
    parts += [("category", {"name": "android.intent.category.DEFAULT"}, [])]
    parts += [("data", {"scheme": scheme}, [])] if scheme else []
    attributes: dict[str, str | int | bool] = {"name": name}
    if exported is not None:
        attributes["exported"] = exported
    return (tag, attributes, [("intent-filter", {"priority": priority}, parts)] if actions else [])


def apk(document: Tag | bytes | None = None, *, signed: bool = True) -> bytes:
    """Return a small APK file."""
    out = io.BytesIO()
    content = document if isinstance(document, bytes) else axml(document or manifest())
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("AndroidManifest.xml", content)
        archive.writestr("classes.dex", b"dex\n035\0")
        if signed:
            archive.writestr("META-INF/CERT.RSA", b"signature")
    return out.getvalue()
