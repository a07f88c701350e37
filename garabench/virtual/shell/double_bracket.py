"""``[[ … ]]``: conditions whose words are expanded but not split."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.shell import conditions
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.expansion import Expander
from garabench.virtual.shell.globs import regex


class DoubleBracket:
    """Recursive-descent evaluation of the items of ``[[ … ]]``."""

    def __init__(
        self, items: Sequence[n.Word | str], expander: Expander, files: conditions.FileTests
    ) -> None:
        self._items = items
        self._at = 0
        self._expander = expander
        self._files = files

    def _peek(self, ahead: int = 0) -> n.Word | str | None:
        index = self._at + ahead
        return self._items[index] if index < len(self._items) else None

    def _operator(self, ahead: int) -> str:
        item = self._peek(ahead)
        return item if isinstance(item, str) else (item.bare or "") if item is not None else ""

    async def evaluate(self) -> bool:
        """Evaluate the whole condition.

        Raises:
            ShellConditionError: The items are not a condition.
        """
        value = await self._either()
        if self._at < len(self._items):
            raise conditions.ShellConditionError("unexpected operator/operand")
        return value

    async def _either(self) -> bool:
        value = await self._both()
        while self._peek() == "||":
            self._at += 1
            other = await self._both()
            value = value or other
        return value

    async def _both(self) -> bool:
        value = await self._negated()
        while self._peek() == "&&":
            self._at += 1
            other = await self._negated()
            value = value and other
        return value

    async def _negated(self) -> bool:
        if self._operator(0) == "!":
            self._at += 1
            return not await self._negated()
        return await self._primary()

    async def _primary(self) -> bool:
        item = self._peek()
        if item == "(":
            self._at += 1
            value = await self._either()
            if self._peek() != ")":
                raise conditions.ShellConditionError("missing ')'")
            self._at += 1
            return value
        if item is None or isinstance(item, str):
            raise conditions.ShellConditionError("expression expected")
        operator, other = self._operator(1), self._peek(2)
        if conditions.is_binary(operator) and isinstance(other, n.Word):
            self._at += 3
            one = await self._expander.text(item)
            if operator in ("=", "==", "!="):
                matched = regex(await self._expander.pattern(other)).fullmatch(one) is not None
                return matched != (operator == "!=")
            return conditions.binary(one, operator, await self._expander.text(other), self._files)
        following = self._peek(1)
        if conditions.is_unary(item.bare or "") and isinstance(following, n.Word):
            self._at += 2
            return conditions.unary(item.bare or "", await self._expander.text(following), self._files)
        self._at += 1
        return bool(await self._expander.text(item))
