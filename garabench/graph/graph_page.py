"""The interactive page of trajectory graphs: one file that works offline."""

from __future__ import annotations

import base64
import hashlib
import json

from markupsafe import Markup

from garabench.graph.analysis import GraphAnalysis
from garabench.graph.page_data import Thumbnails, page_data
from garabench.web.templating import static_text, template_environment

_PACKAGE = "garabench.graph"
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def graph_page(
    analysis: GraphAnalysis,
    thumbnails: Thumbnails | None = None,
    width: int = 0,
    title: str = "Trajectory graphs",
) -> str:
    """Return the page as HTML.

    It contains everything that it needs: the library, its script and style, the data and the pictures. Its
    policy allows only its own scripts, by their hashes, and no request.

    Args:
        analysis: The graphs.
        thumbnails: Small screenshots, see `garabench.graph.step_thumbnails`.
        width: Their width in pixels.
        title: The page's title.
    """
    library = static_text(_PACKAGE, "cytoscape.min.js")
    model, script = (static_text(_PACKAGE, name) for name in ("graph_model.js", "graph_page.js"))
    return (
        template_environment(_PACKAGE)
        .get_template("graph_page.html")
        .render(
            title=title,
            base_css=static_text("garabench.web", "base.css"),
            page_css=static_text(_PACKAGE, "graph_page.css"),
            library=library,
            model=model,
            script=script,
            script_hashes=Markup(" ".join(map(_hash, (library, model, script)))),  # noqa: S704  # own files
            data=json_markup(page_data(analysis, thumbnails, width)),
        )
    )


def json_markup(data: object) -> Markup:
    """Return data as JSON that can stand inside a script element: nothing in it ends the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text)  # noqa: S704  # no character that is special in HTML is left


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
