"""Typed answers: read the values of a type from an agent's answer and compare them with the expected one.

An instruction asks for an answer in a form, such as a number alone. The answer is right if it contains the
expected value, as often as it likes, and no other value, hedge or denial; other words do not matter. A name
cannot be recognized among other words, so it must be the whole answer. The tables of units, labels, rates,
hedges and denials below are all there is.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

AnswerType: TypeAlias = Literal[
    "number", "price", "time", "duration", "date", "phone", "code", "name", "yes_no"
]
Unit: TypeAlias = Literal[
    "second", "minute", "hour", "day", "working-day", "week", "month", "year",
    "metre", "kilometre", "mile", "gram", "kilogram", "ounce", "pound",
    "yuan", "dollar", "percent", "degree", "person", "follower", "place", "bus-line", "metro-line", "count",
]  # fmt: skip

MAX_ANSWER = 1000
"""Longest answer that is read, in characters; a longer one is ambiguous."""

SAMPLES: dict[AnswerType, str] = {
    "number": "1",
    "price": "1",
    "time": "1:00 PM",
    "duration": "1:00",
    "date": "2024-01-01",
    "phone": "555-0100",
    "code": "x1",
    "name": "x",
    "yes_no": "yes",
}
"""A valid value of each type."""

Reading: TypeAlias = frozenset[object]
"""What a value may stand for: ``5:15`` is in the morning or in the afternoon."""


class AnswerMatch(enum.Enum):
    """How an answer compares with the expected value."""

    RIGHT = "right"
    WRONG = "wrong"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class TypedAnswer:
    """The expected answer.

    Attributes:
        type: Type of the value.
        value: The value.
        unit: Unit of a number or price; an answer may omit it, but not give another one.
        accept: Other values that are right too, such as a telephone number without its area code.
        lookalikes: Words of look-alike values. An answer that contains one is ambiguous.
    """

    type: AnswerType
    value: str
    unit: Unit | None = None
    accept: tuple[str, ...] = ()
    lookalikes: tuple[str, ...] = ()


_UNITS: dict[Unit, str] = {
    "second": "秒钟|秒|seconds?|secs?",
    "minute": "分钟|分|minutes?|mins?",
    "hour": "个?小时|个?钟头|hours?|hrs?|h",
    "day": "天|日|days?",
    "working-day": "个?工作[日天]|(?:working|business|work)[ -]?days?|天|日|days?",
    "week": "个?星期|周|weeks?",
    "month": "个月|月|months?",
    "year": "年|years?",
    "metre": "米|met(?:er|re)s?|m",
    "kilometre": "公里|千米|kilomet(?:er|re)s?|km",
    "mile": "英里|miles?|mi",
    "gram": "克|grams?|g",
    "kilogram": "公斤|千克|kilograms?|kg",
    "ounce": "盎司|ounces?|oz",
    "pound": "磅|pounds?|lbs?",
    "yuan": "元|块钱?|圆|人民币|yuan|rmb|cny",
    "dollar": "美元|美金|dollars?|usd",
    "percent": "%|percent",
    "degree": "°[cf]?|度|degrees?",
    "person": "个?人|位|名|people|persons?|guests?",
    "follower": "个?粉丝|人|fans|followers?",
    "place": "位|名|号",
    "bus-line": "路(?:公交车?|车)?|号",
    "metro-line": "号?线",
    "count": "次|步|站|条|处|件|张|times|steps?|stops?",
}
_COUNTED_THINGS = (
    "积分|points?|pts?|京豆|金币|硬币|coins?|优惠券|coupons?|个?赞|likes?|views?|plays?|comments?|评论"
)
_OTHER_UNITS = rf"{_COUNTED_THINGS}|欧元|euros?|eur|英镑|gbp|日元|円|jpy|港币|港元|hkd|韩元|krw|€|£"
"""Units that no goal has; a number with one of them is another quantity."""
_LABEL_SUFFIXES = "号|楼|层|室|页"
"""What makes a number the name of a thing: 第5号."""
_LABELS = re.compile(
    r"(?:(?<![a-z])(?P<word>line|bus|tram|train|flight|route|gate|platform|track|room|page|exit|floor|coach|car"
    r"|seat|terminal|step|question|option)|(?P<sign>线路|房间|站台|登机口|航站楼|车厢|座位|第|#|no\.))"
    r" ?(?:no\.|number|#)? ?$"
)
"""What makes the number after it the name of a thing: gate 5."""
_OWN_LABELS: dict[Unit, str] = {
    "bus-line": "bus|line|route|线路|第|#|no\\.",
    "metro-line": "line|train|线路|第|#|no\\.",
    "place": "第|#|no\\.",
}
_CURRENCIES: dict[Unit, str] = {"yuan": "¥|rmb|cny", "dollar": r"us\$|\$|usd"}
_SCALES = {
    "百万": 10**6, "百": 10**2, "dozen": 12, "hundred": 10**2, "千": 10**3, "万": 10**4, "亿": 10**8,
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "wan": 10**4, "w": 10**4,
    "k": 10**3,
}  # fmt: skip

_DENIALS = re.compile(
    r"(?<![a-z])(?:not|never|neither|nor|cannot|no longer)(?![a-z])|n't|不是|并非|不对|不在"
)
_DENIED = re.compile(rf"(?:{_DENIALS.pattern})[^,.;!]*$")
_HEDGES = re.compile(
    r"""(?<![a-z])(?:about|around|circa|ca?\.(?=\ ?[\d¥$])|ca(?=\ \d)
        |approx\w*|roughly|nearly|almost|or|either|maybe|perhaps|probably|possibly
        |likely|might|could|at\ (?:least|most)|more|less|fewer|greater|than|over|under|above|below|beyond
        |outside|up\ to|between|to(?=\ ?[\d¥$])|until|till|before|after|behind|from\ the\ (?:end|bottom|last)
        |tomorrow|yesterday|minus|per|ago|know|sure|unsure|unclear|unknown|certain|think|guess|believe|max(?:imum)?
        |minimum|calendar|(?:by|top)(?=\ ?\d)|(?:list|original|usual)\ price)(?![a-z])
    |(?<=\d)-?ish(?![a-z])|(?<=[\d元])起|从(?=\ ?[\d¥$])|原价|划线价|市场价
    |约|左右|上下|大概|大致|可能|也许|或|还是|至少|最少|最多|至多|超过|[大小高低多少]于|接近|将近|几|余|之间|倒数|倒着|明天|昨天
    |[之以](?:前|后|上|下|外)|前(?=\ ?\d)|开外|(?:到|至|近)(?=\ ?[\d¥$])|多(?!少)|\d来|负|零下|每
    |不|没|未|非|知道|清楚|确定
    |\d\+|[~≈<>≤≥≦≧±?]""",
    re.VERBOSE,
)

_HALF = re.compile("半|(?<![a-z])(?:half|quarter)(?![a-z])")
"""What makes a number another one; in a time of day it is a part of the value."""

_CHARACTERS = str.maketrans(
    "點時萬億兩鐘個號車聯絡線開關間從後幾沒這還過許約週錢塊圓貳參陸餘樓層頁積讚〜～–—−‐‑―’‘“”′″，、。",
    "点时万亿两钟个号车联络线开关间从后几没这还过许约周钱块圆贰叁陆余楼层页积赞~~------''\"\"'\",,.",
)
_MARKUP = re.compile(r"\*\*|__|`|[\u200b-\u200f\u2060\ufeff]")


def normalize_answer(answer: str) -> str:
    """Return an answer without differences that do not matter: width, case, markup, characters."""
    text = unicodedata.normalize("NFKC", answer.translate(_CHARACTERS)).translate(_CHARACTERS)
    text = re.sub(r"(?<=\d)( ?)M(?![A-Za-z])", r"\1million", _MARKUP.sub("", text))  # m is a metre
    return " ".join(text.casefold().split())


_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE = re.compile("[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]*")
_FINANCIAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
_FINANCIAL_NUMERAL = re.compile(
    "[零壹贰叁肆伍陆柒捌玖拾佰仟万亿]{2,}|[壹贰叁肆伍陆柒捌玖拾](?=[个元块圆天位名人分]|\\W|$)"
)
"""A single one of these characters may be part of a name, such as 大陆."""
_SHORT_TENS = {"廿": "二十", "卅": "三十", "卌": "四十"}
_NOT_NUMERALS = re.compile(
    "一共|一般|一定|一下|一起|唯一|之一|统一|万一|十分(?=[^钟0-9零一二两三四五六七八九十]|$)"
    r"|(?<![a-z])(?:the|this|that|which) one(?![a-z])"
)
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_ORDINALS = {
    "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
    **{f"{word}th": value for word, value in _WORDS.items() if value in (4, 6, 7, 10, 11, *range(13, 20))},
    **{f"{word[:-1]}ieth": value for word, value in _WORDS.items() if value >= 20},
}  # fmt: skip
_ENGLISH = re.compile(
    rf"(?<![a-z])(?:({'|'.join(_TENS)})[- ]({'|'.join(_SMALL[1:10])})"
    rf"|({'|'.join((*_ORDINALS, *_WORDS))}))(?![a-z])"
)


def _in_digits(text: str) -> str:
    """Write the numerals and number words of both languages as digits."""
    text = _NOT_NUMERALS.sub(" ", text)
    text = _FINANCIAL_NUMERAL.sub(lambda match: match[0].translate(_FINANCIAL), text)
    text = re.sub("[廿卅卌]", lambda match: _SHORT_TENS[match[0]], text)
    text = _CHINESE.sub(lambda match: _chinese(match[0]), text)
    return _ENGLISH.sub(_english, text)


def _chinese(numeral: str) -> str:
    if all(char in _DIGITS for char in numeral):
        digits = "".join(str(_DIGITS[char]) for char in numeral)
        # 三五天 is from three to five days, but 三三二路 is line 332.
        return " ".join(digits) if len(digits) == 2 and "0" not in digits else digits
    total, section, digit = 0, 0, 0
    for char in numeral:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0
        else:
            total = (total + section + digit) * (10**4 if char == "万" else 10**8)
            section = digit = 0
    return str(total + section + digit)


def _english(match: re.Match[str]) -> str:
    if match[1]:
        return str(_WORDS[match[1]] + _WORDS[match[2]])
    return str(_WORDS.get(match[3], _ORDINALS.get(match[3])))


def _longest_first(spellings: Sequence[str]) -> str:
    return "|".join(sorted(spellings, key=len, reverse=True))


_WORD_START = r"(?<![a-z0-9])(?<!\d[.,:/])"
_START = rf"{_WORD_START}(?<![a-z0-9]-)"
_END = r"(?!\d|[.,:/]\d)"
_ANY_UNIT = _longest_first(
    [
        spelling
        for unit in (*_UNITS.values(), _OTHER_UNITS, _LABEL_SUFFIXES)
        for spelling in re.split(r"\|(?![^(]*\))", unit)
    ]
)
_RATES = re.compile(
    rf"""\d\ ?(?:{_ANY_UNIT})?\ ?(?:/\ ?(?:月|年|天|日|周|星期|小时|分钟|人|次|件|晚|夜|公里|mo|months?|d
        |days?|wk|weeks?|yr|years?|h|hr|hours?|min|minutes?|person|night|km|mile|kg|order|station|stop)(?![a-z])
    |(?:an?|each|every)\ (?:month|day|week|year|night|minute|hour|person|kilomet(?:er|re)|km|mile
        |order)(?![a-z])
    |(?:monthly|daily|weekly|yearly|annual(?:ly)?|hourly|nightly)(?![a-z]))
    |月租|月付|月供|包月""",
    re.VERBOSE,
)
"""What makes an amount a rate."""
_NUMBER = re.compile(
    rf"(?:(?P<currency>{'|'.join((*_CURRENCIES.values(), _OTHER_UNITS))}) ?)?{_START}"
    rf"(?P<number>[-+]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?){_END}"
    rf"(?: ?(?P<scale>{_longest_first(list(_SCALES))})(?![a-z米克]))?"
    rf"(?:(?P<ordinal>st|nd|rd|th)(?![a-z]))?"
    rf"(?:[ (-]{{0,2}}(?P<unit>{_ANY_UNIT})(?![a-z]))?(?![a-z0-9])"
)


def _fits(unit: Unit | None, spelled: str) -> bool:
    """Return whether a number with this unit may be the value.

    Without a unit, the value is the name of a thing or a number of things that no unit stands for.
    """
    own = f"{_LABEL_SUFFIXES}|{_COUNTED_THINGS}" if unit is None else _UNITS[unit]
    return re.fullmatch(own, spelled) is not None


def _is_label(before: str, unit: Unit | None, match: re.Match[str]) -> bool:
    """Return whether a number is the name of a thing, such as a gate, of which the value is none."""
    label = None if unit is None else _LABELS.search(before)
    if unit is None or (match["ordinal"] is None and label is None):
        return False
    own = _OWN_LABELS.get(unit)
    if label is None:
        return own is None
    name = label["word"] or label["sign"]
    if own is not None and re.fullmatch(own, name):
        return False
    return match["currency"] is None and (match["unit"] is None or name == "第")  # 第5天 is not 5 days


def _numbers(text: str, unit: Unit | None) -> Iterator[tuple[int, int, Reading]]:
    for match in _NUMBER.finditer(text):
        spelled = match["unit"]
        if spelled and not _fits(unit, spelled):
            continue
        if _is_label(text[: match.start()], unit, match):
            continue
        if match["currency"] and not (
            unit in _CURRENCIES and re.fullmatch(_CURRENCIES[unit], match["currency"])
        ):
            continue
        value = Decimal(match["number"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1)
        yield match.start(), match.end(), frozenset({value})


_MORNING, _EVENING = "上午|早上|早晨|清晨|凌晨", "下午|晚上|傍晚|中午"
_TIME = re.compile(
    rf"(?:(?P<before>{_MORNING}|{_EVENING}) ?)?{_WORD_START}(?:"
    r"(?P<hour>\d{1,2}) ?(?:[:.点时h] ?(?P<minute>[0-5]\d)(?!\d) ?分?"
    r"|[点时] ?(?:(?P<quarters>[13]) ?刻|(?P<half>半)|整)?(?! ?\d)|(?= ?[ap]\.?m(?![a-z])))"
    r"|(?P<part>quarter|half) (?P<side>past|to) (?P<oral>\d{1,2})"
    rf"){_END}(?: ?(?P<after>[ap])\.?m(?![a-z])\.?| ?(?:in the )?(?P<day>morning|afternoon|evening))?"
)


def _times(text: str) -> Iterator[tuple[int, int, Reading]]:
    for match in _TIME.finditer(text):
        hour = int(match["hour"] or match["oral"])
        if match["oral"]:
            past = {"quarter": 15, "half": 30}[match["part"]] * (1 if match["side"] == "past" else -1)
            minutes = past
        else:
            minutes = int(match["minute"] or 0) + 15 * int(match["quarters"] or 0) + 30 * bool(match["half"])
        if hour > 24:
            continue
        marks = [match["before"], match["after"], match["day"]]
        early = any(mark and (mark in ("a", "morning") or re.fullmatch(_MORNING, mark)) for mark in marks)
        late = any(marks) and not early
        if hour > 12 or hour == 0:
            hours = {hour}
        else:
            hours = {hour % 12} if early else {hour % 12 + 12} if late else {hour % 12, hour % 12 + 12}
        yield match.start(), match.end(), frozenset((60 * each + minutes) % 1440 for each in hours)


_CLOCKED = re.compile(rf"{_START}(?:(?P<h>\d{{1,2}}):)?(?P<m>\d{{1,3}}):(?P<s>[0-5]\d)(?!\d|[.:]\d)")
_SPELLED = re.compile(
    rf"{_START}(?=\d)(?:(?P<h>\d{{1,3}}) ?(?:{_UNITS['hour']})(?![a-z])[ ,]*)?"
    rf"(?:(?P<m>\d{{1,4}}) ?(?:{_UNITS['minute']}|m|')(?![a-z'])[ ,]*(?:and )?)?"
    rf"(?:(?P<s>\d{{1,5}}) ?(?:{_UNITS['second']}|s|''|\")(?![a-z]))?"
)


def _durations(text: str) -> Iterator[tuple[int, int, Reading]]:
    for pattern in (_CLOCKED, _SPELLED):
        for match in pattern.finditer(text):
            if any(match.groupdict().values()):
                seconds = sum(int(match[key] or 0) * unit for key, unit in (("h", 3600), ("m", 60), ("s", 1)))
                yield match.start(), match.end(), frozenset({seconds})


_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = (
    re.compile(rf"{_START}(?P<y>\d{{4}})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?![\d./-]*\d)"),
    re.compile(rf"{_START}(?:(?P<y>\d{{4}}) ?年 ?)?(?P<m>\d{{1,2}}) ?月 ?(?P<d>\d{{1,2}}) ?[日号]"),
    re.compile(rf"(?<![a-z]){_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y>\d{{4}})(?!\d))?"),
    re.compile(rf"{_START}(?P<d>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH}(?:,? (?P<y>\d{{4}})(?!\d))?"),
)


def _dates(text: str) -> Iterator[tuple[int, int, Reading]]:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = _MONTHS.index(parts["name"]) + 1 if parts.get("name") else int(parts["m"])
            day = f"{month:02}-{int(parts['d']):02}"
            yield match.start(), match.end(), frozenset({f"{parts['y']}-{day}" if parts["y"] else day})


_PHONE = re.compile(r"(?<![\da-z])\+?\(?\d[\d ()./-]{5,22}\d(?![\da-z])")
_PHONE_DIGITS = range(7, 16)
_LONGEST_COUNTRY_CODE = 3


_NORTH_AMERICAN = re.compile(r"1[2-9]\d{2}[2-9]\d{6}")
"""A number with the country code that is dialled without a plus sign, too."""


def _phones(text: str) -> Iterator[tuple[int, int, Reading]]:
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) not in _PHONE_DIGITS:
            continue
        readings = {digits.lstrip("0")}
        if match[0].startswith("+") or digits.startswith("00"):
            whole = digits.lstrip("0")
            readings |= {whole[cut:].lstrip("0") for cut in range(1, _LONGEST_COUNTRY_CODE + 1)}
        if _NORTH_AMERICAN.fullmatch(digits):
            readings.add(digits[1:])
        yield match.start(), match.end(), frozenset(readings)


_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _codes(text: str) -> Iterator[tuple[int, int, Reading]]:
    for match in _CODE.finditer(text):
        if any(char.isdigit() for char in match[0]):
            yield match.start(), match.end(), frozenset({match[0].replace("-", "")})


_YES_NO = re.compile(
    r"(?P<no>不是|没有|不对|不能|不可以|否|没|不|(?<![a-z])(?:no|not|false)(?![a-z]))"
    r"|(?P<yes>是|有|对|能|可以|(?<![a-z])(?:yes|true)(?![a-z]))"
)


def _polarities(text: str) -> Iterator[tuple[int, int, Reading]]:
    for match in _YES_NO.finditer(text):
        yield match.start(), match.end(), frozenset({match["yes"] is not None})


_READERS: dict[AnswerType, Callable[[str], Iterator[tuple[int, int, Reading]]]] = {
    "time": _times,
    "duration": _durations,
    "date": _dates,
    "phone": _phones,
    "code": _codes,
    "yes_no": _polarities,
}


def _read(expected: TypedAnswer, answer: str) -> tuple[list[Reading], str, str, int]:
    """Read the values of a type from an answer.

    Returns:
        The distinct values; the text around them; the whole text, normalized; where the first value starts.
    """
    text = normalize_answer(answer)
    if expected.type == "code":
        for value in (expected.value, *expected.accept):
            text = _joined(text, value)
    elif expected.type != "yes_no":
        text = _in_digits(text)
    if expected.type in ("number", "price"):
        text = re.sub(r"(?<=\d)点(?=\d)", ".", text)
        unit = expected.unit or ("yuan" if expected.type == "price" else None)
        spans = list(_numbers(text, unit))
    else:
        spans = list(_READERS[expected.type](text))
    rest = list(text)
    for start, end, _ in spans:
        rest[start:end] = " " * (end - start)
    readings = list(dict.fromkeys(reading for _, _, reading in spans))
    distinct = [one for one in readings if not any(other < one for other in readings)]
    return distinct, "".join(rest), text, min((start for start, _, _ in spans), default=0)


def _joined(text: str, code: str) -> str:
    """Write a code that an answer gives in groups, such as ``1Z A85R``, in one piece."""
    compact = re.sub(r"[\W_]", "", normalize_answer(code))
    spaced = r"[ -]?".join(map(re.escape, compact))
    return re.sub(rf"(?<![a-z0-9])(?<![a-z0-9]-){spaced}(?![a-z0-9]|-[a-z0-9])", compact, text)


_FRAME = re.compile(r"^(?:(?:the )?(?:final )?answer(?: is)?|答案(?:是|为)?|it is|it's)[:, ]*")


def _name(text: str) -> str:
    """Return the form in which names are compared: without article, punctuation and white space."""
    return re.sub(r"[\W_]+", "", re.sub(r"^the ", "", _FRAME.sub("", normalize_answer(text))))


def _match_name(expected: TypedAnswer, answer: str) -> tuple[AnswerMatch, str]:
    given = _name(answer)
    right = {_name(name) for name in (expected.value, *expected.accept)}
    if given in right:
        return AnswerMatch.RIGHT, "the name"
    if not any(re.search(rf"(?<!\d){re.escape(name)}(?!\d)", given) for name in right):
        return AnswerMatch.WRONG, "another name"
    before = normalize_answer(answer).partition(normalize_answer(expected.value))[0]
    if _DENIED.search(before):
        return AnswerMatch.WRONG, "denied"
    return AnswerMatch.AMBIGUOUS, "more than the name"


def invalid_value(expected: TypedAnswer, value: str) -> str:
    """Return why a text is not a single value of the expected type, or empty if it is one."""
    if expected.type == "name":
        return "" if _name(value) else "a name needs a letter or a digit"
    readings, rest, _, _ = _read(expected, value)
    if len(readings) != 1 or re.search(r"\w", rest):
        return f"{value!r} is not a single value of type {expected.type}"
    return ""


def match_answer(expected: TypedAnswer, answer: str) -> tuple[AnswerMatch, str]:
    """Compare an answer with the expected one.

    Returns:
        How it compares, and why, in a few words.
    """
    if len(answer) > MAX_ANSWER:
        return AnswerMatch.AMBIGUOUS, f"longer than {MAX_ANSWER} characters"
    if expected.type == "name":
        return _match_name(expected, answer)
    readings, rest, text, start = _read(expected, answer)
    if not readings:
        return AnswerMatch.WRONG, f"no value of type {expected.type}"
    if len(readings) > 1:
        return AnswerMatch.AMBIGUOUS, f"{len(readings)} different values"
    if expected.type != "yes_no" and _DENIED.search(text[:start]):
        return AnswerMatch.WRONG, "denied"
    right = {value for each in (expected.value, *expected.accept) for value in _targets(expected, each)}
    if right.isdisjoint(readings[0]):
        return AnswerMatch.WRONG, "another value"
    if re.search(r"\d", rest):
        return AnswerMatch.AMBIGUOUS, "another number as well"
    around = rest if expected.type == "yes_no" else text  # yes and no are themselves words of the tables
    hedge = _HEDGES.search(around) or _DENIALS.search(around) or _HALF.search(rest)
    if not hedge and expected.type in ("number", "price"):
        hedge = _RATES.search(text)
    if hedge:
        return AnswerMatch.AMBIGUOUS, f"hedged by {hedge[0].strip()!r}"
    if word := next((word for word in expected.lookalikes if normalize_answer(word) in text), None):
        return AnswerMatch.AMBIGUOUS, f"{word!r} is something else"
    return AnswerMatch.RIGHT, "the value"


def mentions_value(expected: TypedAnswer, text: str) -> bool:
    """Return whether a text, such as a label on a screen, contains the expected value among others.

    A number of one digit is on nearly every screen, so it needs its unit, if it has one. A screen states a
    yes or no in other words, so no text shows it.

    Args:
        expected: The expected answer.
        text: The text.
    """
    if len(text) > MAX_ANSWER:
        return False
    if expected.type == "name":
        return any(_name(name) in _name(text) for name in (expected.value, *expected.accept))
    readings, _, plain, _ = _read(expected, text)
    right = {value for each in (expected.value, *expected.accept) for value in _targets(expected, each)}
    if all(right.isdisjoint(reading) for reading in readings):
        return False
    return not (
        expected.unit is not None
        and len(expected.value) == 1
        and not re.search(rf"\d[ -]?(?:{_UNITS[expected.unit]})(?![a-z])", plain)
    )


def _targets(expected: TypedAnswer, value: str) -> Iterator[object]:
    """Yield what a right answer may stand for."""
    for reading in _read(expected, value)[0]:
        yield from reading
        if expected.type == "date":
            yield from (str(each)[-5:] for each in reading)  # the year may be omitted
