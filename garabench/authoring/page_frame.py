"""The frame of a page: its toolbar, its tabs and its ways out, which say little about its contents."""

from __future__ import annotations

import re

from garabench.core.selector import normalize
from garabench.core.tree import UiNode

_FRAME = re.compile(
    r"(?:.*_)?(?:toolbar|action_bar|app_bar|title_bar|tab|tabs|tab_layout|bottom_nav|bottom_navigation|"
    r"navigation|nav|status_bar)(?:_.*)?"
)
_OUT = re.compile(
    r"(?:.*_)?(?:navigate_up|nav_up|up_button|back|back_button|back_icon|close|close_btn|clear)"
)
_WORDS = frozenset(
    {
        *("返回", "转到上一层级", "关闭", "取消", "清空", "清除"),
        *("navigate up", "back", "go back", "close", "cancel", "clear"),
    }
)


def is_way_out(node: UiNode) -> bool:
    """Return whether an element only leaves the page or empties a field: Back, Close, Cancel, Clear."""
    words = normalize(node.text or node.desc).casefold()
    return bool(_OUT.fullmatch(node.entry)) or words in _WORDS


def is_frame(node: UiNode) -> bool:
    """Return whether an element belongs to the page's frame: toolbar, tabs, or a way out."""
    return bool(_FRAME.fullmatch(node.entry)) or is_way_out(node)
