"""The viewer over a run of 5,000 episodes: start, list, first paint, an episode's page, memory."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Measure
from garabench.records.plan import CLEAN
from garabench.records.reader import load_run
from garabench.records.run_layout import EpisodeKey
from tests.report.viewer.played_runs import played_run

_TASKS, _AGENTS, _SEEDS = 125, 5, 4  # with two conditions: 5,000 episodes
_PAGES = 15
_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def measure_viewer(folder: Path, recorded: Path | None = None) -> list[Measure]:
    """Measure the command, with a Chromium as its reader.

    Args:
        folder: An empty folder for the synthetic run.
        recorded: A recorded run to measure instead, with the screens of real or virtual devices.
    """
    tasks = [f"reader-task-{number:03}" for number in range(_TASKS)]
    agents = [f"agent-{number}" for number in range(_AGENTS)]
    run = (
        load_run(recorded)
        if recorded
        else load_run(played_run(folder / "big", tasks=tasks, agents=agents, seeds=_SEEDS).folder)
    )
    keys = [each.key for each in run.summaries if each.condition != CLEAN and not each.infeasible]
    with _command(run.folder) as (address, process, started), _chromium() as browser:
        _get(f"{address}api/episodes")
        used = process.cpu_times()
        episodes = f"{len(run.summaries)} episodes"
        measures = [
            Measure("viewer: start of the command", started, "s", 3, note=episodes),
            Measure(
                "viewer: start and index, processor time",
                used.user + used.system,
                "s",
                3,
                note=f"{episodes}; does not depend on other work",
            ),
            *_in_browser(browser, address, run.folder.name, keys),
        ]
        for key in keys[:: max(1, len(keys) // 200)]:
            _get(f"{address}api/episode/{run.folder.name}/{key}")
        resident = process.memory_info().rss / 1e6
        measures.append(Measure("viewer: memory", resident, "MB", 500, note="after 200 episodes"))
    return measures


def _in_browser(browser: Browser, address: str, run: str, keys: list[EpisodeKey]) -> list[Measure]:
    page = browser.new_page()
    listed = _timed(page, address, "#episodes tbody tr")
    paint = page.evaluate(_FIRST_PAINT) / 1000
    start = time.perf_counter()
    page.get_by_label("Search").fill(f"{keys[-1].task[:-1]} {keys[-1].condition} {keys[-1].agent}")
    page.locator("#count", has_text=" of ").wait_for()
    searched = time.perf_counter() - start
    shown, paints = [], []
    for key in keys[:: max(1, len(keys) // _PAGES)][:_PAGES]:
        shown.append(_timed(page, f"{address}episode/{run}/{key}", ".node"))
        paints.append(page.evaluate(_FIRST_PAINT) / 1000)
    shown.sort()
    clean = dataclasses.replace(keys[0], condition=CLEAN)
    side = _timed(page, f"{address}side?left={run}/{clean}&right={run}/{keys[0]}", ".aligned")
    start = time.perf_counter()
    _get(f"{address}api/episodes?since=999999")
    polled = time.perf_counter() - start
    return [
        Measure("viewer: list of all episodes", listed, "s", 3, note="until rows are shown, cold"),
        Measure("viewer: first paint of the list", paint, "s", 1),
        Measure(
            "viewer: search in the list", searched, "s", 1, note="with 0.12 s of waiting for more letters"
        ),
        Measure(
            "viewer: an episode's page",
            shown[len(shown) // 2],
            "s",
            0.5,
            note=f"median of {_PAGES}, with its tree",
        ),
        Measure("viewer: an episode's page, slowest", shown[-1], "s"),
        Measure("viewer: first paint of an episode", sorted(paints)[len(paints) // 2], "s", 1),
        Measure("viewer: side by side", side, "s", 1),
        Measure("viewer: poll without changes", polled, "s", 0.5),
    ]


def _timed(page: Page, address: str, ready: str) -> float:
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(ready).first.wait_for()
    return time.perf_counter() - start


def _get(address: str) -> object:
    with urllib.request.urlopen(address) as response:  # noqa: S310  # loopback
        return json.load(response)


@contextlib.contextmanager
def _command(run: Path) -> Iterator[tuple[str, psutil.Process, float]]:
    """Run ``garabench view``; yield its address, its process and the seconds until it served."""
    argv = [
        sys.executable,
        "-c",
        "from garabench.cli.main import main; main()",
        "view",
        str(run),
        "--no-browser",
    ]
    start = time.perf_counter()
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        address = next(word for word in child.stdout.readline().split() if word.startswith("http"))
        try:
            yield address, psutil.Process(child.pid), time.perf_counter() - start
        finally:
            child.terminate()


@contextlib.contextmanager
def _chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
