"""The shell's syntax tree (POSIX.1-2017 Shell Command Language; mksh's ``[[``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text; quoted text is neither split nor a pattern."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class ParameterExpansion:
    """``$name`` or ``${name…}``.

    Attributes:
        name: A variable, a digit, or one of ``? # @ * $ ! -``.
        operator: Empty, or one of ``:- - := = :+ + :? ? # ## % %% / // /# /% : @``.
        argument: The word after the operator.
        replacement: The word after the second slash of ``/`` and ``//``, or colon of ``:``.
        length: Whether it is ``${#name}``.
        quoted: Whether it is in double quotes.
        subscript: The subscript of an array's element; ``@`` or ``*`` for all; None without one.
        indices: Whether it is ``${!name[@]}``, the indices of an array.
    """

    name: str
    operator: str = ""
    argument: Word | None = None
    replacement: Word | None = None
    length: bool = False
    quoted: bool = False
    subscript: Word | None = None
    indices: bool = False

    @property
    def listed(self) -> bool:
        """Whether it expands to several fields: all arguments, or all elements of an array."""
        if self.subscript is not None:
            return self.subscript.bare in ("@", "*")
        return self.name in ("@", "*")

    @property
    def starred(self) -> bool:
        """Whether it joins its fields within double quotes."""
        return self.name == "*" or (self.subscript is not None and self.subscript.bare == "*")


@dataclass(frozen=True, slots=True)
class CommandSubstitution:
    """``$(…)`` or backquotes.

    Attributes:
        script: The commands.
        quoted: Whether it is in double quotes.
        kind: Empty; ``group`` for ``${ …;}`` and ``value`` for ``${|…;}``, which run in the same shell.
    """

    script: CommandList
    quoted: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ArithmeticExpansion:
    """``$((…))``; its text is expanded first."""

    expression: Word
    quoted: bool = False


Part = Literal | ParameterExpansion | CommandSubstitution | ArithmeticExpansion


@dataclass(frozen=True, slots=True)
class Word:
    """A word, made of adjacent parts."""

    parts: tuple[Part, ...] = ()

    @property
    def bare(self) -> str | None:
        """Its text if all of it is unquoted and literal, as in reserved words; else None."""
        if all(isinstance(part, Literal) and not part.quoted for part in self.parts):
            return "".join(part.text for part in self.parts if isinstance(part, Literal))
        return None


@dataclass(frozen=True, slots=True)
class Redirection:
    """A redirection of a file descriptor.

    Attributes:
        fd: File descriptor.
        operator: ``<``, ``>``, ``>>``, ``<&``, ``>&`` or ``<<`` (here-document and here-string).
        target: A file, a descriptor, or the text of the here-document.
    """

    fd: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``, ``name[subscript]=value`` or ``name=(values)``.

    Attributes:
        name: The variable.
        value: The value; for an array None.
        values: The values of an array.
        subscript: The subscript of an element, or None.
        appends: Whether it is ``+=``.
    """

    name: str
    value: Word | None = None
    values: tuple[Word, ...] = ()
    subscript: Word | None = None
    appends: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is ``name=value``, which may precede a command."""
        return self.value is not None and self.subscript is None and not self.appends


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """Assignments, words and redirections."""

    assignments: tuple[Assignment, ...] = ()
    words: tuple[Word, ...] = ()
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """``{ …; }``, or with `subshell` ``( … )``."""

    body: CommandList
    subshell: bool = False
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class IfClause:
    """``if … then … elif … else … fi``."""

    branches: tuple[tuple[CommandList, CommandList], ...]
    otherwise: CommandList | None = None
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class WhileClause:
    """``while`` (or with `until` its opposite)."""

    condition: CommandList
    body: CommandList
    until: bool = False
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class ForClause:
    """``for name in words``; without ``in`` over the arguments; `menu` for ``select``."""

    name: str
    words: tuple[Word, ...] | None
    body: CommandList
    redirections: tuple[Redirection, ...] = ()
    menu: bool = False


@dataclass(frozen=True, slots=True)
class CaseClause:
    """``case word in pattern) … ;; esac``; each arm ends with ``;;``, ``;&`` or ``;|``."""

    word: Word
    arms: tuple[tuple[tuple[Word, ...], CommandList, str], ...]
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionalCommand:
    """``[[ … ]]``: words, and the operators between them."""

    items: tuple[Word | str, ...]
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """``name() { …; }``; `text` is as it was typed."""

    name: str
    body: Command
    text: str = ""


Command = (
    SimpleCommand
    | CommandGroup
    | IfClause
    | WhileClause
    | ForClause
    | CaseClause
    | ConditionalCommand
    | FunctionDefinition
)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands connected by pipes; `negated` by ``!``."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOrList:
    """Pipelines joined by ``&&`` and ``||``; the first one's operator is empty.

    Attributes:
        background: Whether it ends with ``&``.
        text: The list as it was typed, of one that ends with ``&``.
    """

    pipelines: tuple[tuple[str, Pipeline], ...]
    background: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class CommandList:
    """A list of commands."""

    items: tuple[AndOrList, ...] = ()
