"""What a shell script is made of, as frozen values (POSIX.1-2017 Shell Command Language; mksh's `[[`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that stands for itself; quoted text is neither split nor a pattern."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """``$name`` or ``${name…}``.

    Attributes:
        name: A variable, a digit, or one of ``? # @ * $ ! -``.
        operator: Empty, or one of ``:- - := = :+ + :? ? # ## % %% / //``.
        argument: What stands after the operator.
        replacement: What stands after the second slash of ``/`` and ``//``.
        length: ``${#name}``.
        quoted: Stands in double quotes.
    """

    name: str
    operator: str = ""
    argument: Word | None = None
    replacement: Word | None = None
    length: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """``$(…)`` or backquotes."""

    script: Script
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``$((…))``; its text is expanded first."""

    expression: Word
    quoted: bool = False


Part = Literal | Parameter | Substitution | Arithmetic


@dataclass(frozen=True, slots=True)
class Word:
    """Parts that stand together."""

    parts: tuple[Part, ...] = ()

    @property
    def bare(self) -> str | None:
        """Its text when all of it is unquoted literal, as reserved words are; else None."""
        if all(isinstance(part, Literal) and not part.quoted for part in self.parts):
            return "".join(part.text for part in self.parts if isinstance(part, Literal))
        return None


@dataclass(frozen=True, slots=True)
class Redirection:
    """A redirection of a file descriptor.

    Attributes:
        fd: Which descriptor.
        operator: ``<``, ``>``, ``>>``, ``<&``, ``>&`` or ``<<`` (here-document and here-string).
        target: A file, a descriptor, or the text of the here-document.
    """

    fd: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments, words and redirections."""

    assignments: tuple[tuple[str, Word], ...] = ()
    words: tuple[Word, ...] = ()
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """``{ …; }``, or with `subshell` ``( … )``."""

    body: Script
    subshell: bool = False
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """``if … then … elif … else … fi``."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None = None
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """``while`` (or with `until` its opposite)."""

    condition: Script
    body: Script
    until: bool = False
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """``for name in words``; without ``in`` over the arguments."""

    name: str
    words: tuple[Word, ...] | None
    body: Script
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """``case word in pattern) … ;; esac``."""

    word: Word
    arms: tuple[tuple[tuple[Word, ...], Script], ...]
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Conditional:
    """``[[ … ]]``: words, and the operators between them."""

    items: tuple[Word | str, ...]
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """``name() { …; }``."""

    name: str
    body: Command


Command = Simple | Group | If | Loop | For | Case | Conditional | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands, each of whose output is the next one's input; `negated` by ``!``."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """Pipelines joined by ``&&`` and ``||``; the first one's operator is empty.

    Attributes:
        background: Ended by ``&``.
    """

    pipelines: tuple[tuple[str, Pipeline], ...]
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A list of commands."""

    items: tuple[Item, ...] = ()
