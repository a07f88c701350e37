"""The choice of a dialog's button: the one that changes nothing, or the one that confirms."""

from __future__ import annotations

import pytest

from garabench.agents.heuristic import dialog_detection
from garabench.agents.heuristic.screen import ScreenContents, screen_contents
from tests.agents.heuristic.worlds import SCREEN, Line, Page, World


def dialog(*buttons: str, package: str = "org.other", field: bool = False) -> ScreenContents:
    lines = (*(Line(text) for text in buttons), *((Line("名字", field=True),) if field else ()))
    return screen_contents(World({"home": Page(lines, message="真的吗？", package=package)}).tree(), SCREEN)


@pytest.mark.parametrize(
    ("buttons", "quiet"),
    [
        (("取消", "确定"), "取消"),
        (("确定", "取消"), "取消"),
        (("立即升级", "下次再说"), "下次再说"),
        (("Upgrade", "No thanks"), "No thanks"),
        (("Keep both", "Switch now"), "Keep both"),
        (("前往查看", "残忍拒绝"), "残忍拒绝"),
        (("打开蓝牙", "保持原样"), "保持原样"),
        (("OK",), "OK"),
        (("去开启",), "去开启"),
    ],
)
def test_the_declining_button_is_found(buttons: tuple[str, ...], quiet: str) -> None:
    screen = dialog(*buttons)
    assert dialog_detection.is_dialog(screen)
    assert dialog_detection.is_prompt(screen)
    found = dialog_detection.leave(screen.items)
    assert found is not None
    assert found.labels[0].plain == quiet.casefold().replace(" ", "")


@pytest.mark.parametrize(("buttons", "yes"), [(("取消", "删除"), "删除"), (("Cancel", "Delete"), "delete")])
def test_the_confirming_button_is_found(buttons: tuple[str, ...], yes: str) -> None:
    found = dialog_detection.agree(dialog(*buttons).items)
    assert found is not None
    assert found.labels[0].plain == yes


def test_an_unknown_button_does_not_confirm() -> None:
    assert dialog_detection.agree(dialog("甲", "乙").items) is None


def test_a_window_with_a_field_or_many_buttons_is_not_a_dialog() -> None:
    assert not dialog_detection.is_dialog(dialog("取消", field=True))
    assert not dialog_detection.is_dialog(dialog(*"一二三四五六七"))
    whole = screen_contents(World({"home": Page((Line("一"),))}).tree(), SCREEN)
    assert not dialog_detection.is_dialog(whole)
    assert dialog_detection.leave(()) is None
