from __future__ import annotations

import re
from pathlib import Path

from garabench.campaign.suite import Suite

DOC = Path(__file__).parents[2] / "docs" / "formats.md"


def test_the_examples_are_one_valid_suite(tmp_path: Path) -> None:
    examples = re.findall(r"```yaml file=(\S+)\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 4
    for name, text in examples:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    suite = Suite.load(tmp_path)
    assert set(suite.tasks) == {"reader-like-first-poem"}
    assert set(suite.rules) == {"reader-results-update", "reader-poem-battery"}
