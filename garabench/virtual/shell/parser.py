"""The recursive-descent parser, from scripts to `nodes`."""

from __future__ import annotations

import re
from functools import lru_cache

from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.lexer import ShellLexer, ShellSyntaxError

RESERVED = frozenset(
    {
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "while",
        "until",
        "do",
        "done",
        "for",
        "in",
        "case",
        "esac",
        "select",
        "function",
        "time",
        "[[",
        "{",
        "}",
        "!",
    }
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)\+?=")
_ELEMENT, _ELEMENT_END = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)\["), re.compile(r"\]\+?=")
_ARM_ENDS = (";;", ";&", ";|")
_ENDS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})


@lru_cache(maxsize=64)  # tools send the same lines again and again
def parse_script(text: str) -> n.CommandList:
    """Parse a script.

    Raises:
        ShellSyntaxError: The script has a syntax error.
    """
    parser = ShellParser(ShellLexer(text))
    script = parser.script()
    if not parser.lexer.at_end:
        raise ShellSyntaxError(f"unexpected {parser.describe_next()!r}")
    return script


class ShellParser:
    """Parses a script; a command substitution gets another parser over the same text."""

    def __init__(self, lexer: ShellLexer, *, braced: bool = False) -> None:
        """Start to parse at the lexer's position.

        Args:
            lexer: The text.
            braced: Whether the script ends at a ``}`` that may have text after it (``${ …;}``).
        """
        self.lexer = lexer
        self._braced = braced
        lexer.substitute = self._substitution

    def _substitution(self, lexer: ShellLexer, quoted: bool, closing: str) -> n.CommandSubstitution:
        inner = ShellParser(lexer, braced=closing == "}")
        script = inner.script()
        if closing == "}":
            if not lexer.take_text("}"):
                raise ShellSyntaxError("no closing quote")
        elif lexer.take_operator(")") is None:
            raise ShellSyntaxError("no closing quote")
        return n.CommandSubstitution(script, quoted)

    def describe_next(self) -> str:
        """Describe the next token for an error message."""
        operator = self.lexer.peek_operator()
        if operator is not None:
            return "newline" if operator == "\n" else operator
        word = self.lexer.peek_bare()
        return word or "EOF"

    def _fail(self) -> ShellSyntaxError:
        return ShellSyntaxError(
            f"unexpected {self.describe_next()!r}" if not self.lexer.at_end else "unexpected EOF"
        )

    def _newlines(self) -> None:
        while self.lexer.take_operator("\n") is not None:
            pass

    def _word_is(self, *words: str) -> bool:
        return self.lexer.peek_operator() is None and self.lexer.peek_bare() in words

    def _expect(self, word: str) -> None:
        if not self._word_is(word):
            raise self._fail()
        self.lexer.word()

    def script(self) -> n.CommandList:
        """Parse a list up to the end, a closing word, ``)`` or ``;;``."""
        items: list[n.AndOrList] = []
        self._newlines()
        while not self._at_list_end():
            start = self.lexer.at
            item = self._and_or()
            text = self.lexer.text[start : self.lexer.at].strip()
            separator = self.lexer.take_operator("&", ";", "\n")
            background = separator == "&"
            items.append(n.AndOrList(item, background, text if background else ""))
            self._newlines()
            if separator is None:
                break
        return n.CommandList(tuple(items))

    def _at_list_end(self) -> bool:
        if self.lexer.at_end or self.lexer.peek_operator() in (")", *_ARM_ENDS):
            return True
        return self._word_is(*_ENDS) or (self._braced and self.lexer.text.startswith("}", self.lexer.at))

    def _body(self) -> n.CommandList:
        script = self.script()
        if not script.items:
            raise self._fail()
        return script

    def _and_or(self) -> tuple[tuple[str, n.Pipeline], ...]:
        found: list[tuple[str, n.Pipeline]] = [("", self._pipeline())]
        while (operator := self.lexer.take_operator("&&", "||")) is not None:
            self._newlines()
            found.append((operator, self._pipeline()))
        return tuple(found)

    def _pipeline(self) -> n.Pipeline:
        negated = False
        while self._word_is("!"):
            self.lexer.word()
            negated = not negated
        commands = [self._command()]
        while self.lexer.take_operator("|") is not None:
            self._newlines()
            commands.append(self._command())
        return n.Pipeline(tuple(commands), negated)

    def _command(self) -> n.Command:
        expression = self.lexer.arithmetic_command()
        if expression is not None:  # ``((…))`` is the same as ``let "…"``
            words = (n.Word((n.Literal("let"),)), expression)
            return n.SimpleCommand((), words, self._redirections())
        if self.lexer.take_operator("(") is not None:
            body = self._body()
            if self.lexer.take_operator(")") is None:
                raise self._fail()
            return n.CommandGroup(body, True, self._redirections())
        match self.lexer.peek_bare() if self.lexer.peek_operator() is None else None:
            case "{":
                self.lexer.word()
                body = self._body()
                self._expect("}")
                return n.CommandGroup(body, False, self._redirections())
            case "if":
                return self._if()
            case "while" | "until" as word:
                self.lexer.word()
                condition = self._body()
                return n.WhileClause(condition, self._do(), word == "until", self._redirections())
            case "for":
                return self._for()
            case "select":
                return self._for(menu=True)
            case "case":
                return self._case()
            case "[[":
                return self._conditional()
            case "function":
                return self._function_word()
            case word if word in _ENDS:
                raise self._fail()
        return self._simple()

    def _do(self) -> n.CommandList:
        if self._word_is("{"):
            self.lexer.word()
            body = self._body()
            self._expect("}")
            return body
        self._expect("do")
        body = self._body()
        self._expect("done")
        return body

    def _if(self) -> n.IfClause:
        branches: list[tuple[n.CommandList, n.CommandList]] = []
        otherwise = None
        self.lexer.word()
        while True:
            condition = self._body()
            self._expect("then")
            branches.append((condition, self._body()))
            if self._word_is("elif"):
                self.lexer.word()
                continue
            if self._word_is("else"):
                self.lexer.word()
                otherwise = self._body()
            self._expect("fi")
            return n.IfClause(tuple(branches), otherwise, self._redirections())

    def _for(self, *, menu: bool = False) -> n.ForClause:
        self.lexer.word()
        name = self.lexer.peek_bare() or ""
        if not _NAME.fullmatch(name):
            raise self._fail()
        self.lexer.word()
        self._newlines()
        words: list[n.Word] | None = None
        if self._word_is("in"):
            self.lexer.word()
            words = []
            while self.lexer.peek_operator() is None and not self.lexer.at_end:
                words.append(self.lexer.word())
        self.lexer.take_operator(";", "\n")
        self._newlines()
        body = self._do()
        return n.ForClause(name, None if words is None else tuple(words), body, self._redirections(), menu)

    def _case(self) -> n.CaseClause:
        self.lexer.word()
        word = self.lexer.word()
        self._newlines()
        self._expect("in")
        self._newlines()
        arms: list[tuple[tuple[n.Word, ...], n.CommandList, str]] = []
        while not self._word_is("esac"):
            if self.lexer.at_end:
                raise self._fail()
            self.lexer.take_operator("(")
            patterns = [self.lexer.word()]
            while self.lexer.take_operator("|") is not None:
                patterns.append(self.lexer.word())
            if self.lexer.take_operator(")") is None:
                raise self._fail()
            body = self.script()
            end = self.lexer.take_operator(*_ARM_ENDS)
            arms.append((tuple(patterns), body, end or ";;"))
            self._newlines()
            if end is None and not self._word_is("esac"):
                raise self._fail()
        self.lexer.word()
        return n.CaseClause(word, tuple(arms), self._redirections())

    def _conditional(self) -> n.ConditionalCommand:
        self.lexer.word()
        items: list[n.Word | str] = []
        while not self._word_is("]]"):
            operator = self.lexer.take_operator("&&", "||", "(", ")", "<", ">", "\n")
            if operator == "\n":
                continue
            if operator is not None:
                items.append(operator)
            elif self.lexer.at_end or self.lexer.peek_operator() is not None:
                raise self._fail()
            else:
                items.append(self.lexer.word())
        self.lexer.word()
        if not items:
            raise ShellSyntaxError("unexpected ']]'")
        return n.ConditionalCommand(tuple(items), self._redirections())

    def _function_word(self) -> n.Command:
        start = self.lexer.at
        self.lexer.word()
        name = self.lexer.peek_bare() or ""
        if not name:
            raise self._fail()
        self.lexer.word()
        if self.lexer.take_operator("(") is not None and self.lexer.take_operator(")") is None:
            raise self._fail()
        self._newlines()
        body = self._command()
        return n.FunctionDefinition(name, body, self.lexer.text[start : self.lexer.at].strip())

    def _values(self) -> tuple[n.Word, ...]:
        """Parse the values of an array, in parentheses."""
        self.lexer.take_operator("(")
        found: list[n.Word] = []
        while self.lexer.take_operator(")") is None:
            if self.lexer.take_operator("\n") is not None:
                continue
            if self.lexer.at_end:
                raise self._fail()
            found.append(self.lexer.word())
        return tuple(found)

    def _redirections(self) -> tuple[n.Redirection, ...]:
        found: list[n.Redirection] = []
        while (redirection := self.lexer.redirection()) is not None:
            found.append(redirection)
        return tuple(found)

    def _simple(self) -> n.Command:
        assignments: list[n.Assignment] = []
        words: list[n.Word] = []
        redirections: list[n.Redirection] = []
        start = self.lexer.at
        while not self.lexer.at_end:
            redirection = self.lexer.redirection()
            if redirection is not None:
                redirections.append(redirection)
                continue
            operator = self.lexer.peek_operator()
            if operator == "(" and len(words) == 1 and not assignments and (name := words[0].bare):
                self.lexer.take_operator("(")
                if self.lexer.take_operator(")") is None:
                    raise self._fail()
                self._newlines()
                body = self._command()
                return n.FunctionDefinition(name, body, self.lexer.text[start : self.lexer.at].strip())
            if operator is not None:
                break
            word = self.lexer.word()
            split = _assignment(word) if not words else None
            if split is not None and split.value == n.Word() and self.lexer.at_array():
                assignments.append(n.Assignment(split.name, values=self._values(), appends=split.appends))
            elif split is not None:
                assignments.append(split)
            else:
                words.append(word)
        if not assignments and not words and not redirections:
            raise self._fail()
        return n.SimpleCommand(tuple(assignments), tuple(words), tuple(redirections))


