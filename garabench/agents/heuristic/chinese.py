"""Parse a Chinese instruction into subgoals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from garabench.agents.heuristic.instruction_terms import ACTS, MODES, NOTICES, ORDERS, OWN_PLACES, PLACES
from garabench.agents.heuristic.masking import CLOSE, OPEN, Quoted
from garabench.agents.heuristic.subgoals import ListRank, Subgoal, SubgoalKind
from garabench.agents.heuristic.ui_labels import APPS, CONTROLS, PERSONAL, SETTINGS

Q = f"{OPEN}\\d+{CLOSE}"
_CLAUSE = re.compile(r"[，。；;！!？?]|然后|最后(?=[在到打回看停查])")
_APP = re.compile(
    rf"(?:(?<=[在用从到])|(?<=回到|打开)|^)(?:{'|'.join(map(re.escape, APPS))})|"
    rf"(?<=把)(?:{'|'.join(map(re.escape, APPS))})(?=的)"
)
_LATIN = r"[A-Z][\w'&.-]+(?: (?:of )?[A-Z0-9][\w'&.-]*)*"
_QUOTED = re.compile(
    r"“([^”]+)”|「([^」]+)」|《([^》]+)》|\"([^\"]+)\"|（([A-Z][\w' +:-]+)）|" + rf"((?<![\w（]){_LATIN})"
)
"""Names in Latin letters need no quotes to be recognized in a Chinese sentence."""
_LEAVE = re.compile(
    r"^(?:但|而且|并且|其[它他]|也)?(?:不要|不用|先不|不动|都?保留|其[它他].{0,6}(?:不|保留)|停在|仅此|保持)|"
    r"(?:不变|不动|保留)$"
)
_BARE = f"[^的了到为成里在给把{OPEN}{CLOSE}，。它他她这那最排全筛]"

Handler = Callable[[re.Match[str], Quoted], Iterator[Subgoal]]


def _find(*names: str, near: tuple[str, ...] = (), optional: bool = False) -> Subgoal:
    return Subgoal(SubgoalKind.FIND, names, near, optional=optional)


def _search(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.SEARCH, text=quoted.text(match["q"]))
    if match["what"]:
        yield Subgoal(SubgoalKind.PICK, (match["what"],), optional=True)


def _system(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.SYSTEM)


def _route(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    goal = quoted.text(match["to"])
    groups = match.groupdict()
    yield Subgoal(SubgoalKind.SEARCH, text=goal)
    yield _find(goal, optional=True)
    yield Subgoal(SubgoalKind.ACT, CONTROLS["route"])
    mode = groups.get("mode") or groups.get("mode2") or groups.get("verb") or ""
    if mode in MODES:
        yield Subgoal(SubgoalKind.PICK, MODES[mode], optional=True)
    if mode == "导航":
        yield Subgoal(SubgoalKind.ACT, CONTROLS["navigate"])
    if start := groups.get("start"):
        yield _find("我的位置", "起点", "your location", "choose starting point", optional=True)
        yield Subgoal(SubgoalKind.SEARCH, text=quoted.text(start))
        yield _find(quoted.text(start), optional=True)


def _set(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    name, part, value = match["name"], match["part"], match["value"]
    if name:
        yield _find(quoted.text(name) if name.startswith(OPEN) else name)
    if part:
        yield _find(part, optional=True)
    yield Subgoal(
        SubgoalKind.PICK, (quoted.text(value) if value.startswith(OPEN) else value,), text="may be typed"
    )


def _type(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    verb = match["verb"]
    controls = {"弹幕": "danmaku", "评论": "comment", "私信": "message", "回复": "reply"}
    names = next((CONTROLS[controls[key]] for key in controls if key in verb), ())
    sends = bool(names) or verb.startswith("发")
    if "微博" in verb or "动态" in verb:
        names = ("发布", "发微博", "写微博", "发动态")
    yield Subgoal(SubgoalKind.TYPE, names, text=quoted.text(match["q"]))
    if not names or verb[0] not in "写内":
        names = CONTROLS["send"] if sends else CONTROLS["save"] + CONTROLS["send"]
        yield Subgoal(SubgoalKind.ACT, names, optional=True)


def _switch(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    on = match["verb"] in ("打开", "开启")
    for place in re.findall(Q, match["q"]):
        text = quoted.text(place)
        if on and match["verb"] == "打开":
            yield _find(text)
        else:
            yield Subgoal(SubgoalKind.SWITCH, (text,), on=on)


def _switch_word(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    name = match["name"]
    names = NOTICES if name.endswith("通知") else (name,)
    yield Subgoal(SubgoalKind.SWITCH, names, on=match["verb"] in ("打开", "开启"))


def _pick(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    for piece in re.findall(f"{Q}|[^、和与且{OPEN}{CLOSE}]+", match["what"]):
        text = quoted.text(piece) if piece.startswith(OPEN) else piece.strip()
        if text:
            yield Subgoal(SubgoalKind.PICK, (text,))


def _sort(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    what = match["what"]
    if "低到高" in what or "低价" in what:
        yield Subgoal(SubgoalKind.PICK, ("价格从低到高", "价格升序", "低价优先", "价格"))
    else:
        text = quoted.text(what) if what.startswith(OPEN) else what
        yield Subgoal(
            SubgoalKind.PICK, (text, f"{text}优先", f"{text}最多", f"最多{text.removesuffix('量')}")
        )


def _owner(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    """Yield the subgoal of an item that is identified by its owner."""
    whose = quoted.text(match["q"])
    if whose in ("我", "我的"):
        yield Subgoal(SubgoalKind.FIND, PERSONAL)
    else:
        yield Subgoal(SubgoalKind.FIND, (), (whose,), order=ListRank.FIRST)


def _page_of(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield _find(quoted.text(match["q"]))


def _someone(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    name = quoted.text(match["q"])
    yield Subgoal(SubgoalKind.SEARCH, text=name, optional=True)
    yield _find(name)


_THEIRS = "\ue003"


def _their_page(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield _find(_THEIRS)


def _reply(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.ACT, CONTROLS["reply"], (quoted.text(match["who"]),))


def _keep_in(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.ACT, CONTROLS["favourite"])
    yield Subgoal(SubgoalKind.PICK, (quoted.text(match["to"]),))


def _switch_it(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    name = match["name"]
    names = NOTICES if name in NOTICES else (quoted.text(name),)
    yield Subgoal(SubgoalKind.SWITCH, names, on=match["verb"] in ("打开", "开启"))


def _bare_owner(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.FIND, (), (match["what"],), order=ListRank.FIRST, optional=True)


def _act_on(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    controls = {"取消收藏": "favourite", "取消关注": "unfollow", "收藏": "favourite", "关注": "follow"}
    verb, what = match["verb"], match["what"]
    yield _find(what)
    control = CONTROLS[controls.get(verb, "delete")]
    yield Subgoal(SubgoalKind.ACT, control, (what,), undo=verb.startswith("取消"))


def _switch_bare(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    if match["verb"] == "打开":
        yield _find(match["what"])
    else:
        yield Subgoal(SubgoalKind.SWITCH, (match["what"],), on=match["verb"] == "开启")


def _open_part(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield _find(match["what"], optional=True)
    yield _find(match["part"])


def _download_map(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    what = quoted.text(match["what"])
    yield Subgoal(SubgoalKind.FIND, PERSONAL, optional=True)
    yield _find("离线地图", "offline maps")
    yield _find(what)
    yield Subgoal(SubgoalKind.ACT, CONTROLS["download"], (what,))


def _press_number(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield _find(match["what"])


def _name_above(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.NAMED)


def _answer(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.ANSWER, (quoted.plain(match.string),))


_PATTERNS: tuple[tuple[str, Handler], ...] = (
    (r"(?:手机的?)?系统(?:通知)?设置的?", _system),
    (rf"回到(?!{Q})", lambda m, q: iter((Subgoal(SubgoalKind.RETURN),))),
    (rf"(?:搜索|搜一下|查找)(?P<what>用户|话题|文章)?(?:上海)?(?P<q>{Q})", _search),
    (
        rf"(?:从\s*(?:(?P<start>{Q})|.{{1,12}}?)\s*)?(?P<mode>步行|骑行|驾车|开车)?(?:规划)?(?:去|到)(?:北京)?"
        rf"[^{OPEN}{CLOSE}，]{{0,8}}\s*(?P<to>{Q})\s*的\s*(?P<mode2>驾车|步行|骑行|公共交通)?路线",
        _route,
    ),
    (rf"(?:查一下|查询|查看|打开|看看)?(?:UP主|博主|用户|店铺)(?P<q>{Q})", _someone),
    (r"(?:它|他|她)的(?:个人)?(?:主页|空间)", _their_page),
    (rf"回复(?P<who>{Q})的评论", _reply),
    (rf"(?:收藏|加入|添加|保存|移)(?:到|进)\s*(?P<to>{Q})", _keep_in),
    (rf"把(?:.{{0,8}}的)?(?P<name>所有通知|全部通知|{Q})(?P<verb>关闭|打开|开启|关掉)", _switch_it),
    (
        rf"给(?!.{{0,3}}[第最排])(?P<what>[^{OPEN}{CLOSE}，的它他她]{{2,10}})的(?=订单|视频|账号|商品|微博)",
        _bare_owner,
    ),
    (
        rf"(?P<verb>取消收藏|取消关注|收藏|关注|删除)(?!列表|夹|讨论|的)(?P<what>{_BARE}{{2,12}})(?=$|的?订单)",
        _act_on,
    ),
    (
        rf"(?P<verb>关闭|打开|开启)(?!第|深色主题|实时路况|{OWN_PLACES}|{PLACES})(?P<what>{_BARE}{{3,12}})$",
        _switch_bare,
    ),
    (
        rf"(?:打开|进入)(?!手机|系统|这|筛)(?P<what>[^的{OPEN}{CLOSE}，最第它他她]{{2,12}})的(?P<part>[^{OPEN}{CLOSE}，]{{2,6}})$",
        _open_part,
    ),
    (rf"下载\s*(?P<what>{Q}|[^{OPEN}{CLOSE}的]{{2,6}})\s*的离线地图", _download_map),
    (
        r"(?:点击|按下?)(?:屏幕|页面)?(?:顶部|上方|标题)[^，。]{0,8}(?:编号|数字|名称|文字)的(?:那[一]?个)?(?:按钮|选项)",
        _name_above,
    ),
    (r"点击(?:靶板上的)?(?:按钮)?\s*(?P<what>\d+)", _press_number),
    (r"(?P<what>第\d+行)", _press_number),
    (rf"(?P<verb>步行|打车|导航|骑行)(?:去|到)(?P<to>{Q})", _route),
    (
        rf"(?:把)\s*(?:.{{0,14}}?的?)?(?P<name>{Q}|[^{OPEN}{CLOSE}的]{{2,8}})?(?:的(?P<part>[^{OPEN}{CLOSE}]{{2,6}}))?"
        rf"\s*(?:改|设|换|调)(?:置)?(?:成|为|到)\s*(?P<value>{Q}|\d+|默认\w*)",
        _set,
    ),
    (
        rf"(?P<verb>发表评论|写上|发(?:送|一条)?(?:弹幕|私信|微博|动态)?|输入|回复.{{0,12}}?内容是|内容[是写为]|评论)(?P<q>{Q})",
        _type,
    ),
    (rf"(?P<verb>关闭|关掉|开启)(?P<q>{Q}(?:和{Q})*)", _switch),
    (
        r"(?P<verb>打开|开启|关闭|切换到)(?P<name>实时路况|深色主题|所有通知|全部通知|.{0,8}的所有通知)",
        _switch_word,
    ),
    (r"只(?:看|选|勾选|保留)(?P<what>.+)$", _pick),
    (rf"(?:筛选|偏好选|规格选|原因选|位置选|公开范围选|选择?)(?P<what>{Q}|[^{OPEN}{CLOSE}]{{2,12}}$)", _pick),
    (rf"按(?P<what>{Q}|.{{1,8}}?)(?:排序|优先排序)", _sort),
    (rf"(?P<q>{Q})(?:本人)?(?:发布)?的(?=视频|那|评论|订单|文章|微博)", _owner),
    (rf"(?P<q>{Q})", _page_of),
)


def read(text: str) -> tuple[Subgoal, ...]:
    """Parse an instruction.

    Args:
        text: The instruction, in Chinese.

    Returns:
        Its subgoals, in order.
    """
    quoted = Quoted.by(_QUOTED, text)
    steps: list[Subgoal] = []
    for clause in _CLAUSE.split(_APP.sub("", quoted.masked)):
        clause = clause.strip(" 并再：:")
        if steps and steps[-1].kind is SubgoalKind.ANSWER and clause.startswith("只回答"):
            continue  # the form of the answer, after the question
        if clause and not _LEAVE.search(clause):
            steps += _clause(clause, quoted)
    return tuple(_send_last(_named(steps)))


def _named(steps: list[Subgoal]) -> list[Subgoal]:
    """Replace *its page* with the name that was searched for; drop it if there was no search."""
    found: list[Subgoal] = []
    searched = ""
    for step in steps:
        searched = step.text if step.kind is SubgoalKind.SEARCH else searched
        if _THEIRS not in step.names:
            found.append(step)
        elif searched:
            found.append(replace(step, names=(searched,), optional=True))
    return found


def _send_last(steps: list[Subgoal]) -> list[Subgoal]:
    """Move sending a text after the choice of its options, such as place and audience."""
    found = list(steps)
    for at in range(len(found) - 1, -1, -1):
        to = at
        if found[at].kind is SubgoalKind.ACT and found[at].optional:
            while to + 1 < len(found) and found[to + 1].kind in (SubgoalKind.PICK, SubgoalKind.SWITCH):
                to += 1
            found.insert(to, found.pop(at))
    return found


def _clause(clause: str, quoted: Quoted) -> list[Subgoal]:
    """Return the subgoals of one clause, in word order, but actions after their objects."""
    if re.search(r"回答|多少|几[个路点]|哪[一家趟个]|第几", clause) and not re.search(
        rf"搜索(?:用户)?{Q}", clause
    ):
        found = _scan(clause, quoted)
        return [step for step in found if step.kind is not SubgoalKind.ACT] + [
            Subgoal(SubgoalKind.ANSWER, (quoted.plain(clause),))
        ]
    return _ordered(_scan(clause, quoted), object_first=bool(re.match(r"[^，]{0,12}[把给]", clause)))


def _scan(clause: str, quoted: Quoted) -> list[Subgoal]:
    found: list[Subgoal] = []
    at = 0
    while at < len(clause):
        for pattern, handle in _COMPILED:
            if match := pattern.match(clause, at):
                found += handle(match, quoted)
                at = match.end()
                break
        else:
            at += 1
    return found


def _ordered(found: list[Subgoal], *, object_first: bool) -> list[Subgoal]:
    """Move an action after its object: *收藏“…”* opens it first.

    Args:
        found: The subgoals in word order.
        object_first: Whether the object precedes the verb, by *把* or *给*.
    """
    steps: list[Subgoal] = []
    index = 0
    while index < len(found):
        step = found[index]
        following = found[index + 1] if index + 1 < len(found) else None
        if (
            step.kind is SubgoalKind.ACT
            and object_first
            and not step.near
            and steps
            and steps[-1].kind is SubgoalKind.FIND
        ):
            steps.append(replace(step, near=steps[-1].names[:1] or steps[-1].near))
            index += 1
            continue
        if (
            step.kind is SubgoalKind.ACT
            and following
            and following.kind is SubgoalKind.FIND
            and not step.optional
        ):
            names = following.names[:1] or following.near
            steps += [following, replace(step, near=names)]
            index += 2
            continue
        steps.append(step)
        index += 1
    return steps


def _act(control: str, undo: bool) -> Handler:
    return lambda match, quoted: iter((Subgoal(SubgoalKind.ACT, CONTROLS[control], undo=undo),))


def _place(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    word = match[0]
    if word == "我的":
        yield Subgoal(SubgoalKind.FIND, PERSONAL, optional=True)
    elif word == "设置":
        yield Subgoal(SubgoalKind.FIND, SETTINGS)
    elif word.endswith("设置"):
        yield _find(word)
    else:
        yield _find(word, word.removeprefix("我的").removesuffix("列表").removesuffix("页"), optional=True)


def _own_place(match: re.Match[str], quoted: Quoted) -> Iterator[Subgoal]:
    if "我的" not in quoted.plain(match.string[: match.start()]):
        yield Subgoal(SubgoalKind.FIND, PERSONAL, optional=True)
    yield from _place(match, quoted)


def _ordinal(order: ListRank) -> Handler:
    return lambda match, quoted: iter((Subgoal(SubgoalKind.FIND, order=order, optional=True),))


_COMPILED: tuple[tuple[re.Pattern[str], Handler], ...] = (
    *((re.compile(pattern), handle) for pattern, handle in _PATTERNS[:-2]),
    *((re.compile(pattern), _act(name, undo)) for pattern, name, undo in ACTS),
    *((re.compile(pattern), handle) for pattern, handle in _PATTERNS[-2:]),
    (re.compile(r"(?:[^的在里中从到再,，\ue000-\ue002A-Za-z]{2,4})?设置(?!为|成)"), _place),
    (re.compile(OWN_PLACES), _own_place),
    (re.compile(PLACES), _place),
    *((re.compile(pattern), _ordinal(order)) for pattern, order in ORDERS),
)
