"""Parse an English instruction into subgoals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from garabench.agents.heuristic.instruction_terms import MODES, NOTICES
from garabench.agents.heuristic.masking import CLOSE, OPEN, Quoted
from garabench.agents.heuristic.subgoals import ListRank, Subgoal, SubgoalKind
from garabench.agents.heuristic.ui_labels import APPS, CONTROLS, SETTINGS

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|\'([^\']+)\'(?!\w)|((?<![\w])[㐀-鿿][㐀-鿿\w·，！：+/().-]*)')
_VERBS = (
    "search|look|find|open|go|like|follow|unfollow|add|set|switch|turn|choose|select|sort|filter|save|keep|put|"
    "give|write|send|post|comment|delete|cancel|confirm|publish|answer|return|track|download|share|buy|make|come|"
    "scroll|react|submit|ask|check|enter|show|change|remove|take|tap|place|pay|move|stay|leave|see|start"
)
_CLAUSE = re.compile(
    rf"[;:?]\s*|,\s+(?!and\b)|(?:,\s*)?\b(?:and|then)\s+(?=(?:then\s+)?(?:{_VERBS})\b)|\.\s+(?=[A-Z])|\.$"
)
_APP = re.compile(rf"\b(?:{'|'.join(map(re.escape, APPS))})(?:'s)?\b", re.I)
_NOT = re.compile(
    r"^(?:do not|don't|not |leave |keep (?:all|everything|the others|today)|stay |stop |after each |go on )",
    re.I,
)
_ORDERS = (
    (r"cheapest|lowest", ListRank.CHEAPEST),
    (r"most|highest|best|hottest", ListRank.MOST),
    (r"first|nearest|newest|latest|last", ListRank.FIRST),
)
_ASIDE = re.compile(r"\s+(?:of|by|about|with|that|which|whose|for|named|called)\s+", re.I)
_WHERE = re.compile(
    r"\b(?:in|on|under|from|to|at)\s+(?:(?:the|your|my|its|her|his)\s+)?"
    r"(?P<place>[A-Z][\w' ]*?|cart|settings|menu|home feed|friends list|list of [\w ]+|offline maps|profile)"
    r"(?:\s+(?:tab|page|screen|menu))?(?=\s+(?:of|in|on|under|from|the|open)\b|\s*$|,)"
)
_IN = re.compile(r"(?:in|on|under|from|among)\s+(?:the|your|my)?\s*(?P<place>[\w' ]{2,30})", re.I)
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|all|its|his|her|your|my|both|one|it)\s+", re.I)

_TRAVELS = (
    (r"transit|transport", "公共交通"),
    (r"walk|on foot", "步行"),
    (r"bicycle|bike|cycl", "骑行"),
    (r"driv|by car", "驾车"),
)
_PROPER = re.compile(r"\b((?:de |van |the )?[A-Z][\w']+(?: [A-Z][\w']+)+)")

Handler = Callable[[re.Match[str]], Iterator[Subgoal]]


def _item_name(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an item's name without its article, and its qualifiers."""
    text = _ARTICLE.sub("", text.strip(" ,."))
    text = re.sub(r"\s+(?:tab|page|post|list|button|profile)$", "", text)
    text = re.sub(r"^(?:post|video|story|message|page|shop|user)\s+(?!of\b)(?=\S)", "", text)
    head, *aside = _ASIDE.split(text)
    if head.lower() in ("profile", "page", "space", "shop") and aside:
        head, *aside = aside
    if not head or head.lower() in ("one", "order", "post", "video", "friend request", "tab", "list", "map"):
        return "", tuple(aside) or ((head,) if head not in ("one",) else ())
    return re.sub(r"^(?:button|tab|icon)\s+(?=\w)", "", head), tuple(aside)


def _find(text: str) -> Iterator[Subgoal]:
    if text.strip().lower() in ("it", "them", ""):
        return
    for word, order in _ORDERS:
        if re.search(rf"\b{word}\b", text, re.I):
            yield Subgoal(SubgoalKind.FIND, order=order, near=(), optional=True)
            return
    head, aside = _item_name(text)
    if head:
        yield Subgoal(SubgoalKind.FIND, (head,), aside)
    elif aside:
        yield Subgoal(SubgoalKind.FIND, (), aside, order=ListRank.FIRST)


