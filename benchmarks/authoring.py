"""The tools for authors: checking, explaining, replaying and watching rules."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import Measure, cpu_ms
from benchmarks.rules import Screen, rules
from garabench.authoring.rule_replay import ReplayedScreen, replay_rules
from garabench.authoring.rule_watch import WatchedScreen, watch_rules
from garabench.core.clock import SystemClock
from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule
from garabench.core.tree import UiNode, UiTree, parse_tree
from garabench.device.device import Device
from garabench.lint.suite_check import check_suite
from garabench.records.recorded_screen import RecordedScreen
from garabench.rules.engine import RuleEngine
from garabench.rules.explain import explain_rule
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

_APP = "tv.danmaku.bili"
_WORDS = ("首页", "动态", "会员购", "我的", "推荐", "热门", "简介", "评论", "播放设置", "离线设置")
_TREES = 1000
_NODES = 200
_CHANGES = 10
_CPU = "processor time"


def _tree(number: int) -> bytes:
    """Return the XML of a screen with many texts, different for each number."""
    children = tuple(
        UiNode(
            text=f"{_WORDS[(number + place) % len(_WORDS)]} {number} {place}",
            resource_id=f"{_APP}:id/item_{place}",
            package=_APP,
            cls="android.widget.TextView",
        )
        for place in range(_NODES - 1)
    )
    return UiTree((UiNode(package=_APP, children=children),)).to_xml()


def measure_authoring() -> list[Measure]:
    """Measure the tools for authors."""
    suite = Suite.load()
    bound = tuple(suite.rules.values())
    return [
        Measure("check of the whole suite", cpu_ms(check_suite, 3), "ms", 2000, note=_CPU),
        *_explaining(bound),
        *_replaying(bound),
        *_ten_thousand_rules(),
        *_watching(bound),
    ]


def _explaining(bound: tuple[BoundRule, ...]) -> list[Measure]:
    facts = RecordedFacts(parse_tree(_tree(0)), Focus(_APP, ".Main"))
    of_app = [each for each in bound if each.app == _APP]
    once = cpu_ms(lambda: [explain_rule(each, facts, None) for each in of_app], 3)
    with tempfile.TemporaryDirectory() as folder:
        screen = Path(folder) / "screen.xml"
        screen.write_bytes(_tree(0))
        program = "from garabench.cli.main import main; main()"
        words = ["rules", "explain", str(screen), "--rule", of_app[0].rule.id]
        command = [sys.executable, "-c", program, *words]
        process = min(_process_ms(command) for _ in range(3))
    return [
        Measure(f"explaining {len(of_app)} rules on {_NODES} nodes", once, "ms", 500, note=_CPU),
        Measure("garabench rules explain, the whole process", process, "ms", 500, note=_CPU),
    ]


def _process_ms(command: list[str]) -> float:
    """Return the processor time of a command in milliseconds, which other load disturbs least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def _replaying(bound: tuple[BoundRule, ...]) -> list[Measure]:
    xml = [_tree(number) for number in range(_TREES)]
    focus = Focus(_APP, ".Main")

    def replay() -> None:
        screens = (
            ReplayedScreen("e", RecordedScreen(str(number), parse_tree(each), focus, number))
            for number, each in enumerate(xml)
        )
        replay_rules(bound, screens)

    return [
        Measure(
            f"replay of {_TREES} trees of {_NODES} nodes, {len(bound)} rules",
            cpu_ms(replay, 1),
            "ms",
            5000,
            note=_CPU,
        )
    ]


def _ten_thousand_rules() -> list[Measure]:
    engine = RuleEngine(rules(10_000), seed=0, episode="bench")
    screens = [Screen(400) for _ in range(10)]
    for screen in screens:
        len(screen.tree.nodes)  # the runner has walked the tree before to settle
    remaining = iter(screens)
    duration = cpu_ms(lambda: engine.decide(next(remaining), 0), len(screens))
    return [Measure("10,000 rules on 400 nodes", duration, "ms", 30, note=_CPU)]


def _watching(bound: tuple[BoundRule, ...]) -> list[Measure]:
    """Measure the time from a change of the screen until the table shows it, on a virtual phone."""
    clock = SystemClock()
    times: list[float] = []
    with VirtualPhone(latency="instant") as phone, Device.connect(phone.serial, clock) as device:
        pages = ("com.android.settings", _APP)
        with Device.connect(phone.serial, clock) as other:
            number, begun = 0, 0.0

            def change() -> None:
                nonlocal number, begun
                number += 1
                name = pages[number % 2]
                other.adb.shell(("monkey", "-p", name, "-c", "android.intent.category.LAUNCHER", "1"))
                begun = time.perf_counter()

            def seen(screen: WatchedScreen) -> None:
                nonlocal begun
                if begun and screen.app == pages[number % 2]:
                    times.append((time.perf_counter() - begun) * 1000)
                    begun = 0.0
                if not begun and len(times) < _CHANGES:
                    change()

            watch_rules(device, bound, seen, clock=clock, stop=lambda: len(times) >= _CHANGES)
    return [
        Measure("watch: from a change to the table, slowest of ten", max(times), "ms", 300, note="elapsed")
    ]
