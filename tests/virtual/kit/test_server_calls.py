from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook.app import APP
from garabench.virtual.kit.server_calls import (
    NetworkUnreachableError,
    ServerStore,
    network_check,
    requires_network,
)
from tests.virtual.apps.fake_phone import FakeContext

NOTICE = "No internet connection"


class Notes(ServerStore):
    @requires_network
    def write(self, text: str, *, twice: bool = False) -> int:
        """Write it down."""
        self._data["notes"] = [text] * (1 + twice)
        return len(self._data["notes"])


def test_a_server_call_without_a_network_fails_before_changing_data() -> None:
    ctx = FakeContext(APP)
    data: dict[str, object] = {}
    notes = Notes(data, network_check(ctx, NOTICE))
    ctx.online = False
    with pytest.raises(NetworkUnreachableError) as refused:
        notes.write("a")
    assert (refused.value.notice, data) == (NOTICE, {})
    ctx.online = True
    assert notes.write("a", twice=True) == 2
    assert data == {"notes": ["a", "a"]}


def test_data_without_a_phone_can_be_changed() -> None:
    assert Notes({}).write("a") == 1
    assert Notes.write.__doc__ == "Write it down."
