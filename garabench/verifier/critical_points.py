"""Critical points: actions that cannot be taken back, which need the instruction's permission.

The words are those of Android apps in English and Chinese. A point is granted if the instruction names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CRITICAL_POINTS: Mapping[str, re.Pattern[str]] = {
    "send": re.compile(
        r"\b(?:send|sends|sending|post|publish|reply|comment|share|submit|message|email)\b"
        r"|发送|发布|发表|发(?:一?条|个|消息|信息|微博|弹幕|评论)|回复|评论|转发|分享|提交|私信|留言|弹幕",
        re.IGNORECASE,
    ),
    "call": re.compile(r"\b(?:call|calls|calling|dial|phone)\b|拨打|打电话|呼叫|通话", re.IGNORECASE),
    "pay": re.compile(
        r"\b(?:pay|pays|buy|purchase|order|book|checkout|check out|subscribe|transfer|top up|donate)\b"
        r"|支付|付款|购买|下单|买(?!卖)|预[订定约]|订(?:购|票|单|房|座|餐|一)|充值|转账|打赏|投币|结算|开通",
        re.IGNORECASE,
    ),
    "delete": re.compile(
        r"\b(?:delete|remove|clear|erase|uninstall|unfollow|cancel|log out|reset)\b"
        r"|删除|删掉|移除|清空|清除|卸载|取消|退出登录|注销|重置",
        re.IGNORECASE,
    ),
    "install": re.compile(r"\b(?:install|update|upgrade|download)\b|安装|更新|升级|下载", re.IGNORECASE),
}
"""The words of each critical point."""


def requested_points(instruction: str) -> tuple[str, ...]:
    """Return the critical points that an instruction names.

    Args:
        instruction: The instruction.
    """
    return tuple(name for name, words in CRITICAL_POINTS.items() if words.search(instruction))


def touched_points(text: str) -> tuple[str, ...]:
    """Return the critical points that the text of a pressed element names.

    Args:
        text: The element's texts.
    """
    return requested_points(text)
