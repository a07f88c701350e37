"""The commands of the guides run, in the order of the page.

A block with ``file=NAME`` is written to that file. Bash runs a block ``sh run`` in the same folder, with a
separate adb server. A block ``text out`` holds lines that the preceding run prints.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest

from garabench.agents.faulty.agent_fault import ABOUT as AGENT_FAULTS
from garabench.stats.paired_tests import PairedOutcomes
from garabench.stats.rates import Rate
from garabench.testing.faults import ABOUT
from garabench.virtual.android.device_profile import PROFILES
from garabench.virtual.android.faults import KNOWN
from garabench.virtual.defects.defect import DefectKind

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+) (file=(\S+)|run|out)\n(.*?)^```", re.DOTALL | re.MULTILINE)
GUIDES = (
    "README.md",
    "docs/agents.md",
    "docs/authoring.md",
    "docs/authoring-rules.md",
    "docs/bring-your-agent.md",
    "docs/formats.md",
    "docs/known-causes.md",
    "docs/own-app.md",
    "docs/testing-agents.md",
    "docs/virtual-phone.md",
)
_LIMIT_S = 1200  # only ends a hang: proving a task takes minutes next to ten other programs


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Return an environment with its own adb server and home, and this garabench on the path."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": port, "HOME": str(tmp_path_factory.mktemp("home"))}
    env["ADB_LOCAL_TRANSPORT_MAX_PORT"] = "5553"  # emulators of concurrent tests are not added
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        env.pop(name, None)
    adb = Path(adbutils.adb_path())
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), str(adb.parent), env["PATH"]])
    subprocess.run([adb, "start-server"], env=env, check=True, capture_output=True, timeout=120)
    yield env
    subprocess.run(
        ["garabench", "phone", "stop", "--all"], env=env, capture_output=True, timeout=120, check=False
    )
    subprocess.run([adb, "kill-server"], env=env, capture_output=True, timeout=120, check=False)


@pytest.mark.timeout(3000)  # each command of a guide has its own limit
@pytest.mark.parametrize("name", GUIDES)
def test_commands_of_the_guides_run(name: str, tmp_path: Path, environment: dict[str, str]) -> None:
    printed, ran = "", 0
    (tmp_path / "docs").symlink_to(DOCS)  # as in a clone of the repository
    for _, kind, file, body in BLOCK.findall((ROOT / name).read_text(encoding="utf-8")):
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(body, encoding="utf-8")
        elif kind == "run":
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", body],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=_LIMIT_S,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            printed, ran = done.stdout, ran + 1
        else:
            for line in body.splitlines():
                assert line.strip() in printed, f"{line!r} is not in:\n{printed}"
    assert ran


def test_examples_import_only_from_garabench() -> None:
    files = (each for each in (DOCS / "examples").rglob("*") if each.is_file())
    examples = (each for each in files if each.suffix not in (".xz", ".html"))
    pages = [ROOT / "README.md", *DOCS.rglob("*.md"), *examples]
    internal = [
        page.relative_to(ROOT).as_posix()
        for page in pages
        if re.search(r"^\s*(from|import) garabench\.", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert internal == []


def test_tables_of_profiles_and_faults_are_complete() -> None:
    page = (DOCS / "virtual-phone.md").read_text(encoding="utf-8")
    for name, meaning in KNOWN.items():
        assert f"| `{name}` | {meaning} |" in page
    assert all(f"`{name}`" in page for name in PROFILES)


def test_tables_of_defects_and_agent_faults_are_complete() -> None:
    page = (DOCS / "known-causes.md").read_text(encoding="utf-8")
    for fault, meaning in AGENT_FAULTS.items():
        assert f"| `{fault.value}` | {meaning} |" in page
    assert all(f"`{kind.value}`" in page for kind in DefectKind)


def test_worked_example_of_the_measures_is_right() -> None:
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    low, high = Rate(14, 20).interval() or (0.0, 0.0)
    assert f"{low:.1%} to {high:.1%}" in page
    paired = PairedOutcomes(both=13, only_first=6, only_second=1, neither=0)
    assert f"p = {paired.p_value:.3f}" in page
    assert f"RSR = {Rate(13, 19).value:.1%}" in page


def test_every_link_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_table_of_the_fake_servers_faults_is_complete() -> None:
    page = (DOCS / "testing-agents.md").read_text(encoding="utf-8")
    for kind, about in ABOUT.items():
        assert f"| `{kind.value}` | {about} |" in page


def test_decisions_have_numbers_of_their_own() -> None:
    pages = sorted((DOCS / "decisions").glob("*.md"))
    numbers = [page.name[:4] for page in pages]
    assert sorted(set(numbers)) == numbers
    for page in pages:
        title = page.read_text(encoding="utf-8").splitlines()[0]
        assert title.startswith(f"# {int(page.name[:4])}. "), page.name
