"""Texts on the board and instructions for the agent, by language."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")

TAPS: Mapping[str, str] = {
    "en": "The screen shows numbered buttons. Tap the button whose number is shown at the top of the screen. "
    "After each tap another number is shown there: tap that one. Continue until the screen says that "
    "everything is done.",
    "zh": "屏幕上有带编号的按钮。请点击屏幕顶部写明编号的那个按钮。"
    "每点一次，顶部会换一个编号，请继续点击，直到屏幕显示全部完成。",
}
TARGET: Mapping[str, str] = {"en": "Tap {number}", "zh": "请点击 {number}"}
TEXT: Mapping[str, str] = {
    "en": "Type the text “{text}” into the field {name}, exactly as written, then report that you are done.",
    "zh": "在输入框 {name} 中一字不差地输入“{text}”，然后报告完成。",
}
TEXT_TITLE: Mapping[str, str] = {"en": "A text field", "zh": "输入框"}
SCROLL: Mapping[str, str] = {
    "en": "Scroll down the list until line {line} is on the screen, then report that you are done.",
    "zh": "向下滚动列表，直到第{line}行出现在屏幕上，然后报告完成。",
}
SCROLL_TITLE: Mapping[str, str] = {"en": "A list", "zh": "列表"}
DONE: Mapping[str, str] = {
    "en": "If the screen says that everything is done, report that you are done. Do nothing else.",
    "zh": "如果屏幕显示全部完成，请直接报告完成，不要做别的操作。",
}
DONE_TITLE: Mapping[str, str] = {"en": "Everything is done.", "zh": "全部完成。"}
INTERRUPTED: Mapping[str, str] = {
    "en": "Tap the button {number} of the board.",
    "zh": "请点击靶板上的按钮 {number}。",
}
