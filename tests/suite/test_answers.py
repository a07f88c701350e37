"""What goals of questions take for an answer: many ways to say it, none that leaves it open or denies it."""

from __future__ import annotations

import pytest

from garabench.campaign.suite import Suite
from garabench.core.condition import AllOf, AnswerIs, AnyOf, Condition, Not
from garabench.core.verdict import evaluate
from tests.core.test_verdict import Known

SUITE = Suite.load()

RIGHT: dict[str, tuple[str, ...]] = {
    "jd-answer-dryer-price": (
        "两千八百九十九元",
        "２８９９元",
        "2024-04-21下的单，实付2899元",
        "It was ordered on April 21, 2024 and cost 2899 yuan.",
        "订单295518840296实付￥2,899.00",
        "2899",
        "¥2,899",
        "￥2899",
        "2899.00",
        "2,899.00元",
        "售价2899元。",
        "HD15 is ¥2,899.",
    ),
    "jd-answer-waybill": (
        "JDVB7714025593",
        "运单号：JDVB7714025593。",
        "jdvb7714025593",
        "JDVB 7714 0255 93",
        "The waybill number of order 296177905846 is JDVB7714025593.",
    ),
    "bili-answer-longest-played": (
        "0:24:10",
        "二十四分十秒",
        "二十四分钟十秒",
        "２４：１０",
        "24:10",
        "24：10",
        "24分10秒",
        "24 minutes 10 seconds",
        "932.7万次播放，时长24:10",
        "00:24:10",
    ),
    "bili-answer-fans": (
        "3,017,000",
        "3017000",
        "3.017 million",
        "3.017M",
        "３０１．７万",
        "301.7 ten thousand",
        "301.7万 fans (about 3,017,000)",
        "301.7万",
        "301.7w",
        "301.7 万粉丝",
        "科技美学有301.7万粉丝。",
        "301.7万 (3.017 million)",
    ),
    "fb-answer-clock-day-going": (
        "40",
        "forty",
        "四十",
        "40 people are going",
        "40 going, 210 interested",
        "有40人参加。",
        "210 people are interested and 40 are going",
        "Going: 40, Interested: 210",
        "４０",
        "**40**",
        "40位",
    ),
    "fb-answer-where-wren-works": (
        "Salem Public Library",
        "She works at the Salem Public Library.",
        "salem public library",
    ),
    "gmaps-museum-closing": (
        "quarter past five",
        "a quarter past 5 PM",
        "It closes at a quarter past five in the afternoon.",
        "5:15 PM",
        "5:15",
        "17:15",
        "5:15 p.m.",
        "下午5点15分",
        "下午五点十五分",
        "It closes at 5:15 PM (opens at 9:30 AM).",
        "下午五点一刻",
        "下午5点一刻",
        "十七点十五分",
        "17h15",
        "1715",
        "５：１５ PM",
        "**5:15 PM**",
    ),
    "gmaps-better-trattoria": (
        "(415) 555-0174",
        "+1 415-555-0174",
        "415.555.0174",
        "Trattoria del Molo (4.6): (415) 555-0174.",
        "（415）555-0174",
        "４１５-555-0174",
    ),
    "ctrip-fastest-train-with-seats": (
        "not G79 but G1411",
        "不是G79，是G1411",
        "不是G79而是G1411",
        "G1411",
        "G 1411",
        "g1411次",
        "G1411, 2小时19分",
        "Ｇ１４１１",
        "G-1411",
        "**G1411**",
    ),
    "ctrip-seat-on-the-way-back": (
        "03车08A",
        "3车8A",
        "三车8A",
        "03车厢08A号",
        "coach 3, seat 8A",
        "8A, coach 3",
        "8A，3车",
        "8A座，3号车厢",
        "三车八A",
        "8排A座，3车厢",
        "３车８A",
    ),
    "amap-walk-luxun-park": (
        "27分钟",
        "27",
        "二十七分钟",
        "约27分钟，2.1公里",
        "27 min",
        "２７分钟",
        "**27**分钟",
        "27（min）",
        "27分钟（2.1公里，过街6次）",
        "0小时27分钟",
        "步行约二十七分钟，全程2.1公里",
        "Twenty-seven minutes",
    ),
    "amap-transit-bus-number": (
        "332路",
        "332",
        "Bus 332",
        "３３２路",
        "三三二路",
        "乘坐332路，共5站，步行1.2公里，39分钟，¥2",
        "**332路**",
    ),
    "amap-hotpot-phone": (
        "021-67108891",
        "67108891",
        "+862167108891",
        "0086 21 67108891",
        "电话：０２１－６７１０８８９１",
        "021-6710–8891",
    ),
    "weibo-refund-days-in-help": (
        "5个工作天",
        "5 work days",
        "5 workdays",
        "5-day",
        "five (5) working days",
        "5个工作日",
        "5日",
        "5天",
        "五个工作日",
        "five working days",
        "7天内可申请，5个工作日退回",
        "5",
    ),
    "weibo-place-on-the-hot-list": (
        "15",
        "第15位",
        "十五",
        "fifteen",
        "第十五位",
        "15th",
        "#15",
        "１５",
    ),
    "amazon-answer-tracking": (
        "1ZA85R270391664218",
        "The tracking ID is 1ZA85R270391664218.",
        "`1ZA85R270391664218`",
        "1Z A85R 2703 9166 4218",
    ),
    "amazon-answer-lighter-mouse": (
        "G403 Prodigy 3.78 oz; G403 Hero 3.08 oz, so the Hero is lighter",
        "Prodigy: 3.78 oz, Hero: 3.08 oz. The Hero is the lighter one",
        "3.08 oz",
        "3.08 ounces",
        "3.08盎司",
        "G403 Hero: 3.08 oz, lighter than the Prodigy at 3.78 oz",
        "G403 Prodigy 3.78 oz, G403 Hero 3.08 oz; the lighter is 3.08 oz",
        "３．０８ oz",
        "**3.08 oz**",
    ),
}

