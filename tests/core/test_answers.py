"""A typed answer is right if it contains the expected value, and no other value, hedge or denial."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from garabench.core.answers import (
    SAMPLES,
    AnswerMatch,
    AnswerType,
    TypedAnswer,
    invalid_value,
    match_answer,
    mentions_value,
)
from garabench.core.condition import AnswerSpec
from tests.cases import every_case

RIGHT, WRONG, AMBIGUOUS = AnswerMatch.RIGHT, AnswerMatch.WRONG, AnswerMatch.AMBIGUOUS
MINUTES = TypedAnswer("number", "27", "minute")
DAYS = TypedAnswer("number", "5", "working-day")
PLACE = TypedAnswer("number", "15", "place", lookalikes=("生活",))
BUS = TypedAnswer("number", "332", "bus-line", lookalikes=("特",))
FANS = TypedAnswer("number", "301.7万", "follower")
PRICE = TypedAnswer("price", "2899", "yuan")
TIME = TypedAnswer("time", "5:15 PM", lookalikes=("open",))
DURATION = TypedAnswer("duration", "24:10")
DATE = TypedAnswer("date", "2024-04-22")
PHONE = TypedAnswer("phone", "021-67108891", accept=("67108891",))
AMERICAN_PHONE = TypedAnswer("phone", "(415) 555-0174")
CODE = TypedAnswer("code", "1ZA85R270391664218")
NAME = TypedAnswer("name", "Salem Public Library", accept=("SPL",))
YES = TypedAnswer("yes_no", "yes")
WITHOUT_UNIT = TypedAnswer("number", "42")

TABLE: list[tuple[TypedAnswer, AnswerMatch, str]] = [
    (WITHOUT_UNIT, RIGHT, "42|42 likes|42 comments|42个赞|42层"),
    (WITHOUT_UNIT, WRONG, "42 min|42 km|42 eur|€42|24 likes"),
    (MINUTES, RIGHT, "27|２７|27分钟|27 min|**27**分钟"),
    (MINUTES, RIGHT, "27（min）|27分鐘|It takes 27 minutes.|一共27分钟|27, that is 27 min"),
    (MINUTES, RIGHT, "二十七分钟|twenty-seven minutes"),
    (MINUTES, WRONG, "|127|2.7|27.5分钟|27公里|27小时|27:27|27a|A27|一百二十七|not 27|不是27分钟|no idea"),
    (MINUTES, AMBIGUOUS, "27或28分钟|27分钟（2.1公里）|about 27|约27分钟"),
    (MINUTES, AMBIGUOUS, "at least 27|17 to 27 minutes|1小时27分|27-30"),
    (MINUTES, AMBIGUOUS, "27+|27分半|27 and a half|大于27|27?|I am not sure, but 27|27 minutes or so|27¼"),
    (MINUTES, AMBIGUOUS, "minus 27|负27|27分多|27来分钟|27 minutes per km|每27分钟"),
    (MINUTES, WRONG, "27℃|27 hundred|27 dozen|27百"),
    (MINUTES, RIGHT, "廿七|廿七分钟|贰拾柒分钟|27-minute walk|27 mins on foot|Answer: 27|bus: 27 min"),
    (MINUTES, RIGHT, "by bus 27 minutes"),
    (MINUTES, RIGHT, "route takes 27 minutes|27 minutes from the gate|步行27分|步行需要27分钟"),
    (MINUTES, RIGHT, "27 minutes; take the exit"),
    (MINUTES, WRONG, "line 27|gate 27|bus 27|platform 27|room 27|No. 27|page 27|step 27|exit 27"),
    (MINUTES, WRONG, "bus no. 27|#27|27th"),
    (MINUTES, WRONG, "第27号|27号|第27|房间27|27楼|27页|27路|27号线|27 points|27 stops|27%|27 km|27 mi"),
    (MINUTES, WRONG, "27 steps|27元"),
    (MINUTES, AMBIGUOUS, "27餘分钟|27余分钟|circa 27|ca. 27|c. 27|27/day|27 min/day|27分钟/天|27 min a day"),
    (MINUTES, AMBIGUOUS, "line 27, 27 min"),
    (DAYS, RIGHT, "伍|五|伍个工作日|5 workdays|5 working-days|5个营业日|答案：5个工作日"),
    (DAYS, RIGHT, "It takes 5 working days for an order."),
    (DAYS, RIGHT, "Refunds arrive in five business days.|退款在5个工作日内到账|5 (working days)"),
    (DAYS, RIGHT, "5 business days, as a page says"),
    (DAYS, WRONG, "5 points|5 pts|5 hours|第5号|5号|第5个工作日|gate 5|5 likes|5公里|5元|5 coins|5赞|5楼"),
    (DAYS, AMBIGUOUS, "5餘|5余天|circa 5|5 business days/order|5 days a month|5 days each month|5天/月"),
    (PRICE, RIGHT, "贰仟捌佰玖拾玖元|2899元整|2899块|二千八百九十九|2899元包邮|It costs 2899 yuan."),
    (PRICE, RIGHT, "2899 for the dryer|到手价2899"),
    (PRICE, WRONG, "2899 points|2899积分|2899京豆|2899 coupons|2899円|€2899|£2899|2899 euros|HK$2899"),
    (PRICE, WRONG, "港币2899|2899 km"),
    (PRICE, WRONG, "No. 2899|房间2899|room 2899|2899号|2899件|2899 views"),
    (PRICE, AMBIGUOUS, "2899元/月|¥2899/月|2899/mo|2899 per month|2899 a month|2899 monthly|2899每月"),
    (PRICE, AMBIGUOUS, "月租2899|2899元/件"),
    (PLACE, RIGHT, "第15号|number 15|place 15|rank 15|15th place|位列第十五|拾伍"),
    (PLACE, WRONG, "line 15|gate 15|15 points|15 minutes|15楼"),
    (PLACE, AMBIGUOUS, "前15名|top 15|circa 15"),
    (BUS, RIGHT, "line 332|bus no. 332|332号|route 332|No. 332|332路公交|乘坐332路"),
    (BUS, WRONG, "room 332|gate 332|332 minutes|332 stops|332 yuan"),
    (DAYS, RIGHT, "5个工作日|5 business days|5天|五個工作天|five (5) working days|within 5 days"),
    (DAYS, WRONG, "7天|5个月|五十个工作日"),
    (DAYS, AMBIGUOUS, "5 calendar days|max 5|maximum 5 days|5-ish|I think 5|by 5 days"),
    (PRICE, AMBIGUOUS, "2899起|2899元起|从2899|原价2899|list price 2899"),
    (DAYS, AMBIGUOUS, "3到5个工作日|三五天|5天或者7天|不超过5天|more than 5 days|7 天, 5 天"),
    (PLACE, RIGHT, "15|第15位|第十五名|#15|No.15|15th|fifteenth"),
    (PLACE, AMBIGUOUS, "below 15|第15位之后|倒数第15|生活榜第15位|15 of 50"),
    (BUS, RIGHT, "332路|Bus 332|三三二路"),
    (BUS, WRONG, "332号线|地铁4号线大兴线|not 332"),
    (BUS, AMBIGUOUS, "特332路|332路和4号线|332 or 549|Not 332, but Line 4."),
    (FANS, RIGHT, "301.7万|301.7 萬粉丝|3017000|3,017,000|3.017M|3.017 million|301.7万 (3,017,000)"),
    (FANS, WRONG, "301.7|3,017|3.017m|30.17 million|3017万"),
    (PRICE, RIGHT, "2899|¥2,899.00|￥２８９９|两千八百九十九元|RMB 2899|实付2899元。"),
    (PRICE, WRONG, "$2899|2899美元|2899.5|两千八百九十九点五|12,899|1,2899|4月22日"),
    (PRICE, AMBIGUOUS, "实付2899元（原价3299元）|2899或2799|近2899元|不到2899元|4月21日付2899元"),
    (TIME, RIGHT, "5:15 PM|17:15|5:15|下午五点十五分"),
    (TIME, RIGHT, "下午5點15分|5点一刻|quarter past five|5:15 p.m. (17:15)"),
    (TIME, WRONG, "5:15 AM|上午5:15|15:15|5 PM|quarter to five|5:15 in the morning|17:150"),
    (TIME, AMBIGUOUS, "5:15 or 5:45 PM|9:30 AM–5:15 PM"),
    (TIME, AMBIGUOUS, "5:15 PM tomorrow|opens at 5:15 PM|5:15 PM, gate 3"),
    (DURATION, RIGHT, "24:10|0:24:10|24分10秒|二十四分十秒|24 minutes and 10 seconds|24'10\""),
    (DURATION, WRONG, "24:11|1:24:10|124:10|24:10:30|24分"),
    (DURATION, AMBIGUOUS, "24:10 / 28:44|932.7万次播放，24:10"),
    (DATE, RIGHT, "2024-04-22|4月22日|2024年4月22日|April 22, 2024|22 Apr|Apr 22nd"),
    (DATE, WRONG, "2023-04-22|4月23日|22|tomorrow"),
    (DATE, AMBIGUOUS, "4月22日或23日|April 22 at 9:30"),
    (AMERICAN_PHONE, RIGHT, "1-415-555-0174|1 (415) 555-0174|The one rated higher: 415 555 0174"),
    (AMERICAN_PHONE, WRONG, "1-415-555-0147|2-415-555-0174"),
    (PHONE, RIGHT, "021-67108891|67108891|+862167108891|0086 21 67108891|０２１－６７１０８８９１"),
    (PHONE, WRONG, "010-67108891|021-671088910|8891|不是021-67108891"),
    (PHONE, AMBIGUOUS, "021-67108891 or 66087981|021-67108891, 4.5"),
    (CODE, RIGHT, "1ZA85R270391664218|1za85r270391664218"),
    (CODE, RIGHT, "1Z A85R 2703 9166 4218|`1ZA85R270391664218`"),
    (CODE, WRONG, "T1ZA85R270391664218|1ZA85R2703916642180"),
    (CODE, WRONG, "TBA312907448164|not 1ZA85R270391664218"),
    (CODE, AMBIGUOUS, "1ZA85R270391664218, TBA312907448164|1ZA85R270391664218 or another"),
    (NAME, RIGHT, "Salem Public Library|the salem  public library."),
    (NAME, RIGHT, "Answer: Salem Public Library|SPL"),
    (NAME, WRONG, "Willow Systems||not Salem Public Library"),
    (NAME, AMBIGUOUS, "Salem Public Library and Powell Books"),
    (NAME, AMBIGUOUS, "formerly at the Salem Public Library"),
    (YES, RIGHT, "yes|Yes.|是|是的|有"),
    (YES, WRONG, "no|不是|没有|"),
    (YES, AMBIGUOUS, "yes or no|maybe yes"),
    (TypedAnswer("yes_no", "no"), AMBIGUOUS, "I do not know|不知道|不确定"),
]  # fmt: skip
"""Expected answers, and answers that are right, wrong or ambiguous."""

# Neither values nor hedges; each ends so that it does not continue the value's text.
PADDING = (
    "The answer: ",
    "It takes ",
    "see the page; ",
    "答案：",
    "路线页显示，",
    "OK! ",
    "\n",
    "so, ",
    "页面上写着：",
)
AFTER = (".", "。", " indeed.", "！", "\n", "，在页面上。", " is the answer.", ", see the page", "（见页面）")
TYPED = (MINUTES, DAYS, PLACE, FANS, PRICE, TIME, DURATION, DATE, PHONE, CODE)
OTHERS: dict[AnswerType, str] = {
    "number": "28",
    "price": "29",
    "time": "6:20 PM",
    "duration": "9:59",
    "date": "2024-05-01",
    "phone": "555-0199",
    "code": "ZX81",
}


@every_case(
    ("expected", "match", "answer"),
    [(expected, match, answer) for expected, match, answers in TABLE for answer in answers.split("|")],
)
def test_an_answer_is_matched(expected: TypedAnswer, match: AnswerMatch, answer: str) -> None:
    assert match_answer(expected, answer)[0] is match, match_answer(expected, answer)[1]


@given(
    st.sampled_from(TYPED),
    st.lists(st.sampled_from(PADDING), max_size=3),
    st.lists(st.sampled_from(AFTER), max_size=3),
    st.booleans(),
)
def test_text_without_values_changes_nothing(
    expected: TypedAnswer, before: list[str], after: list[str], right: bool
) -> None:
    value = expected.value if right else OTHERS[expected.type]
    padded = f"{''.join(before)}{value}{''.join(after)}"
    assert match_answer(expected, padded)[0] is (RIGHT if right else WRONG)


@given(
    st.sampled_from(TYPED),
    st.sampled_from((", ", " or ", " and ", "；", "、", "\n", "或", " - ", " ", "/", " (")),
    st.text(max_size=10),
    st.booleans(),
)
def test_two_values_are_never_right(expected: TypedAnswer, between: str, text: str, first: bool) -> None:
    pair = (expected.value, OTHERS[expected.type])
    one, two = pair if first else pair[::-1]
    assert match_answer(expected, f"{text}{one}{between}{two}")[0] is not RIGHT


@given(st.sampled_from(TYPED), st.text())
def test_any_text_can_be_judged(expected: TypedAnswer, text: str) -> None:
    assert match_answer(expected, text)[0] in AnswerMatch
    assert match_answer(expected, f"{expected.value} {text} 999999")[0] is not RIGHT


@given(st.sampled_from(list(SAMPLES)), st.integers(0, 99_999), st.integers(0, 99_999))
def test_a_number_equals_only_itself(_type: AnswerType, one: int, two: int) -> None:
    expected = TypedAnswer("number", str(one))
    assert (match_answer(expected, f"{two:,}")[0] is RIGHT) is (one == two)


def test_a_long_answer_is_ambiguous_in_no_time() -> None:
    for text in ("27 " * 10**6, "一" * 10**6, "(" * 10**6, "1" * 10**6):
        assert match_answer(MINUTES, text)[0] is AMBIGUOUS


@every_case(("kind", "text"), SAMPLES.items())
def test_a_sample_is_a_value_of_its_type(kind: AnswerType, text: str) -> None:
    assert invalid_value(TypedAnswer(kind, text), text) == ""


@pytest.mark.parametrize(
    "data",
    [
        {"type": "number", "value": "many"},
        {"type": "number", "value": "3 or 4"},
        {"type": "number", "value": "5 km", "unit": "minute"},
        {"type": "number"},
        {"value": "5"},
        {"type": "time", "value": "25:00"},
        {"type": "phone", "value": "021-67108891", "accept": ["none"]},
        {"type": "name", "value": "…"},
        {"type": "code", "value": "x1", "unit": "yuan"},
        {"type": "number", "value": "5", "equals": "5"},
        {"equals": "5", "unit": "day"},
        {"type": "colour", "value": "red"},
    ],
)
def test_an_impossible_constraint_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AnswerSpec.model_validate(data)


def test_suites_may_use_the_old_key_of_look_alikes() -> None:
    value = {"type": "number", "value": "15"}
    old, new = ({**value, key: ["生活"]} for key in ("beside", "lookalikes"))
    assert AnswerSpec.model_validate(old) == AnswerSpec.model_validate(new)
    assert AnswerSpec.model_validate(old).lookalikes == ("生活",)


@pytest.mark.parametrize(
    ("kind", "value", "unit", "text", "shown"),
    [
        ("number", "301.7万", "follower", "粉丝 301.7万 · 获赞 12", True),
        ("number", "301.7万", "follower", "301.8万粉丝", False),
        ("number", "5", "working-day", "picture 5", False),
        ("number", "5", "working-day", "退款在5个工作日内原路返回", True),
        ("number", "5", None, "picture 5", True),
        ("time", "5:15 PM", None, "Open · Closes 5:15 PM", True),
        ("time", "5:15 PM", None, "Open · Closes 5:30 PM", False),
        ("name", "Salem Public Library", None, "Works at Salem Public Library", True),
        ("name", "Salem Public Library", None, "Salem", False),
        ("phone", "(415) 555-0174", None, "Call +1 415-555-0174", True),
        ("number", "5", None, "5 " * 600, False),
    ],
)
def test_a_label_shows_a_value_among_others(
    kind: AnswerType, value: str, unit: Any, text: str, shown: bool
) -> None:
    assert mentions_value(TypedAnswer(type=kind, value=value, unit=unit), text) is shown
