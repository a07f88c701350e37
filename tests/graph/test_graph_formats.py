from __future__ import annotations

import re

from lxml import etree

from garabench.graph.action_trajectory import ActionStep
from garabench.graph.analysis import analyze
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.graph_formats import analysis_data, dot, graph_data, graphml
from tests.graph.made_trajectories import VECTOR, trajectory

GRAPHS = [task.graph for task in analyze([*VECTOR, trajectory("XY", False, 9, task="other")]).tasks]
NAMESPACE = {"g": "http://graphml.graphdrawing.org/xmlns"}


def test_graphml_has_every_node_edge_and_end() -> None:
    top = etree.fromstring(graphml(GRAPHS))
    ids = top.xpath("//g:node/@id", namespaces=NAMESPACE)
    assert len(ids) == len(set(ids)) == 4 + 2 + 2 * 2
    ends = top.xpath("//g:edge/@source | //g:edge/@target", namespaces=NAMESPACE)
    assert set(ends) <= set(ids)
    assert len(top.xpath("//g:edge", namespaces=NAMESPACE)) == 4 + 2 + 1 + 1
    keys = set(top.xpath("//g:key/@id", namespaces=NAMESPACE))
    assert set(top.xpath("//g:data/@key", namespaces=NAMESPACE)) <= keys
    values = top.xpath(
        "//g:node[g:data[@key='target']='A']/g:data[@key='value']/text()", namespaces=NAMESPACE
    )
    assert [round(float(value), 4) for value in values] == [0.27]


def test_dot_has_every_node_and_edge() -> None:
    text = dot(GRAPHS)
    assert len(re.findall(r" -> ", text)) == 4 + 2 + 1 + 1
    assert text.count("subgraph cluster_") == 2
    assert text.count("{") == text.count("}")
    assert '"tap A\\n3x, value 0.27"' in text


def test_long_labels_are_shortened_in_dot() -> None:
    long = "x" * 10**6
    step = ActionStep(CanonicalAction("tap", long, "A", long))
    graph = analyze([trajectory("", True, 1, steps=(step,), task=long)]).tasks[0].graph
    assert len(dot([graph])) < 2000


def test_data_of_the_vector() -> None:
    data = graph_data(GRAPHS[1])
    assert [(edge["source"], edge["target"], edge["count"]) for edge in data["edges"]] == [
        ("n1", "n2", 2),
        ("n1", "n3", 1),
        ("n2", "n3", 1),
        ("n2", "n4", 1),
    ]
    assert data["ends"] == [{"node": "n3", "SUCCESS": 2, "FAIL": 0}, {"node": "n4", "SUCCESS": 0, "FAIL": 1}]
    everything = analysis_data(analyze(VECTOR))
    assert everything["version"] == 1
    assert everything["tasks"][0]["complexity"] == 4 * 4 / 3
