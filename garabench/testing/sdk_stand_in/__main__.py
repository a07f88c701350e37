"""A tool of the stand-in SDK: ``python -m garabench.testing.sdk_stand_in ROOT TOOL ARGUMENTS``."""

from __future__ import annotations

import sys
from pathlib import Path

from garabench.testing.sdk_stand_in.emulator_tool import run_emulator
from garabench.testing.sdk_stand_in.managers import run_avdmanager, run_sdkmanager

_TOOLS = {"sdkmanager": run_sdkmanager, "avdmanager": run_avdmanager, "emulator": run_emulator}


def main() -> int:
    """Run the tool, and return its exit status."""
    root, tool, *argv = sys.argv[1:]
    return _TOOLS[tool](Path(root), argv)


if __name__ == "__main__":
    sys.exit(main())
