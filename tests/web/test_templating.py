from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from garabench.web.templating import static_text, template_environment


def test_values_are_escaped_and_made_visible() -> None:
    template = template_environment("garabench.web").from_string("{{ text }}|{{ number }}")
    assert template.render(text="<b>\u202e", number=1) == "&lt;b&gt;‹U+202E›|1"


def test_undefined_names_are_refused() -> None:
    with pytest.raises(UndefinedError):
        template_environment("garabench.web").from_string("{{ missing }}").render()


def test_static_files_are_found() -> None:
    assert "--series-1" in static_text("garabench.web", "base.css")