WRONG: dict[str, tuple[str, ...]] = {
    "jd-answer-dryer-price": (
        "不到2899元",
        "原价3199元，实付2899元或2799元",
        "3199元",
        "两千八百九十九点五",
        "12899",
        "12,899",
        "2799",
        "2899.5",
        "2899或2799",
        "不是2899元",
        "28990",
        "289",
    ),
    "jd-answer-waybill": (
        "XJDVB7714025593",
        "JDVB77140255930",
        "JDVB7714025594",
        "JDVB7714025593或JDVB1",
        "不是JDVB7714025593",
        "JDVB7714025593 SF1390662751846",
        "JDVA2208146370，JDVB7714025593",
    ),
    "bili-answer-longest-played": (
        "不是24:10",
        "not 24:10",
        "二十四分十二秒",
        "24:11",
        "28:44",
        "1:24:10",
        "124:10",
        "24:10或28:44",
        "28:44，24:10",
        "24:10:30",
        "932.7万",
    ),
    "bili-answer-fans": (
        "3,017",
        "30.17 million",
        "3017万",
        "不是301.7万",
        "not 301.7万",
        "301.7",
        "1301.7万",
        "22万",
        "301.7万或22万",
        "22万或301.7万",
        "301.7万至302万",
        "301.70",
    ),
    "fb-answer-clock-day-going": (
        "210",
        "40 interested",
        "40 or 210",
        "210 or 40",
        "40-50",
        "400",
        "140",
        "forty-five",
        "210 people are going and 40 are interested",
        "Interested: 40",
        "四十五",
        "not 40",
        "不是40",
    ),
    "fb-answer-where-wren-works": (
        "Willow Systems",
        "Not at Salem Public Library",
        "Salem Public Library or Powell Books",
        "Powell Books or Salem Public Library",
        "She does not work at Salem Public Library",
        "She left Salem Public Library",
        "formerly at Salem Public Library",
    ),
    "gmaps-museum-closing": (
        "5:15 PM tomorrow",
        "quarter past five in the morning",
        "明天下午5:15",
        "not a quarter past five",
        "quarter past five or quarter to six",
        "5:15 AM",
        "上午5:15",
        "5:45 PM",
        "5:15 or 5:45 PM",
        "5:45 or 5:15 PM",
        "15:15",
        "not 5:15 PM",
        "五点五十",
        "opens at 5:15 PM, closes at 9:30 PM",
        "closes at 9:30 PM; last entry 5:15 PM",
    ),
    "gmaps-better-trattoria": (
        "(415) 555-0175",
        "(415) 555-0174 or (415) 555-0175",
        "(415) 555-0174 or 0175",
        "(415) 555-0175, (415) 555-0174",
        "(415) 555-01744",
        "0174",
        "not (415) 555-0174",
    ),
    "ctrip-fastest-train-with-seats": (
        "not G1411 but G79",
        "不是G1411，是G79",
        "not G1411 but G1411 or G79",
        "D938",
        "1411",
        "G14110",
        "G1411或D938",
        "G1411 or D 938",
        "G576 or G1411",
        "不是G1411",
        "not G1411",
    ),
    "ctrip-seat-on-the-way-back": (
        "3车8A号和3车9B号",
        "3车9B号和3车8A号",
        "coach 3, seat 8A and 9B",
        "7A",
        "06车12F",
        "13车8A",
        "十三车8A",
        "3车18A",
        "3车8A或6车12F",
        "不是3车8A",
        "3车8A或3车8B",
        "not coach 3 seat 8A",
        "8A，13车",
        "十三车八A",
    ),
    "amap-walk-luxun-park": (
        "9分钟",
        "127分钟",
        "一百二十七分钟",
        "27或28分钟",
        "二十七或二十八分钟",
        "2.1公里",
        "不是27分钟",
        "一小时二十七分钟",
        "2小时27分钟",
        "9 min by bike, 27 min on foot",
        "27.5分钟",
    ),
    "amap-transit-bus-number": (
        "549路",
        "332路或549路",
        "3321",
        "不是332路",
        "特332路或4号线",
    ),
    "amap-hotpot-phone": (
        "021-67255193",
        "021-67108891或021-66087981",
        "不是021-67108891",
        "010-67108891",
    ),
    "weibo-refund-days-in-help": (
        "五十个工作日",
        "5个月",
        "7天",
        "15天",
        "5-7个工作日",
        "7个工作日，不是5个工作日",
        "not 5 days",
        "5天或7天",
        "5或7天",
    ),
    "weibo-place-on-the-hot-list": (
        "16",
        "5",
        "15或16",
        "115",
        "不是15",
        "not fifteenth",
        "第15或16",
    ),
    "amazon-answer-tracking": (
        "X1ZA85R270391664218",
        "1ZA85R2703916642180",
        "TBA312907448164",
        "1ZA85R270391664218 or X",
        "X or 1ZA85R270391664218",
        "not 1ZA85R270391664218",
        "1ZA85R270391664218 and TBA312907448164",
    ),
    "amazon-answer-lighter-mouse": (
        "G403 Prodigy 3.78 oz; G403 Hero 3.08 oz, so the Prodigy is lighter",
        "G403 Hero 3.78 oz; G403 Prodigy 3.08 oz, so the Hero is lighter",
        "3.78 oz",
        "87G",
        "3.08 ounces and 3.78 ounces",
        "3.08 oz or 3.78 oz",
        "13.08 oz",
        "the lighter is 3.78 oz",
        "not 3.08 oz",
    ),
}


