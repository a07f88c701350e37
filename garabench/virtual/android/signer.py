"""The signing certificate of an APK, from its JAR signature (a PKCS #7 SignedData of RFC 2315)."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator

_BLOCKS = (".RSA", ".DSA", ".EC")
_SEQUENCE, _CONTEXT_0 = 0x30, 0xA0
_MAX_MEMBER = 1 << 20


def signer(apk: bytes) -> str:
    """SHA-256 of an APK's signing certificate; empty if it has no JAR signature."""
    try:
        with zipfile.ZipFile(io.BytesIO(apk)) as archive:
            for entry in archive.infolist():
                if (
                    entry.filename.startswith("META-INF/")
                    and entry.filename.endswith(_BLOCKS)
                    and entry.file_size < _MAX_MEMBER
                ):
                    return hashlib.sha256(_certificate(archive.read(entry))).hexdigest()
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, NotImplementedError):
        return ""
    return ""


def _certificate(block: bytes) -> bytes:
    """Return the first certificate of a ContentInfo.

    Raises:
        ValueError: It holds no certificate.
    """
    _, content_info = next(_parts(block))
    wrapped = [body for tag, body in _parts(content_info) if tag == _CONTEXT_0]
    for tag, signed_data in _parts(wrapped[0] if wrapped else b""):
        if tag != _SEQUENCE:
            continue
        for inner, certificates in _parts(signed_data):
            if inner == _CONTEXT_0:
                return certificates
    raise ValueError("no certificate in the signature")


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the tags and bodies of consecutive DER values.

    Raises:
        ValueError: A value is truncated.
    """
    at = 0
    while at + 2 <= len(data):
        tag, length = data[at], data[at + 1]
        at += 2
        if length & 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[at : at + count], "big")
            at += count
        if at + length > len(data):
            raise ValueError("truncated value")
        yield tag, data[at : at + length]
        at += length
