from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import html

from garabench.cli.interruptions_gallery import gallery
from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.screens.anomaly_shots import AnomalyShot, AnomalyView, GalleryAnomaly
from garabench.screens.gallery_page import gallery_page
from tests.bundled import bundled_suite

pytestmark = pytest.mark.usefixtures("adb_server")


def test_page_embeds_its_pictures_and_loads_nothing(tmp_path: Path) -> None:
    out = tmp_path / "pages" / "gallery.html"
    arguments = ["low-battery", "coupon", "--out", str(out), "--screen", "1080x2400", "--width", "120"]
    result = CliRunner().invoke(gallery, arguments)
    assert result.exit_code == 0, result.output
    tree = html.fromstring(out.read_bytes())
    assert [section.get("id") for section in tree.iter("section")] == ["low-battery", "coupon"]
    pictures = list(tree.iter("img"))
    assert len(pictures) > 15
    assert all(str(picture.get("src")).startswith("data:image/jpeg;base64,") for picture in pictures)
    assert all(picture.get("alt") for picture in pictures)
    assert not list(tree.iter("script", "link", "iframe"))
    assert f"{len(pictures)} pictures of 2 interruptions" in result.output


def test_texts_are_escaped() -> None:
    each = bundled_suite().interruptions["low-battery"]
    hostile = each.model_copy(update={"description": "<script>alert('&')</script>"})
    text = gallery_page([hostile], {each.id: []})
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_unknown_name_is_reported_with_the_nearest(tmp_path: Path) -> None:
    result = CliRunner().invoke(gallery, ["low-batery", "--out", str(tmp_path / "x.html")])
    assert result.exit_code != 0
    assert "low-battery" in result.output
    assert not (tmp_path / "x.html").exists()


def test_page_describes_its_pictures(tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"
    arguments = ["location-permission", "--out", str(out), "--screen", "720x1280", "--width", "120"]
    result = CliRunner().invoke(gallery, arguments)
    assert result.exit_code == 0, result.output
    tree = html.fromstring(out.read_bytes())
    assert sorted(str(picture.get("alt")) for picture in tree.iter("img")) == [
        f"location-permission: {mode}, {theme}, zh, 720x1280"
        for mode in ("dual", "forced")
        for theme in ("day", "night")
    ]
    text = " ".join("".join(map(str, tree.itertext())).split())
    assert "in forced mode: on 720x1280 in Chinese." in text
    assert "large font" not in text


def test_right_to_left_texts_have_their_own_row(tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"
    arguments = ["low-battery", "--out", str(out), "--screen", "1080x2400", "--width", "120"]
    assert CliRunner().invoke(gallery, arguments).exit_code == 0
    tree = html.fromstring(out.read_bytes())
    (row,) = tree.xpath("//h3[text()='Right to left']/following-sibling::div[1]")
    shown = {tuple(str(picture.get("alt")).split(", ")[1:3]) for picture in row.iter("img")}
    assert shown == {(theme, language) for theme in ("day", "night") for language in ("ar", "he")}
    assert "Some are also in Arabic and Hebrew." in tree.text_content()


def test_anomaly_is_shown_by_pictures_or_in_words() -> None:
    crash = GalleryAnomaly("my-crash", ANOMALIES["crash"], "", "Lets <it> crash")
    shots = [
        AnomalyShot("my-crash", AnomalyView(), b"jpeg", 120, 260, value="90"),
        AnomalyShot("my-crash", AnomalyView(dark=True), problem="Not in effect: a & b"),
    ]
    tree = html.fromstring(gallery_page([], {}, [crash], {"my-crash": shots}))
    (section,) = tree.iter("section")
    assert section.get("id") == "my-crash"
    (picture,) = section.iter("img")
    assert picture.get("alt") == "my-crash: day, zh, 1080x2400, 90"
    text = section.text_content()
    assert "Lets <it> crash" in text
    assert "Not in effect: a & b (night, zh, 1080x2400)" in text
    assert "It leaves the crash in Android's records" in text


def test_full_page_lists_unavailable_anomalies() -> None:
    text = html.fromstring(gallery_page([], {}, everything=True)).text_content()
    assert all(name in text for name in NOT_OFFERED)


@pytest.mark.e2e
def test_anomalies_are_performed_on_a_virtual_phone(adb_server: None, tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"
    names = ["crash", "rotation", "permission-taken", "network-delay"]
    result = CliRunner().invoke(
        gallery, [*names, "--out", str(out), "--screen", "720x1280", "--width", "120"]
    )
    assert result.exit_code == 0, result.output
    assert "6 pictures of 4 system anomalies" in result.output
    tree = html.fromstring(out.read_bytes())
    pictures = {str(picture.get("alt")): picture for picture in tree.iter("img")}
    assert {alt.partition(":")[0] for alt in pictures} == {"crash", "rotation", "permission-taken"}
    assert len({picture.get("src") for picture in pictures.values()}) == len(pictures)
    landscape = pictures["rotation: day, zh, 720x1280, 90"]
    assert int(str(landscape.get("width"))) > int(str(landscape.get("height")))
    (delay,) = tree.xpath("//section[@id='network-delay']")
    assert "It does not change the screen." in delay.text_content()