def _said(condition: Condition) -> Condition | None:
    """The part of a goal that is about the answer; None where none is."""
    if isinstance(condition, AnswerIs):
        return condition
    if isinstance(condition, Not):
        part = _said(condition.not_)
        return None if part is None else condition.model_copy(update={"not_": part})
    for kind, name in ((AllOf, "all"), (AnyOf, "any")):
        if isinstance(condition, kind):
            parts = [part for each in getattr(condition, name) if (part := _said(each)) is not None]
            return condition.model_copy(update={name: tuple(parts)}) if parts else None
    return None


def _cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, answer) for name, answers in table.items() for answer in answers]


def _taken(name: str, answer: str) -> bool | None:
    said = _said(SUITE.tasks[name].goal.condition)
    assert said is not None
    return evaluate(said, Known(answer=answer)).holds


def test_every_question_has_its_phrasings() -> None:
    asked = {name for name, item in SUITE.tasks.items() if _said(item.goal.condition) is not None}
    assert asked == RIGHT.keys() == WRONG.keys()


@pytest.mark.parametrize(("name", "answer"), _cases(RIGHT))
def test_a_right_answer_is_taken_however_it_is_put(name: str, answer: str) -> None:
    assert _taken(name, answer) is True


@pytest.mark.parametrize(("name", "answer"), _cases(WRONG))
def test_an_answer_that_is_wrong_or_leaves_it_open_is_not_taken(name: str, answer: str) -> None:
    assert _taken(name, answer) is False
