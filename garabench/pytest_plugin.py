"""The pytest plug-in: a virtual phone as a fixture, for anyone's tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from garabench.virtual.launcher import VirtualPhone


@pytest.fixture(scope="session")
def virtual_phone() -> Iterator[VirtualPhone]:
    """A running virtual phone (android-34), connected to the adb server; `.serial` names it."""
    from garabench.virtual.launcher import VirtualPhone

    with VirtualPhone() as phone:
        yield phone
