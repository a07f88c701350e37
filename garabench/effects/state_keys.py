"""One-time keys that lock the apps' states while an agent drives the device itself.

Such an agent is free to run any command, so no filter of its commands keeps it from a query that it conceals.
Therefore the first reading locks the provider: from then on, it answers only a query with a key whose SHA-256
is the lock, and the key becomes the next lock. The keys are a chain of hashes that is used from its end
(Lamport, *Password authentication with insecure communication*, 1981), so a key that an agent sees, such as
in the list of processes, opens nothing any more, and a reading whose answer is lost does not end the chain.
"""

from __future__ import annotations

import secrets

from garabench.core.state_lock import KEYS, next_lock

_SECRET_BYTES = 32


class StateKeys:
    """The keys of one episode, a chain for each provider."""

    def __init__(self) -> None:
        self._chains: dict[str, list[str]] = {}

    def address(self, address: str) -> str:
        """Return the address of a state with the next key; the first one of a provider sets the lock.

        Args:
            address: The address without a key, such as ``content://org.garabench.state/com.example``.
        """
        provider = _provider(address)
        chain = self._chains.get(provider)
        if chain is None:
            chain = self._chains[provider] = _chain()
            return f"{address}?lock={chain.pop()}"
        key = chain.pop()
        if chain:
            return f"{address}?key={key}"
        chain = self._chains[provider] = _chain()
        return f"{address}?key={key}&lock={chain.pop()}"

    def releases(self) -> tuple[str, ...]:
        """Return the addresses that unlock what was locked; afterwards the first reading locks again."""
        used = [f"{provider}/?key={chain.pop()}&lock=" for provider, chain in self._chains.items()]
        self._chains.clear()
        return tuple(used)


def _provider(address: str) -> str:
    """Return the address without its path."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def _chain() -> list[str]:
    """Return a secret, its hash, the hash of that, and so on; the last one is the lock."""
    chain = [secrets.token_hex(_SECRET_BYTES)]
    for _ in range(KEYS):
        chain.append(next_lock(chain[-1]))
    return chain
