"""Observations and briefs for tests of model agents."""

from __future__ import annotations

from garabench.agents.interface import Brief
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import parse_tree
from tests.testing.images import make_image

SCREEN = Size(1080, 2400)
TREE = (
    "<hierarchy rotation='0'><node index='0' text='' class='android.widget.FrameLayout' package='com.x' "
    "bounds='[0,0][1080,2400]'><node index='0' text='Search' resource-id='com.x:id/search' "
    "class='android.widget.Button' package='com.x' clickable='true' bounds='[100,200][500,300]'/>"
    "</node></hierarchy>"
)
PNG = make_image(SCREEN.width, SCREEN.height)
BRIEF = Brief("Search for rice.", "en", "com.x", 15, SCREEN, 7)


def observation(step: int = 0, png: bytes = PNG) -> Observation:
    return Observation(
        step=step,
        tree=parse_tree(TREE),
        screenshot=Screenshot(png, SCREEN),
        focus=Focus("com.x", "com.x.Main"),
        source=TreeSource.U2,
        source_reason="",
        elapsed=1.0,
        screen=SCREEN,
    )
