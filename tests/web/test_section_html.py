from __future__ import annotations

import pytest
from lxml import html

from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.web.section_html import section_html

HOSTILE = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>\u202e{{ 7 * 7 }}"
TABLE = Table(
    HOSTILE,
    (TableColumn(HOSTILE, help=HOSTILE), TableColumn("SR", CellFormat.PERCENT)),
    ((HOSTILE, 0.5), ("b", None)),
    HOSTILE,
)
CHART = Chart(HOSTILE, ChartKind.BARS, HOSTILE, HOSTILE, (ChartSeries(HOSTILE, (ChartPoint(HOSTILE, 1.0),)),))


def render(*blocks: Block) -> html.HtmlElement:
    return html.fragment_fromstring(section_html(Section("one", "One", blocks)))


def test_every_kind_of_block_is_escaped() -> None:
    picture = Picture("0" * 64, HOSTILE, HOSTILE)
    markup = section_html(
        Section("one", HOSTILE, (Paragraph(HOSTILE), TABLE, CHART, picture, Details(HOSTILE, (TABLE,)))),
        lambda _picture: "data:," + HOSTILE.replace("\u202e", ""),
    )
    page = html.fragment_fromstring(markup)
    assert page.xpath("//script") == []
    assert [image.get("src")[:6] for image in page.xpath("//img")] == ["data:,"]
    assert page.xpath("//@onerror") == []
    assert page.xpath("//@style") == []
    assert "\u202e" not in markup
    assert "49" not in page.xpath("string(p)")


def test_the_address_of_a_picture_is_whole() -> None:
    address = f"data:image/webp;base64,{'A' * 100_000}=="
    page = html.fragment_fromstring(
        section_html(Section("one", "One", (Picture("0" * 64, "x"),)), lambda _picture: address)
    )
    assert page.xpath("//img/@src") == [address]


def test_a_table_has_headings_and_a_caption() -> None:
    page = render(TABLE)
    assert page.xpath("count(//th[@scope='col'])") == 2
    assert page.xpath("//td/text()") == ["50.0%", "–"]
    assert page.xpath("count(//caption)") == 1


def test_the_pictures_of_a_row_are_next_to_its_heading() -> None:
    shot = Picture("0" * 64, HOSTILE, HOSTILE)
    table = Table("t", TABLE.columns, TABLE.rows, pictures=((shot, Picture("1" * 64, "gone")), ()))
    markup = section_html(
        Section("one", "One", (table,)), lambda picture: None if picture.alt == "gone" else "/image/0.png"
    )
    page = html.fragment_fromstring(markup)
    assert page.xpath("//thead//th[2]/text()") == ["Screens"]
    first, second = page.xpath("//tbody/tr")
    assert first.xpath("*[2]//img/@src") == ["/image/0.png"]
    assert "Picture missing" in first.xpath("string(*[2])")
    assert second.xpath("count(*[2]//figure)") == 0
    assert page.xpath("//script") == [] and page.xpath("//@onerror") == []
    assert "Screens" not in render(table).text_content()  # a page without a store has no such column
    with pytest.raises(ValueError, match="2 rows need as many lists of pictures"):
        Table("t", TABLE.columns, TABLE.rows, pictures=((shot,),))


def test_a_chart_stands_above_its_table() -> None:
    page = render(CHART)
    assert page.xpath("count(//figure//svg)") == 2
    assert page.xpath("count(//figure/details//tbody/tr)") == 1


def test_what_is_missing_is_said() -> None:
    empty_chart = Chart("c", ChartKind.LINES, "x", "y", ())
    page = render(Table("t", (TableColumn("a"),), ()), empty_chart, Picture("0" * 64, "the last screen"))
    text = page.text_content()
    assert "t: no rows." in text
    assert "There is no value to plot." in text
    assert "Picture missing: the last screen" in text
    assert "There is nothing to report here." in render().text_content()
