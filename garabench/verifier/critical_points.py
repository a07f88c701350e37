"""Critical points: actions that cannot be taken back, which need the instruction's permission.

The words are those of Android apps in English and Chinese. An instruction grants a point if it requests the
action: by a verb that is not negated. A noun (*message list*) and a prohibition (*do not pay*, 不用支付)
grant nothing. These are rules over words and no grammar; where they are in doubt, the point is not granted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

CRITICAL_POINTS: Mapping[str, re.Pattern[str]] = {
    "send": re.compile(
        r"\b(?:send|sends|sending|post|publish|reply|comment|share|submit|message|email)\b"
        r"|\bpass (?:[^.,;]{1,40} )?on\b"
        r"|发送|发布|发表|发(?:一?条|个|消息|信息|微博|弹幕|评论)|回复|评论|转发|分享|提交|私信|留言|弹幕",
        re.IGNORECASE,
    ),
    "call": re.compile(r"\b(?:call|calls|calling|dial|phone)\b|拨打|打电话|呼叫|通话", re.IGNORECASE),
    "pay": re.compile(
        r"\b(?:pay|pays|buy|purchase|order|book|checkout|check out|subscribe|transfer|top up|donate)\b"
        r"|支付|付款|购买|下单|买(?!卖)|预[订定]|预约(?!挂号|专家|门诊|医生|就诊)|订(?:购|票|单|房|座|餐|一|\d)|充值|转账|打赏|投币|结算|开通",
        re.IGNORECASE,
    ),
    "delete": re.compile(
        r"\b(?:delete|remove|clear|erase|uninstall|unfollow|cancel|log out|reset)\b"
        r"|删除|删掉|移除|清空|清除|卸载|取消|退出登录|注销|重置",
        re.IGNORECASE,
    ),
    "install": re.compile(r"\b(?:install|update|upgrade|download)\b|安装|更新|升级|下载", re.IGNORECASE),
}
"""The words of each critical point, verbs and nouns, as they occur on buttons."""

_REQUESTS: Mapping[str, re.Pattern[str]] = {
    "send": re.compile(
        r"\b(?:text|mail|tweet)(?=\s+(?:him|her|them|my|that|about|(?-i:[A-Z])))"
        r"|发给|发出去|寄给",
        re.IGNORECASE,
    ),
    "call": re.compile(
        r"\bring(?=\s+(?:up|him|her|them|my|the\s+(?:restaurant|shop|store|hotel|office|number)|(?-i:[A-Z])))"
        r"|打(?:一?[个通])电话|致电",
        re.IGNORECASE,
    ),
    "pay": re.compile(
        r"\b(?:reserve|wire(?=\s+(?:[$£€¥\d]|(?:the\s+)?money)))\b"
        r"|付(?:[尾定全余]款|清|钱|费)|结账|买单"
        r"|打车(?=去|到|回|前往)(?![^，。；？,.;?]*(?:多少|多久|多长|价格|费用|几|吗))",
        re.IGNORECASE,
    ),
    "delete": re.compile(
        r"\b(?:get\s+rid\s+of|empty(?=\s+(?:the|my)\s+(?:trash|bin|recycle\s+bin|cart|basket|spam)))\b"
        r"|移出|扔掉|删(?:了|光)",
        re.IGNORECASE,
    ),
    "install": re.compile(
        r"\bget(?=\s+(?:the\s+app\b)?(?!directions)[^.;,]{1,60}\bfrom\s+(?:the\s+)?"
        r"(?:Google\s+Play|(?:Google\s+)?Play\s+Store|App\s+Store)\b)",
        re.IGNORECASE,
    ),
}
"""More phrases of instructions that request each point; on a button they say too little to name it."""

_ALSO_NOUNS = frozenset(
    re.findall(
        r"\w+",
        "post reply comment share message email call calls phone purchase order book checkout transfer clear"
        " reset update upgrade download text mail tweet ring reserve wire empty"
        " 评论 回复 弹幕 私信 留言 通话 分享 转发 预订 预定 预约 充值 更新 升级 下载 订单",
    )
)
"""Words that are verbs in some places and nouns or adjectives in others."""

_VERB_BEFORE = re.compile(
    r"(?:^|[^\w\s'’-]|\b(?:and|then|to|or|please|also|you|i|we|just|now|(?<!the )next|(?<!the )first"
    r"|finally|can|could|should|will|would|must|me|us|help|not|n['’]t|never|\w+ly)"
    r"|\b(?:write|leave|add|make|place|give|create|answer)\s+(?:(?:a|an|the|one|this|your|my)\s)?)\s*$",
    re.IGNORECASE,
)
"""What an English word follows if it is a verb, or the object of one (*place the order*)."""

_APP_BEFORE = re.compile(r"(?:^|[.;:]\s+)(?:In|On|With)\b[^.,;:]*\b[A-Z]\w*\s+$")
"""*In Google Maps* and the like, before the verb of the sentence."""

_NOUN_AFTER = re.compile(
    r"[\s-]*(?:settings?|lists?|numbers?|pages?|apps?|history|histories|inbox|box|sections?|tabs?|menus?"
    r"|screens?|notifications?|logs?|details?|threads?|counts?|status|cards?|contacts?|centers?|office|codes?"
    r"|address(?:es)?|options?|forms?|folders?|drafts?|sizes?|fields?|volume|tones?)\b"
    r"|区|列表|记录|设置|数|页|框|栏|宝|方式|码|管理|历史|中心|功能|权限|通知|开关|时间|内容|日志|包|里|的",
    re.IGNORECASE,
)
"""What follows a word that is part of a compound noun, or that says what was done before."""

_NOUN_BEFORE = re.compile(
    r"(?:的|条|个|打开|查看|看|关闭|开启|关掉|进入|搜索|找到|点赞|最新|最热|这|那|到|关于|所有|全部|屏蔽)$"
)
"""What a Chinese word follows if it is a noun."""

_DONE_BEFORE = re.compile(r"[已未待曾被]$")
"""Before a Chinese verb: the action is a property of a thing (已购买, 未支付), and nobody requests it."""

_NEGATION = re.compile(
    r"(?P<verb>\b(?:(?:do|does|did|must|should|can|could|may|shall|will|would)\s+not"
    r"|(?:don|doesn|didn|mustn|shouldn|can|couldn|won|wouldn)['’]?t|cannot|never|not|neither)\b"
    r"(?!\s+(?:forget|only|until|later|more|less)\b))"
    r"|(?P<noun>\b(?:without|avoid|refrain\s+from|instead\s+of|rather\s+than|no|nothing|nobody|none)\b"
    r"(?!\s+(?:matter|later|more|less|fewer|earlier|longer)\b))"
    r"|(?P<chinese>(?:不(?:要|用|必|需要?|须|得|可以?|能|准|许|应该?|想|再)|(?<![特分类级性识个区])别"
    r"(?![人的墅名处])|请?勿|切勿|无[需须]|禁止|严禁|避免|先不|暂不)(?!忘))"
    r"|(?P<bare>(?<![要是差])不(?![错同过仅但管论限超少大小多久一断止忘]))",
    re.IGNORECASE,
)
_ENDS: Mapping[str, re.Pattern[str]] = {
    "verb": re.compile(
        r"[.;:!?。；！？\n]|,(?![^.;:!?]*\b(?:or|nor)\b)|\b(?:but|then|instead|only|just)\b", re.IGNORECASE
    ),
    "noun": re.compile(r"[.,;:!?。，；！？\n]|\b(?:but|then|and|just)\b", re.IGNORECASE),
    "chinese": re.compile(r"[，。；：！？,.;:!?\n]|而是|然后|直接|但"),
    "bare": re.compile(r"[，。；：！？,.;:!?\n]|而是|然后|直接|但|的"),
}
"""Where the reach of each kind of negation ends. *Without* takes a gerund, so a verb after *and* is free;
*do not buy and delete* forbids both."""

_NOTHING_AFTER = re.compile(
    r"\s+(?:nothing|nobody|none|no(?!\s+(?:more|less|fewer|later|earlier)\b))\b", re.I
)


def requested_points(instruction: str) -> tuple[str, ...]:
    """Return the critical points that an instruction requests.

    Args:
        instruction: The instruction.
    """
    forbidden = tuple(_forbidden(instruction))
    return tuple(
        name
        for name, words in CRITICAL_POINTS.items()
        if any(
            _requests(instruction, match, forbidden)
            for pattern in (words, _REQUESTS[name])
            for match in pattern.finditer(instruction)
        )
    )


def touched_points(text: str) -> tuple[str, ...]:
    """Return the critical points that the text of a pressed element names.

    Args:
        text: The element's texts.
    """
    return tuple(name for name, words in CRITICAL_POINTS.items() if words.search(text))


def _requests(instruction: str, match: re.Match[str], forbidden: tuple[range, ...]) -> bool:
    """Return whether a word requests its action."""
    before, after = instruction[: match.start()], instruction[match.end() :]
    if any(match.start() in reach for reach in forbidden) or _NOTHING_AFTER.match(after):
        return False
    if _NOUN_AFTER.match(after):
        return False
    word = match.group().casefold()
    if not word.isascii():
        return not (_DONE_BEFORE.search(before) or (word in _ALSO_NOUNS and _NOUN_BEFORE.search(before)))
    return word not in _ALSO_NOUNS or bool(_VERB_BEFORE.search(before) or _APP_BEFORE.search(before))


def _forbidden(instruction: str) -> Iterator[range]:
    """Yield the reach of each negation, as positions in the instruction."""
    for negation in _NEGATION.finditer(instruction):
        end = _ENDS[str(negation.lastgroup)].search(instruction, negation.end())
        yield range(negation.end(), len(instruction) if end is None else end.start())
