"""Keys in adb's format (AOSP ``libcrypto_utils/android_pubkey.cpp``), and signatures of a generated key."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import adbutils
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.adb.auth import AdbKey, InvalidKeyError, KeyStore

TOKEN = bytes(range(20))


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path: Path = tmp_path_factory.mktemp("key") / "adbkey"
    subprocess.run([adbutils.adb_path(), "keygen", str(path)], check=True, capture_output=True, timeout=120)
    return path.with_suffix(".pub").read_bytes()


def test_parses_a_key_made_by_adb(public: bytes) -> None:
    key = AdbKey.parse(public + b"\0")
    assert key.modulus.bit_length() == 2048
    assert key.exponent == 65537
    assert "@" in key.owner


def test_a_wrong_signature_is_rejected(public: bytes) -> None:
    key = AdbKey.parse(public)
    assert not key.verify(TOKEN, bytes(256))
    assert not key.verify(TOKEN, b"\xff" * 256)
    assert not key.verify(TOKEN, b"short")


def test_a_waiting_key_is_accepted_and_can_be_revoked(public: bytes) -> None:
    store, key = KeyStore(), AdbKey.parse(public)
    store.waiting.add(key)
    notified: list[bool] = []
    store.watch(lambda: notified.append(store.accepts(key)))
    assert store.accept_waiting() == (key,)
    assert (notified, store.waiting) == ([True], set())
    store.revoke_all()
    assert not store.accepts(key)


@given(st.one_of(st.binary(max_size=900), st.binary(min_size=524, max_size=524).map(base64.b64encode)))
def test_any_bytes_are_a_key_or_raise_invalid_key_error(text: bytes) -> None:
    try:
        key = AdbKey.parse(text)
    except InvalidKeyError:
        return
    assert key.modulus.bit_length() == 2048
