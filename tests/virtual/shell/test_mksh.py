"""Lines whose output, errors and exit status are those of mksh.

The table's answers were made with mksh R59c (Debian's package ``mksh``), in an empty directory; its
prefix of errors (``E: mksh: ``, as that release has it) stands here as Android's ``/system/bin/sh: ``.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.cases import every_case
from tests.virtual.shell.harness import on_phone

LINES = json.loads((Path(__file__).parents[2] / "data" / "mksh_lines.json").read_text(encoding="utf-8"))


@every_case(("line", "out", "err", "status"), [tuple(each) for each in LINES])
def test_lines_answer_as_in_mksh(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_a_new_shell_has_the_variables_of_mksh() -> None:
    out, _, _ = on_phone("cd /data; echo $PWD $((SECONDS < 60)) $OPTIND")
    assert out == "/data 1 1\n"