def _act(control: str, *, undo: bool = False) -> Handler:
    def handle(match: re.Match[str]) -> Iterator[Subgoal]:
        found = tuple(_find(match.groupdict().get("what") or ""))
        yield from found
        near = found[0].names[:1] or found[0].near if found else ()
        yield Subgoal(SubgoalKind.ACT, CONTROLS[control], near, undo=undo)

    return handle


def _search(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.SEARCH, text=_ARTICLE.sub("", match["what"].strip(" .")))


def _open(match: re.Match[str]) -> Iterator[Subgoal]:
    yield from _find(match["what"])


def _set(match: re.Match[str]) -> Iterator[Subgoal]:
    yield from _find(match["what"])
    yield Subgoal(SubgoalKind.PICK, (match["value"].strip(" ."),), text="may be typed")


def _switch(match: re.Match[str]) -> Iterator[Subgoal]:
    name = _ARTICLE.sub("", match["what"].strip())
    yield Subgoal(SubgoalKind.SWITCH, (name.split(" of ")[0],), on=match["on"].lower() == "on")


def _pick(match: re.Match[str]) -> Iterator[Subgoal]:
    yield from _options(match["what"])


def _options(text: str) -> Iterator[Subgoal]:
    for piece in re.split(r",\s*|\s+and\s+|\s+&\s+(?=\d)", text):
        name = re.sub(
            r"\s+as the (?:only )?preference$|^what is\s+|^brand\s+|^rated\s+", "", piece.strip(" .")
        )
        if name := _ARTICLE.sub("", name):
            yield Subgoal(SubgoalKind.PICK, (name,))


def _sort(match: re.Match[str]) -> Iterator[Subgoal]:
    what = match["what"]
    if re.search(r"price|lowest", what):
        yield Subgoal(SubgoalKind.PICK, ("price: low to high", "lowest price", "price"))
    else:
        yield Subgoal(SubgoalKind.PICK, (what, f"{what} first"))


def _cart(match: re.Match[str]) -> Iterator[Subgoal]:
    what, _, option = match["what"].partition(" in ")
    yield from _find(what)
    if option:
        yield Subgoal(SubgoalKind.PICK, (option.strip(" ."),))
    yield Subgoal(SubgoalKind.ACT, CONTROLS["cart"])


def _later(match: re.Match[str]) -> Iterator[Subgoal]:
    yield from _find(match["what"])
    head = next(iter(_item_name(match["what"])), "")
    yield Subgoal(SubgoalKind.ACT, CONTROLS["later"], (head,) if isinstance(head, str) else ())


def _add(match: re.Match[str]) -> Iterator[Subgoal]:
    yield from _find(match["what"])
    to = match["to"].strip(" .")
    name = re.sub(r"^(?:the )?(?:list|folder)\s+", "", to)
    yield Subgoal(SubgoalKind.ACT, CONTROLS["favourite"])
    yield Subgoal(SubgoalKind.PICK, (_ARTICLE.sub("", name),))


def _type(match: re.Match[str]) -> Iterator[Subgoal]:
    verb = match["verb"].lower()
    names = next((CONTROLS[key] for key in ("comment", "message", "reply") if key in verb), ())
    if verb == "post":
        names = ("what's on your mind?", "create", "new post")
    yield Subgoal(SubgoalKind.TYPE, names, text=match["what"].strip())
    if "with" not in verb:
        yield Subgoal(SubgoalKind.ACT, CONTROLS["send"], optional=True)


def _named(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.NAMED)


def _new(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.ACT, CONTROLS["new"])
    yield Subgoal(SubgoalKind.TYPE, ("name",), text=match["name"].strip(" ."))
    yield Subgoal(SubgoalKind.ACT, CONTROLS["save"], optional=True)


def _system(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.SYSTEM)
    switch = re.search(
        r"(?:switch|turn) (?P<what>.+?) (?P<on>on|off)\b(?: under (?P<place>\w+))?", match[0], re.I
    )
    if switch is None:
        return
    if switch["place"]:
        yield Subgoal(SubgoalKind.FIND, (switch["place"], "显示"))
    name = _ARTICLE.sub("", switch["what"])
    names = NOTICES if "notifications" in name else (name, "深色主题") if "dark" in name else (name,)
    yield Subgoal(SubgoalKind.SWITCH, names, on=switch["on"].lower() == "on")


def _device_settings(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.FIND, (match["what"],))


