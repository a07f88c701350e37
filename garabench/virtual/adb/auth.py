"""Authentication: the public keys of adb servers, and the tokens that they sign.

A key is what adb keeps in ``adbkey.pub``: the base64 of AOSP's ``RSAPublicKey`` (``libcrypto_utils``), a
blank and the owner's name. A token of 20 random bytes is signed as if it were a SHA-1 digest (PKCS #1 v1.5).
"""

from __future__ import annotations

import base64
import binascii
import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass

_HEADER = struct.Struct("<II")
_WORDS = 64
_SIZE = _WORDS * 4
_LENGTH = _HEADER.size + 2 * _SIZE + 4
_SHA1_DIGEST = bytes.fromhex("3021300906052b0e03021a05000414")
_MAX_KEY_LENGTH = 2048


class InvalidKeyError(ValueError):
    """The bytes are not an adb public key."""


@dataclass(frozen=True, slots=True)
class AdbKey:
    """An RSA public key.

    Attributes:
        modulus: 2048 bits.
        exponent: 3 or 65537, as AOSP accepts no other.
        owner: The owner's name in adb, such as ``me@laptop``.
    """

    modulus: int
    exponent: int
    owner: str = ""

    def __post_init__(self) -> None:
        if self.exponent not in (3, 65537) or self.modulus.bit_length() != _SIZE * 8 or self.modulus % 2 == 0:
            raise InvalidKeyError("not a 2048-bit RSA key")

    @classmethod
    def parse(cls, text: bytes) -> AdbKey:
        """Parse a key as adb sends it.

        Raises:
            InvalidKeyError: The bytes are not a key.
        """
        first, _, owner = text.rstrip(b"\0\n").partition(b" ")
        try:
            raw = base64.b64decode(first[:_MAX_KEY_LENGTH], validate=True)
        except binascii.Error as error:
            raise InvalidKeyError("the key is not valid Base64") from error
        if len(raw) != _LENGTH or _HEADER.unpack_from(raw)[0] != _WORDS:
            raise InvalidKeyError(f"a key must have {_LENGTH} bytes")
        modulus = int.from_bytes(raw[_HEADER.size : _HEADER.size + _SIZE], "little")
        exponent = int.from_bytes(raw[-4:], "little")
        return cls(modulus, exponent, owner.decode("utf-8", errors="replace"))

    def verify(self, token: bytes, signature: bytes) -> bool:
        """Return whether the key's owner signed the token."""
        if len(signature) != _SIZE or (number := int.from_bytes(signature, "big")) >= self.modulus:
            return False
        digest = _SHA1_DIGEST + token
        expected = b"\0\1" + b"\xff" * (_SIZE - 3 - len(digest)) + b"\0" + digest
        return hmac.compare_digest(pow(number, self.exponent, self.modulus).to_bytes(_SIZE, "big"), expected)


class KeyStore:
    """The accepted keys, and those that await acceptance."""

    def __init__(self) -> None:
        self._accepted: set[AdbKey] = set()
        self.waiting: set[AdbKey] = set()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, accepted: Callable[[], None]) -> None:
        """Call a function whenever a key is accepted."""
        self._watchers.append(accepted)

    def accept(self, key: AdbKey) -> None:
        """Accept a key from now on."""
        self.waiting.discard(key)
        self._accepted.add(key)
        for accepted in self._watchers:
            accepted()

    def accept_waiting(self) -> tuple[AdbKey, ...]:
        """Accept all waiting keys, as pressing "Allow" does; return them."""
        keys = tuple(self.waiting)
        for key in keys:
            self.accept(key)
        return keys

    def revoke_all(self) -> None:
        """Revoke all keys, as in the developer options."""
        self._accepted.clear()
        self.waiting.clear()

    def accepts(self, key: AdbKey) -> bool:
        """Return whether a key is accepted."""
        return key in self._accepted

    def verify(self, token: bytes, signature: bytes) -> bool:
        """Return whether the owner of an accepted key signed a token."""
        return any(key.verify(token, signature) for key in self._accepted)
