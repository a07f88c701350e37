"""Controls that change data when they are pressed, by their words in English and Chinese.

A screen's tree does not show what such a press did: an app confirms it by a toast, or not at all.
"""

from __future__ import annotations

import re

from garabench.verifier.offline.screen_evidence import Control

_COMMITS = re.compile(
    r"(?:save|send|post|publish|submit|done|delete|remove|clear(?: all)?|add to (?:cart|list)|pay(?: now)?"
    r"|place (?:your )?order|download|install|(?:un)?block|(?:un)?follow|going|interested|(?:un)?subscribe"
    r"|love|haha|wow|sad|angry|report|unfriend|leave|archive|mute|request cancellation|confirm|cancel order"
    r"|add friend|join|share now|save for later|repost|(?:in|de)crease quantity.*"
    r"|保存|发送|发布|发表|提交|完成|删除.{0,8}|移出|移除|清空.{0,4}|清除|加入购物车|支付|付款|提交订单|下载|安装|拉黑"
    r"|加入黑名单|关注|取消关注|收藏|取消收藏|移入收藏|取消订单|点赞|投币|举报|退订|解除|货到付款|确认收货|保留草稿"
    r"|增加数量|减少数量)"
    r"(?:\s*[(（]?[¥\d.]+[)）]?)?",  # a price or a number
    re.IGNORECASE,
)
"""Words that name a change by themselves."""
_CONFIRMS = re.compile(r"ok|yes|确定|确认|是", re.IGNORECASE)
"""Words that confirm what the page is about: a change, or only a choice."""


def commits(control: Control, *, on_the_way: bool = False) -> bool:
    """Return whether a press on a control changes data.

    Args:
        control: The control.
        on_the_way: Whether a step of the solution presses it; a word such as *OK* then counts as well.
    """
    name = control.state[0].strip() if control.state else ""
    return bool(_COMMITS.fullmatch(name)) or (on_the_way and bool(_CONFIRMS.fullmatch(name)))
