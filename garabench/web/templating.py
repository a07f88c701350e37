"""The environment of every template: it escapes all values, and refuses undefined names."""

from __future__ import annotations

import importlib.resources

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from garabench.web.cell_text import cell_text
from garabench.web.display_text import display_text, short_label


def template_environment(package: str) -> Environment:
    """Return an environment for the folder ``templates`` of a package.

    Args:
        package: The package, such as ``garabench.report``.
    """
    return escaping_environment(PackageLoader(package))


def escaping_environment(loader: BaseLoader) -> Environment:
    """Return an environment.

    Every text that a template prints passes `display_text` and is escaped, unless it is `Markup`.

    Args:
        loader: Finds the templates.
    """
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = cell_text
    environment.filters["label"] = short_label
    return environment


def _finalize(value: object) -> object:
    return display_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def static_text(package: str, name: str) -> Markup:
    """Return a style sheet or script of a package's folder ``static``, to stand inside a page."""
    path = importlib.resources.files(package) / "static" / name
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704  # a file of this program
