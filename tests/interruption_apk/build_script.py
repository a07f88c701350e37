"""Import the companion app's build script as a module."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).parents[2] / "interruption_apk"


def load_build() -> ModuleType:
    """Import ``build.py``, which is outside any package."""
    spec = importlib.util.spec_from_file_location("companion_build", HOME / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
