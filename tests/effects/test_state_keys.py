"""One-time keys: each is the hash of a later one, and each provider has a chain."""

from __future__ import annotations

from garabench.core.state_lock import KEYS, next_lock, opens
from garabench.effects.state_keys import StateKeys

URI, OTHER = "content://org.garabench.state/one", "content://one.org.garabench.state/one"


def parameter(address: str, name: str) -> str:
    return address.partition(f"{name}=")[2].partition("&")[0]


def test_each_key_opens_the_lock_before_it() -> None:
    keys = StateKeys()
    lock = parameter(keys.address(URI), "lock")
    for _ in range(3):
        key = parameter(keys.address(URI), "key")
        assert next_lock(key) == lock
        assert not opens(lock, key)
        lock = key


def test_a_chain_that_is_used_up_continues_with_another() -> None:
    keys = StateKeys()
    lock = parameter(keys.address(URI), "lock")
    addresses = [keys.address(URI) for _ in range(KEYS + 1)]
    changed = [each for each in addresses if "&lock=" in each]
    assert len(changed) == 1
    assert opens(parameter(changed[0], "key"), lock)
    assert next_lock(parameter(addresses[-1], "key")) == parameter(changed[0], "lock")


def test_each_provider_has_a_chain_and_is_released() -> None:
    keys = StateKeys()
    first = [parameter(keys.address(each), "lock") for each in (URI, OTHER)]
    assert first[0] != first[1]
    released = keys.releases()
    assert [each.partition("?")[0] for each in released] == [
        "content://org.garabench.state/",
        "content://one.org.garabench.state/",
    ]
    assert all(each.endswith("&lock=") for each in released)
    assert [next_lock(parameter(each, "key")) for each in released] == first
    assert not keys.releases()
    assert "?lock=" in keys.address(URI)
