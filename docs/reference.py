"""Build the API reference, ``build/reference/garabench.html``, from the docstrings of the public names.

Run it by ``make docs``. Every warning is an error, so that a docstring that cannot be rendered fails.
"""

import sys
import warnings
from pathlib import Path

import pdoc
import pdoc.doc_ast

import garabench
import garabench.core.condition


def build(folder: Path) -> None:
    """Write the reference into a folder."""
    for name in garabench.__all__:
        # The names are loaded when they are first used, and pdoc lists what a module holds already.
        setattr(garabench, name, getattr(garabench, name))
    # Type aliases have no docstrings at run time; pdoc looks for them in the source of the public module.
    conditions = pdoc.doc_ast.walk_tree(garabench.core.condition).var_docstrings
    pdoc.doc_ast.walk_tree(garabench).var_docstrings["Condition"] = conditions["Condition"]
    pdoc.render.configure(docformat="google", search=False)
    # Only the public names, and the actions, which are a module; the other packages are internal.
    pdoc.pdoc("garabench", r"!garabench\..*", "garabench.core.action", output_directory=folder)


if __name__ == "__main__":
    warnings.simplefilter("error")
    build(Path(sys.argv[1]))
