from __future__ import annotations

import pickle
import sys
import types

import pytest

from garabench.agents.models.credentials import NO_KEY, Secret, find_key, system_keyring
from garabench.agents.profile import ModelEndpoint
from garabench.errors import InputError

TEXT = "sk-0123456789abcdef"


def no_ring(service: str, user: str) -> str | None:
    raise AssertionError("nobody looks here")


def test_only_reveal_exposes_a_secret() -> None:
    secret = Secret(TEXT)
    for shown in (repr(secret), str(secret), f"{secret}", f"{secret!r}", repr([secret])):
        assert TEXT not in shown
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(secret)
    assert not hasattr(secret, "__dict__")
    assert secret.reveal() == TEXT


def test_a_secret_is_redacted_in_texts() -> None:
    assert Secret(TEXT).redact(f"Incorrect API key provided: {TEXT}.") == "Incorrect API key provided: [key]."
    assert NO_KEY.redact("a text stays") == "a text stays"
    assert Secret("a").redact("a text stays readable") == "a text stays readable"


def test_a_key_is_read_from_the_environment() -> None:
    endpoint = ModelEndpoint(key_env="MY_KEY")
    assert find_key(endpoint, {"MY_KEY": f" {TEXT}\n"}, no_ring).reveal() == TEXT


def test_a_key_is_read_from_the_keyring() -> None:
    asked: list[tuple[str, str]] = []

    def ring(service: str, user: str) -> str | None:
        asked.append((service, user))
        return TEXT

    assert find_key(ModelEndpoint(keyring="garabench:openai"), {}, ring).reveal() == TEXT
    assert asked == [("garabench", "openai")]


def test_an_endpoint_may_need_no_key() -> None:
    assert find_key(ModelEndpoint(), {"OPENAI_API_KEY": TEXT}, no_ring) is NO_KEY


@pytest.mark.parametrize(
    ("endpoint", "environ", "expected"),
    [
        (ModelEndpoint(key_env="MY_KEY"), {}, "the environment variable MY_KEY is empty or missing"),
        (ModelEndpoint(key_env="MY_KEY"), {"MY_KEY": "  "}, "is empty or missing"),
        (ModelEndpoint(key_env="MY_KEY"), {"MY_KEY": "sk-012 3456"}, "is not a valid key"),
        (ModelEndpoint(key_env="MY_KEY"), {"MY_KEY": "sk-012\r\nX-Evil: 1"}, "is not a valid key"),
        (
            ModelEndpoint(keyring="garabench:openai"),
            {},
            "the keyring's entry garabench:openai is empty or missing",
        ),
    ],
)
def test_a_missing_key_is_reported_without_quoting_it(
    endpoint: ModelEndpoint, environ: dict[str, str], expected: str
) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        find_key(endpoint, environ, lambda service, user: None)
    assert "012" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_missing_keyring_package_is_reported_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(InputError, match="package 'keyring' is not installed") as caught:
        system_keyring("garabench", "openai")
    assert "pip install 'garabench[keyring]'" in str(caught.value)


def test_a_locked_keyring_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class LockedError(Exception):
        pass

    def locked(service: str, user: str) -> str:
        raise LockedError("it is locked")

    ring = types.SimpleNamespace(get_password=locked)
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", types.SimpleNamespace(KeyringError=LockedError))
    with pytest.raises(InputError, match="cannot be read: it is locked") as caught:
        system_keyring("garabench", "openai")
    assert "key_env" in str(caught.value)