def _route(match: re.Match[str]) -> Iterator[Subgoal]:
    to, _, option = match["to"].strip(" .").partition(" with ")
    yield Subgoal(SubgoalKind.SEARCH, text=to.strip(" ,."))
    yield Subgoal(SubgoalKind.ACT, CONTROLS["route"])
    for word, mode in _TRAVELS:
        if re.search(word, match[0], re.I):
            yield Subgoal(SubgoalKind.PICK, MODES[mode], optional=True)
            break
    if option:
        yield Subgoal(SubgoalKind.PICK, (re.sub(r"^(?:the )?option ", "", option),))


def _answer(match: re.Match[str]) -> Iterator[Subgoal]:
    yield Subgoal(SubgoalKind.ANSWER, (match["what"],))


_PATTERNS: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(pattern, re.I), handle)
    for pattern, handle in (
        (
            r"(?:tap|press|click)(?: on)? (?:the )?(?:button|item|tile|key|row)s? (?:whose|that) .*"
            r"\b(?:top|head|heading|title)\b.*",
            _named,
        ),
        (r"scroll\b.*?\b(?:until|to) (?P<what>.+?)(?: is (?:on the screen|shown|visible))?", _open),
        (rf"(?P<verb>type|enter) (?:the )?(?:text )?(?P<what>{OPEN}\d+{CLOSE}).*", _type),
        (r"find out (?:at )?(?P<what>(?:what|how|which|where|when)\b.+)", _answer),
        (r"(?:come|go) back\b.*", lambda match: iter((Subgoal(SubgoalKind.RETURN),))),
        (r".*\bphone's own settings.*|.*\bin the system settings.*", _system),
        (r"search (?:all \w+ )?(?:(?:in|on) )?for (?P<what>.+)", _search),
        (r"search (?P<what>.+)", _search),
        (r"look for (?P<what>.+)", _search),
        (
            r"(?:plan|look up|show|look at)\b.*\b(?:way|drive|route|transport|transit)\b.*?\bto (?P<to>.+)",
            _route,
        ),
        (r"(?:switch|turn) (?P<what>.+?) (?P<on>on|off)\b.*", _switch),
        (r"(?:switch|turn) (?P<on>on|off) (?P<what>.+)", _switch),
        (r"(?:set|change) (?P<what>.+?) to (?P<value>.+)", _set),
        (r"(?:add|put) (?P<what>.+?) (?:to|into|in) (?:the |my |your )?cart\b.*", _cart),
        (r"save (?P<what>.+?) for later", _later),
        (r"(?:add|move|save|put|keep) (?P<what>.+?) (?:to|into|in) (?P<to>.+)", _add),
        (r"(?:make|add) a (?:new |private )*(?:list|folder|album)(?: called| named)? (?P<name>.+)", _new),
        (r"sort (?:the results )?by (?P<what>.+)", _sort),
        (r"(?P<what>lowest price) first", _sort),
        (
            r"(?:filter (?:by|for)|choose|select|with the (?:option|reason)|the reason is|keep(?: what is)?|"
            r"between|within)\s+(?P<what>.+)",
            _pick,
        ),
        (
            r"(?P<verb>comment|write the comment|send(?: it)?(?: the message)?|with the words|post|"
            r"answer (?:it|its question|the comment by \S+) with|publish the post)\s+(?P<what>.+)",
            _type,
        ),
        (r"(?:unlike|take your like back)\s*(?P<what>.*)", _act("like", undo=True)),
        (r"unfollow (?P<what>.+)", _act("unfollow", undo=True)),
        (r"like (?P<what>.+)", _act("like")),
        (r"follow (?P<what>.+)", _act("follow")),
        (r"(?:save|keep) (?P<what>.+)", _act("favourite")),
        (r"(?:delete|remove) (?P<what>.+)", _act("delete")),
        (r"cancel (?P<what>.+)", _act("cancel")),
        (r"confirm (?P<what>.+)", _act("confirm")),
        (r"download (?P<what>.+)", _act("download")),
        (r"return (?P<what>.+)", _act("return")),
        (r"track (?P<what>.+)", _act("track")),
        (r"share (?P<what>.+)", _act("share")),
        (r"buy (?P<what>.+)", _act("buy")),
        (r"ask to join\s*(?P<what>.*)", _act("join")),
        (r"place the order", _act("submit")),
        (r"submit\s*(?P<what>.*)", _act("submit")),
        (r"(?:answer (?:with )?|what is |how many |at what |which |where )(?P<what>.+)", _answer),
        (
            r"(?:open|go to|enter|see|check|look at|find(?: out)?(?: with)?|choose|scroll to|tap)\s+"
            r"(?P<what>.+)",
            _open,
        ),
    )
)


