from __future__ import annotations

import io

from PIL import Image, ImageStat

from garabench.core.interruption import Mode
from garabench.screens import rtl_texts
from garabench.screens.gallery import DEFAULT_SIZE, SIZES, shots, views
from garabench.virtual.apps.companion.mirror import is_right_to_left
from tests.bundled import bundled_suite

LIBRARY = bundled_suite().interruptions


def test_each_interruption_is_drawn_in_all_themes_languages_and_sizes() -> None:
    for each in LIBRARY.values():
        found = views(each)
        assert len(set(found)) == len(found)
        assert {view.dark for view in found} == {False, True}
        right = {view.language for view in found} - {"zh", "en"}
        assert right == (set(rtl_texts.RTL_LANGUAGES) if rtl_texts.has_rtl_texts(each) else set())
        forced = each.offered(Mode.FORCED) != each.offered(Mode.DUAL)
        modes = {Mode.DUAL, Mode.FORCED} if forced else {Mode.DUAL}
        for size in SIZES:
            drawn = {(view.mode, view.dark) for view in found if view.size == size}
            assert drawn == {(mode, dark) for mode in modes for dark in (False, True)}, size


def test_every_template_is_drawn_with_right_to_left_texts() -> None:
    having = [each for each in LIBRARY.values() if rtl_texts.has_rtl_texts(each)]
    assert {each.template for each in having} == {each.template for each in LIBRARY.values()}
    assert any(each.fields for each in having)
    for each in having:
        for language in rtl_texts.RTL_LANGUAGES:
            localized = rtl_texts.with_rtl_texts(each, language)
            texts = [localized.title, localized.message, *(button.label for button in localized.buttons)]
            texts += [field.hint for field in localized.fields]
            assert all(is_right_to_left(text[language]) for text in texts)
            assert len({tuple(text.values()) for text in texts}) == len(texts)
        assert rtl_texts.with_rtl_texts(each, "en") is each


def test_pictures_differ_by_the_state_of_the_phone() -> None:
    chosen = [LIBRARY["low-battery"], LIBRARY["star-rating"]]
    pictures = list(shots(chosen, width=120, sizes=[DEFAULT_SIZE]))
    expected = [view for each in chosen for view in views(each) if view.size == DEFAULT_SIZE]
    assert sorted(map(str, expected)) == sorted(str(shot.view) for shot in pictures)
    assert len({shot.jpeg for shot in pictures}) == len(pictures), "two pictures are the same"
    for shot in pictures:
        picture = Image.open(io.BytesIO(shot.jpeg))
        assert picture.size == (shot.width, shot.height)
        assert (shot.width > shot.height) == shot.view.landscape
    assert _brightness(
        [shot.jpeg for shot in pictures if shot.view.dark and not shot.view.landscape]
    ) < _brightness([shot.jpeg for shot in pictures if not shot.view.dark and not shot.view.landscape])


def _brightness(pictures: list[bytes]) -> float:
    """The mean of all pixels."""
    means = [ImageStat.Stat(Image.open(io.BytesIO(each)).convert("L")).mean[0] for each in pictures]
    return sum(means) / len(means)
