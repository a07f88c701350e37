"""API keys: where they come from, and a type that never shows them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import NoReturn

from garabench.agents.profile import ModelEndpoint
from garabench.core.redaction import REDACTED, redact_key, redact_keys
from garabench.errors import InputError


class Secret:
    """A text that only `reveal` exposes: not repr, formatting, pickling or comparison."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __str__(self) -> str:
        return REDACTED

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled")

    def reveal(self) -> str:
        """Return the text itself, to send it."""
        return self._text

    def redact(self, text: str) -> str:
        """Redact the secret in a model's text, which may quote its prompt."""
        return redact_key(text, self._text)

    def redact_fragments(self, text: str) -> str:
        """Redact the secret, its fragments and anything that looks like a key in the text of an error."""
        return redact_keys(text, self._text)


NO_KEY = Secret("")
"""For endpoints without authentication, such as a self-hosted server."""


def find_key(
    endpoint: ModelEndpoint, environ: Mapping[str, str], keyring: Callable[[str, str], str | None]
) -> Secret:
    """Return the key of an endpoint; `NO_KEY` if its profile names none.

    Args:
        endpoint: The endpoint, which names the source of the key.
        environ: The environment's variables.
        keyring: Looks up (service, user), such as `system_keyring`.

    Raises:
        InputError: The named source has no key, or not a valid one.
    """
    if endpoint.key_env is not None:
        place, hint = f"the environment variable {endpoint.key_env}", f"Set it: export {endpoint.key_env}=…"
        text = environ.get(endpoint.key_env, "")
    elif endpoint.keyring is not None:
        service, _, user = endpoint.keyring.partition(":")
        place, hint = f"the keyring's entry {endpoint.keyring}", f"Set it: keyring set {service} {user}"
        text = keyring(service, user) or ""
    else:
        return NO_KEY
    text = text.strip()
    if not text:
        raise InputError(f"{endpoint.base_url} needs a key, but {place} is empty or missing", hint=hint)
    # Characters allowed in an HTTP header; the text is not quoted, since it may be a key with a typo.
    if not all("!" <= letter <= "~" for letter in text):
        raise InputError(
            f"{place} is not a valid key: it contains a space, a line break or a non-ASCII character",
            hint=hint,
        )
    return Secret(text)


def system_keyring(service: str, user: str) -> str | None:
    """Look a password up in the system's keyring.

    Raises:
        InputError: The package is not installed, or the system has no keyring that can be opened.
    """
    try:
        keyring = importlib.import_module("keyring")
        errors = importlib.import_module("keyring.errors")
    except ImportError as error:
        raise InputError(
            "the keyring cannot be read: the package 'keyring' is not installed",
            hint="Run pip install 'garabench[keyring]', or name an environment variable with key_env.",
        ) from error
    try:
        found = keyring.get_password(service, user)
    except errors.KeyringError as error:
        raise InputError(
            f"the system's keyring cannot be read: {error}", hint="Name an environment variable with key_env."
        ) from error
    return found if isinstance(found, str) else None