_FORM = re.compile(r"\s*\bAnswer with (?P<what>[^.]+?) alone\b[^.]*\.?\s*$")
"""The form of an answer, after the question."""
_QUESTION = re.compile(r"(?:What|How|Which|Where|When)\b[^.?]*(?=\?)")


def read(text: str) -> tuple[Subgoal, ...]:
    """Parse an instruction.

    Args:
        text: The instruction, in English; names on the screen may be in another script.

    Returns:
        Its subgoals, in order.
    """
    if form := _FORM.search(text):
        asked = read(text[: form.start()])
        if any(step.kind is SubgoalKind.ANSWER for step in asked):
            return asked
        question = _QUESTION.search(text)
        return (*asked, Subgoal(SubgoalKind.ANSWER, (question[0] if question else form["what"],)))
    quoted = Quoted.by(_QUOTED, text)
    masked = _APP.sub("\ue002", quoted.masked)
    steps: list[Subgoal] = []
    for clause in _CLAUSE.split(masked):
        clause = re.sub(r"^(?:and|then|also)\s+", "", (clause or "").strip(" ."))
        if clause and not _NOT.match(clause):
            found = [_unmasked(step, quoted) for step in _clause(clause)]
            if not found and steps and steps[-1].kind is SubgoalKind.PICK:
                found = [_unmasked(step, quoted) for step in _options(clause)]
            steps += found
    if (
        steps
        and all(step.kind is SubgoalKind.ANSWER for step in steps)
        and (name := _PROPER.search(masked[1:]))
    ):
        steps.insert(0, Subgoal(SubgoalKind.SEARCH, text=quoted.plain(name[1]).removeprefix("the ")))
    return tuple(steps)


def _clause(clause: str) -> Iterator[Subgoal]:
    """Yield the subgoals of one clause: first the place, then the action."""
    clause = re.sub(
        r"\s*(?:,\s*)?(?:\b(?:in|on|with|of|from|out with|to) )?\ue002\s*", " ", clause, flags=re.I
    ).strip(" ,")
    if not clause:
        return
    handled = _verb(clause)
    if handled is None:
        if where := _IN.fullmatch(clause):
            yield from _place(where["place"].strip())
        return
    match, handle = handled
    before = clause[: match.start()]
    rest = match[0]
    places = []
    for where in _WHERE.finditer(before + " "):
        places.append(where["place"])
    if (
        before
        and not places
        and (
            words := _ARTICLE.sub(
                "", re.sub(r"^(?:in|on|under|from|among|of)\s+", "", before.strip(), flags=re.I)
            )
        )
    ):
        places.append(words)
    if (where_in := _WHERE.search(rest, match.start())) and handle is _open and where_in.start() > 0:
        places.append(where_in["place"])
        rest = (rest[: where_in.start()] + rest[where_in.end() :]).strip()
    for place in places:
        yield from _place(place.strip(" ,"))
    again = _verb(rest)
    if again is not None:
        yield from again[1](again[0])


def _place(name: str) -> Iterator[Subgoal]:
    if name.lower() == "settings":
        yield Subgoal(SubgoalKind.FIND, SETTINGS)
    elif name:
        yield Subgoal(SubgoalKind.FIND, (name.removesuffix(" tab"),), optional=True)


def _verb(clause: str) -> tuple[re.Match[str], Handler] | None:
    """Return the first known verb of a clause, with its handler."""
    best: tuple[int, int, re.Match[str], Handler] | None = None
    for rank, (pattern, handle) in enumerate(_PATTERNS):
        found = re.search(rf"(?<![\w'])(?:{pattern.pattern})$", clause, re.I)
        if found and (best is None or (found.start(), rank) < best[:2]):
            best = (found.start(), rank, found, handle)
    return None if best is None else (best[2], best[3])


def _unmasked(step: Subgoal, quoted: Quoted) -> Subgoal:
    plain = quoted.plain
    return Subgoal(
        step.kind,
        tuple(plain(name) for name in step.names),
        tuple(plain(name) for name in step.near),
        plain(step.text),
        step.on,
        step.order,
        step.undo,
        step.optional,
    )
