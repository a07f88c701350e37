"""The committed copy of cytoscape.js is the one that the documentation names."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_copy_has_the_stated_version_and_checksum() -> None:
    text = (ROOT / "docs/decisions/0026-what-makes-two-actions-one.md").read_text(encoding="utf-8")
    copy = (ROOT / "garabench/graph/static/cytoscape.min.js").read_bytes()
    (version,) = re.findall(r"of version (\d+\.\d+\.\d+)\s+of the npm\s+package", text)
    assert hashlib.sha256(copy).hexdigest() in text
    assert f'version="{version}"'.encode() in copy
