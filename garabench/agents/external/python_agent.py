"""Agents that are Python classes: ``module:Class``, or a name of the entry point group ``garabench.agents``.

A class is loaded and checked before a run begins; each episode gets a new object.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import re
import sys
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError

from garabench.agents.agent_name import AgentName
from garabench.agents.context import AgentContext
from garabench.agents.external.isolated import IsolatedAgent
from garabench.agents.interface import Agent
from garabench.core.suggestions import did_you_mean, nearest
from garabench.errors import InputError

GROUP = "garabench.agents"
FORM = "module:Class"
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_METHODS: Mapping[str, tuple[str, ...]] = {
    "start": ("brief",),
    "decide": ("observation", "history"),
    "close": (),
}


def installed() -> tuple[tuple[str, str], ...]:
    """Return the agents of installed packages: name and ``module:Class`` of each entry point."""
    points = importlib.metadata.entry_points(group=GROUP)
    return tuple(sorted({point.name: point.value for point in points}.items()))


def is_class_name(base: str) -> bool:
    """Return whether a name has the form ``module:Class``."""
    return _NAME.fullmatch(base) is not None


def build(named: AgentName) -> Callable[[AgentContext], Agent]:
    """Load a class and check that it implements an agent.

    Args:
        named: ``module:Class`` or the name of an entry point; its options are the keyword arguments.

    Raises:
        InputError: It cannot be imported, it is not an agent class, or it does not take these options.
    """
    target = dict(installed()).get(named.base, named.base)
    cls = _load(target)
    _check_methods(cls, target)
    arguments = _arguments(cls, named, target)

    def make(context: AgentContext) -> Agent:
        return IsolatedAgent(lambda: cls(**arguments), context)

    return make


def _load(target: str) -> type:
    module_name, _, path = target.partition(":")
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last, so that local files do not shadow installed modules
    importlib.invalidate_caches()
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # importing an external agent may raise anything
        raise _not_imported(module_name, target, error) from error
    for part in path.split("."):
        if not hasattr(found, part):
            names = [name for name, value in vars(found).items() if isinstance(value, type)]
            raise InputError(f"{target}: {found.__name__} has no {part!r}", hint=did_you_mean(part, names))
        found = getattr(found, part)
    if not isinstance(found, type):
        raise InputError(f"{target} is not a class but {type(found).__name__}")
    return found


def _not_imported(module: str, target: str, error: BaseException) -> InputError:
    if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
        near = nearest(module, [path.stem for path in Path.cwd().glob("*.py")])
        return InputError(
            f"{target}: no module {error.name!r} is installed or in this folder",
            hint=f"Did you mean {near!r}?" if near else "",
        )
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return InputError(f"{target}: {module} cannot be imported ({reason})")


def _check_methods(cls: type, target: str) -> None:
    for name, arguments in _METHODS.items():
        method = getattr(cls, name, None)
        signature = f"{name}({', '.join(('self', *arguments))})"
        if not callable(method):
            raise InputError(
                f"{target} is not an agent: it has no method {signature}",
                hint="docs/bring-your-agent.md shows one.",
            )
        if inspect.iscoroutinefunction(method):
            raise InputError(
                f"{target} is not an agent: {name} is a coroutine", hint="Run the event loop inside it."
            )
        try:
            inspect.signature(method).bind(None, *arguments)
        except TypeError as error:
            raise InputError(
                f"{target} is not an agent: the signature of {name} is not {signature} ({error})"
            ) from error
    if inspect.isabstract(cls):
        raise InputError(f"{target} is abstract and cannot be instantiated")


def _arguments(cls: type, named: AgentName, target: str) -> dict[str, Any]:
    """Return the keyword arguments, converted to the annotated types of the parameters."""
    parameters = inspect.signature(cls).parameters
    accepted = {
        name: each
        for name, each in parameters.items()
        if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    }
    accepts_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    hints = _hints(cls)
    found: dict[str, Any] = {}
    for key, value in named.options.items():
        if key not in accepted and not accepts_any:
            raise InputError(f"{target} has no option {key!r}", hint=did_you_mean(key, accepted))
        found[key] = _converted(value, _type_of(accepted.get(key), hints.get(key)), f"{target}?{key}")
    missing = [name for name, each in accepted.items() if each.default is each.empty and name not in found]
    if missing:
        raise InputError(
            f"{target} requires {', '.join(missing)}", hint=f"Write {named.base}?{missing[0]}=…."
        )
    return found


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls.__init__)  # type: ignore[misc]  # inspected, not called
    except (NameError, TypeError):
        return {}  # annotations that cannot be evaluated at run time


def _type_of(parameter: inspect.Parameter | None, hint: Any) -> Any:
    if hint is not None:
        return hint
    if parameter is not None and isinstance(parameter.default, bool | int | float):
        return type(parameter.default)
    return str


def _converted(value: str, annotation: Any, option: str) -> Any:
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    except PydanticSchemaGenerationError:
        return value  # a custom type; pass the string
    try:
        return adapter.validate_strings(value)
    except ValidationError as error:
        message = error.errors(include_url=False)[0]["msg"]
        raise InputError(f"{option}: invalid value {value!r}: {message}") from error
