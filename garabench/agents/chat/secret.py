"""Keys: where they are from, and that they are shown nowhere."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import NoReturn

from garabench.agents.keytexts import HIDDEN, without_key, without_keys
from garabench.agents.profile import Endpoint
from garabench.errors import InputError


class Secret:
    """A text that is shown by nothing but `reveal`: not by repr, formatting, pickling or comparison."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __str__(self) -> str:
        return HIDDEN

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written anywhere")

    def reveal(self) -> str:
        """The text itself, for the one who sends it."""
        return self._text

    def hide(self, text: str) -> str:
        """A text without the secret: models may quote what stands around their prompt."""
        return without_key(text, self._text)

    def hide_parts(self, text: str) -> str:
        """The text of an error without the secret, its parts, and whatever else looks like a key."""
        return without_keys(text, self._text)


NO_KEY = Secret("")
"""For endpoints that ask for none, such as a server of one's own."""


def find_key(
    endpoint: Endpoint, environ: Mapping[str, str], keyring: Callable[[str, str], str | None]
) -> Secret:
    """The key of an endpoint; `NO_KEY` where its profile names none.

    Args:
        endpoint: Says where the key is.
        environ: The environment's variables.
        keyring: Looks up (service, user), such as `system_keyring`.

    Raises:
        InputError: There is none where it should be, or it can be no key.
    """
    if endpoint.key_env is not None:
        place, hint = f"the environment variable {endpoint.key_env}", f"export {endpoint.key_env}=… sets it."
        text = environ.get(endpoint.key_env, "")
    elif endpoint.keyring is not None:
        service, _, user = endpoint.keyring.partition(":")
        place, hint = f"the keyring's entry {endpoint.keyring}", f"keyring set {service} {user} sets it."
        text = keyring(service, user) or ""
    else:
        return NO_KEY
    text = text.strip()
    if not text:
        raise InputError(f"{endpoint.base_url} needs a key, and {place} holds none", hint=hint)
    # What may stand in an HTTP header; the text is not quoted, since it may be a key with a slip in it.
    if not all("!" <= letter <= "~" for letter in text):
        raise InputError(
            f"{place} holds what can be no key: a space, a line's end or a letter like 'é'", hint=hint
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
            "the keyring cannot be read: the package keyring is not installed",
            hint="pip install 'garabench[keyring]', or name an environment variable by key_env.",
        ) from error
    try:
        found = keyring.get_password(service, user)
    except errors.KeyringError as error:
        raise InputError(
            f"the system's keyring cannot be read: {error}", hint="Name an environment variable by key_env."
        ) from error
    return found if isinstance(found, str) else None
