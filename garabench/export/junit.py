"""JUnit XML, which CI systems show: a test suite per agent and condition, a test case per episode."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from garabench.core.xml_text import replace_invalid
from garabench.export.episode_rows import counts_as
from garabench.records.reader import Run
from garabench.records.results import Summary

_ELEMENTS = {"failure": "failure", "error": "error", "unknown": "skipped", "not-shown": "skipped"}


def write_junit(run: Run, path: Path) -> int:
    """Write a JUnit XML file; return the number of test cases.

    An episode that ended in error is an error. An unknown outcome, and an episode whose interruption could
    not be shown, are skipped: neither is a failure.
    """
    groups: dict[tuple[str, str], list[Summary]] = {}
    for summary in run.summaries:
        groups.setdefault((summary.agent, summary.condition), []).append(summary)
    top = etree.Element(
        "testsuites", {"name": _text(f"garabench {run.folder.name}"), **_counts(run.summaries)}
    )
    for (agent, condition), summaries in groups.items():
        top.append(_suite(run, f"{agent}.{condition}", summaries))
    data = etree.tostring(top, encoding="utf-8", xml_declaration=True, pretty_print=True)
    path.write_bytes(data)
    return len(run.summaries)


def _suite(run: Run, name: str, summaries: list[Summary]) -> etree._Element:
    skipped = sum(_ELEMENTS.get(counts_as(summary)) == "skipped" for summary in summaries)
    suite = etree.Element("testsuite", {"name": _text(name), "skipped": str(skipped), **_counts(summaries)})
    properties = etree.SubElement(suite, "properties")
    facts = {
        "device": run.kind.value,
        "garabench": run.file.garabench,
        "suite": run.file.suite_hash,
        "end": run.plan.end.value,
    }
    for key, value in facts.items():
        etree.SubElement(properties, "property", name=key, value=_text(value))
    several = len({summary.seed for summary in summaries}) > 1
    for summary in summaries:
        suite.append(_case(name, summary, several=several))
    return suite


def _case(suite: str, summary: Summary, *, several: bool) -> etree._Element:
    name = f"{summary.task}[{summary.seed}]" if several else summary.task
    case = etree.Element(
        "testcase", classname=_text(suite), name=_text(name), time=f"{max(0.0, summary.seconds):.3f}"
    )
    counted_as = counts_as(summary)
    if (element := _ELEMENTS.get(counted_as)) is not None:
        message = summary.unknown or summary.fault or ", ".join(summary.missed) or summary.reason
        child = etree.SubElement(
            case, element, message=_text(message), type=_text(_type(summary, counted_as))
        )
        child.text = _text(f"{summary.steps} actions, ended as {summary.reason}")
    return case


def _type(summary: Summary, counted_as: str) -> str:
    return summary.reason if counted_as == "failure" else summary.fault_error or counted_as


def _counts(summaries: tuple[Summary, ...] | list[Summary]) -> dict[str, str]:
    found = [_ELEMENTS.get(counts_as(summary)) for summary in summaries]
    return {
        "tests": str(len(found)),
        "failures": str(found.count("failure")),
        "errors": str(found.count("error")),
        "time": f"{sum(summary.seconds for summary in summaries):.3f}",
    }


def _text(text: str) -> str:
    return replace_invalid(text, "\N{REPLACEMENT CHARACTER}")