def _assignment(word: n.Word) -> n.Assignment | None:
    """Return the assignment that a word is, or None."""
    if not word.parts or not isinstance(word.parts[0], n.Literal) or word.parts[0].quoted:
        return None
    first = word.parts[0].text
    match = _ASSIGNMENT.match(first)
    if match is None:
        return _element(word)
    rest = first[match.end() :]
    head = (n.Literal(rest),) if rest else ()
    value = n.Word((*head, *word.parts[1:]))
    return n.Assignment(match["name"], value, appends=match[0].endswith("+="))


def _element(word: n.Word) -> n.Assignment | None:
    """Return the assignment ``name[subscript]=value`` that a word is, or None."""
    first = word.parts[0]
    start = _ELEMENT.match(first.text) if isinstance(first, n.Literal) else None
    if start is None or not isinstance(first, n.Literal):
        return None
    parts: list[n.Part] = [n.Literal(first.text[start.end() :]), *word.parts[1:]]
    for at, part in enumerate(parts):
        end = _ELEMENT_END.search(part.text) if isinstance(part, n.Literal) and not part.quoted else None
        if end is None or not isinstance(part, n.Literal):
            continue
        before, after = part.text[: end.start()], part.text[end.end() :]
        subscript = n.Word((*parts[:at], *((n.Literal(before),) if before else ())))
        value = n.Word((*((n.Literal(after),) if after else ()), *parts[at + 1 :]))
        return n.Assignment(start["name"], value, subscript=subscript, appends=end[0] == "]+=")
    return None
