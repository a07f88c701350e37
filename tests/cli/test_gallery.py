from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import html

from garabench.campaign.suite import Suite
from garabench.cli.gallery import gallery, page


def test_the_page_holds_its_pictures_and_asks_nobody_for_anything(tmp_path: Path) -> None:
    out = tmp_path / "pages" / "gallery.html"
    arguments = ["low-battery", "coupon", "--out", str(out), "--size", "1080x2400", "--width", "120"]
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


def test_what_an_interruption_says_is_escaped() -> None:
    each = Suite.load().interruptions["low-battery"]
    hostile = each.model_copy(update={"description": "<script>alert('&')</script>"})
    text = page([hostile], {each.id: []})
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_an_unknown_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    result = CliRunner().invoke(gallery, ["low-batery", "--out", str(tmp_path / "x.html")])
    assert result.exit_code != 0
    assert "low-battery" in result.output
    assert not (tmp_path / "x.html").exists()


def test_the_page_tells_what_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"
    arguments = ["low-battery", "--out", str(out), "--size", "720x1280", "--width", "120"]
    result = CliRunner().invoke(gallery, arguments)
    assert result.exit_code == 0, result.output
    tree = html.fromstring(out.read_bytes())
    assert sorted(str(picture.get("alt")) for picture in tree.iter("img")) == [
        f"low-battery: {mode}, {light}, zh, 720x1280"
        for mode in ("dual", "forced")
        for light in ("day", "night")
    ]
    said = " ".join("".join(map(str, tree.itertext())).split())
    assert "in forced mode: on 720x1280 in Chinese." in said
    assert "larger letters" not in said


@pytest.mark.parametrize("name", ["rotation", "airplane-mode"])
def test_a_system_anomaly_has_no_picture(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(gallery, [name, "--out", str(tmp_path / "x.html")])
    assert result.exit_code != 0
    assert f"'{name}' is a system anomaly, of which there is no picture" in result.output
    assert f"garabench interruptions show {name}" in result.output
    assert "Did you mean" not in result.output
