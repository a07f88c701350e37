"""Long, repetitive replies that would slow down a careless parser."""

from __future__ import annotations

HEADS = (
    "",
    "Action: ",
    "Thought: x\nAction: ",
    "<think>",
    "<answer>",
    '<answer>do(action="Type", text="',
    "<tool_call>",
    "### Action ###\n",
    '{"action":"tap","coords":"',
    '{"TYPE":"',
    "Action: type(content='",
    'Action: text("',
    "Action: click(start_box=",
    'Action: {"action_type":"input_text","text":"',
)
"""How a reply begins, so that each reader gets into each of its parts."""

UNITS = (
    *"{[('\"\\<90-.\n \t*`a_中😀é“”‘：，（）#",
    "```json\n",
    "```\n{",
    "Action:",
    "\nAction: ",
    "Thought: ",
    "### Action ###\n",
    "é### Action ###",
    "<think>",
    "</think>",
    "<think></think>",
    "<tool_call>{",
    "<answer>do(",
    "<|begin_of_box|>",
    "FINISH ",
    "click(start_box='(1,",
    "a='b', ",
    "' ",
    "', ",
    "',a",
    "') ",
    "')\n",
    "'a=",
    "a (",
    "a()",
    "a1",
    "点a",
    "press_back()\n",
    "{}",
    '{"a":',
    '{"a":1,',
    '{"a":1}',
    '{"action":"wait"} ',
    '{"actions":[{',
    '{"arguments":"{',
    "{“\\n",
    "{'a':'b',",
    "[1,2],",
    '\\"',
    "\\u",
    "<point>1 ",
    "x=1",
    "(1,2)",
    "it's ",
)
"""What is repeated."""


def repeated(head: str, unit: str, characters: int) -> str:
    """Repeat a text up to about a number of characters."""
    return head + unit * (characters // len(unit))
