"""Scripts that behave the same in Android's shell and the host's, run by both."""

from __future__ import annotations

from pathlib import Path

from tests.cases import every_case
from tests.virtual.shell.harness import on_host, on_phone

DATA = Path(__file__).parents[2] / "data"


def scripts(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").removesuffix("\n").split("\n%%\n")


@every_case("script", scripts("shell_scripts.txt"))
def test_scripts_behave_the_same_in_both_shells(script: str) -> None:
    out, _, status = on_phone(script)
    assert (out, status) == on_host(script)[::2]


@every_case("script", scripts("shell_utilities.txt"))
def test_utilities_print_the_same(script: str) -> None:
    out, _, status = on_phone(script)
    assert (out, status) == on_host(script)[::2]


def test_utilities_that_not_every_host_has() -> None:
    assert on_phone("echo abc | xxd -p; echo 616263 | xxd -r -p") == ("6162630a\nabc", "", 0)
