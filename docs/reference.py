"""Build the API reference, ``build/reference/garabench.html``, from the docstrings of the public names.

It has the public names, the actions, and every class of the package that a documented signature mentions. Run
it by ``make docs``. Every warning is an error, so that a docstring that cannot be rendered fails.
"""

import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pdoc
import pdoc.doc
import pdoc.doc_ast

import garabench
import garabench.core.condition

_IO_MODULES = {
    "garabench.device.adb",
    "garabench.device.logs",
    "garabench.device.u2_client",
}
"""The device's connections, which are internal although they are attributes of `garabench.Device`."""
_PATH = re.compile(r"garabench(?:\.\w+)+")


def build(folder: Path) -> None:
    """Write the reference into a folder."""
    for name in garabench.__all__:
        # The names are loaded when they are first used, and pdoc lists what a module holds already.
        setattr(garabench, name, getattr(garabench, name))
    # Type aliases have no docstrings at run time; pdoc looks for them in the source of the public module.
    conditions = pdoc.doc_ast.walk_tree(garabench.core.condition).var_docstrings
    pdoc.doc_ast.walk_tree(garabench).var_docstrings["Condition"] = conditions["Condition"]
    pdoc.render.configure(docformat="google", search=False)
    modules = _list_mentioned_classes()
    # Only the public names, the actions, and the listed classes; the rest of the packages is internal.
    pdoc.pdoc("garabench", r"!garabench\..*", "garabench.core.action", *modules, output_directory=folder)


def _list_mentioned_classes() -> list[str]:
    """Let each module list only its classes that signatures mention, and return the modules' names."""
    pending: list[pdoc.doc.Doc[Any]] = [pdoc.doc.Module(garabench), pdoc.doc.Module(garabench.actions)]
    public = [getattr(garabench, name) for name in garabench.__all__] + list(vars(garabench.actions).values())
    seen = {each for each in public if isinstance(each, type)}
    names: dict[str, set[str]] = {}
    while pending:
        for path in _mentioned_paths(pending.pop()):
            found = _load_class(path)
            if found is not None and found not in seen:
                seen.add(found)
                names.setdefault(found.__module__, set()).add(found.__qualname__)
                pending.append(pdoc.doc.Class(found.__module__, found.__qualname__, found, ("", "")))
    for module, classes in names.items():
        vars(importlib.import_module(module))["__all__"] = sorted(classes)
    return sorted(names)


def _mentioned_paths(doc: pdoc.doc.Doc[Any]) -> Iterator[str]:
    """Yield the paths of the package in the annotations of what pdoc shows of a module or a class."""
    if isinstance(doc, pdoc.doc.Namespace):
        for member in doc.members.values():
            if not member.name.startswith("_") or member.name == "__init__":
                yield from _mentioned_paths(member)
        if isinstance(doc, pdoc.doc.Class):
            yield from (f"{module}.{name}" for module, name, _ in doc.bases)
    elif isinstance(doc, pdoc.doc.Function):
        yield from _PATH.findall(str(doc.signature))
    elif isinstance(doc, pdoc.doc.Variable):
        yield from _PATH.findall(doc.annotation_str)


def _load_class(path: str) -> type | None:
    """Return the package's class at a path; None if it is something else."""
    module, _, name = path.rpartition(".")
    if module in _IO_MODULES:
        return None
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None
    if not isinstance(found, type) or not found.__module__.startswith("garabench."):
        return None
    return found if "." not in found.__qualname__ else None


if __name__ == "__main__":
    warnings.simplefilter("error")
    build(Path(sys.argv[1]))
