"""The calculator: a formula, its value while it is typed, and sixteen keys."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.calculator.arithmetic import MAX_LENGTH, OPERATORS, CalculationError, evaluate
from garabench.virtual.apps.settings.rows import colors
from garabench.virtual.kit.framework import Activity, App
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.kit.state import no_state
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

PACKAGE = "com.android.calculator2"
MAIN = f"{PACKAGE}.Calculator"
_KEYS = ("789÷", "456×", "123−", "0.=+")
_IDS = {
    **{str(digit): f"digit_{digit}" for digit in range(10)},
    **{"÷": "op_div", "×": "op_mul", "−": "op_sub", "+": "op_add", "=": "eq", ".": "dec_point"},
}


class CalculatorActivity(Activity):
    """The calculator."""

    filters = (
        IntentFilter(("android.intent.action.MAIN",), (DEFAULT, "android.intent.category.APP_CALCULATOR")),
    )

    def on_create(self) -> None:
        self.formula = ""
        self.error = ""
        self.done = False

    def build(self) -> Widget:
        palette = colors(self.ctx)
        self.status_bar = palette.page
        return Column(
            width=MATCH,
            height=MATCH,
            background=palette.page,
            children=[
                Text(
                    id="formula",
                    text=self.formula,
                    size=44,
                    color=palette.ink,
                    width=MATCH,
                    align=Align.END,
                    padding=insets(24, 40, 24, 8),
                ),
                Text(
                    id="result",
                    text=self.error or self._preview(),
                    size=30,
                    color=palette.grey,
                    width=MATCH,
                    align=Align.END,
                    padding=insets(24, 8, 24, 16),
                ),
                spacer(),
                Row(
                    width=MATCH,
                    padding=insets(12, 0),
                    gap=8,
                    children=[
                        self._key("AC", "clr", self.ctx.t("清除", "clear"), self._clear),
                        Icon(
                            name="backspace",
                            id="del",
                            desc=self.ctx.t("删除", "delete"),
                            color=palette.ink,
                            weight=1,
                            height=64,
                            radius=32,
                            padding=insets(0, 20),
                            background=palette.card,
                            on_click=self._delete,
                        ),
                    ],
                ),
                *(
                    Row(
                        width=MATCH,
                        padding=insets(12, 4),
                        gap=8,
                        children=[self._key(key, _IDS[key], "", partial(self._press, key)) for key in row],
                    )
                    for row in _KEYS
                ),
                Widget(height=16, important=False),
            ],
        )

    def _key(self, text: str, name: str, desc: str, press: Handler) -> Widget:
        palette = colors(self.ctx)
        strong = text == "="
        return Button(
            id=name,
            text=text,
            desc=desc,
            size=24,
            weight=1,
            height=64,
            radius=32,
            color=palette.on_accent if strong else palette.ink,
            background=palette.accent if strong else palette.card,
            on_click=press,
        )

    def _preview(self) -> str:
        """Return the value of an unfinished formula; empty for a number alone."""
        if self.done or not any(sign in self.formula[1:] for sign in OPERATORS):
            return ""
        try:
            return evaluate(self.formula)
        except CalculationError:
            return ""

    def _press(self, key: str) -> None:
        self.error = ""
        if key == "=":
            self._equals()
            return
        if self.done and key not in OPERATORS:
            self.formula = ""
        self.done = False
        last = self.formula[-1:]
        if key in OPERATORS and last in OPERATORS and (key != "−" or last == "−"):
            self.formula = self.formula[:-1]
        if key in OPERATORS and not self.formula and key != "−":
            return
        number = self.formula
        for sign in OPERATORS:
            number = number.rpartition(sign)[2]
        if (key == "." and "." in number) or len(self.formula) >= MAX_LENGTH:
            return
        self.formula += key

    def _equals(self) -> None:
        if not self.formula:
            return
        try:
            self.formula, self.done = evaluate(self.formula), True
        except CalculationError:
            zero = "÷0" in self.formula
            self.error = (
                self.ctx.t("不能除以零", "Can't divide by zero")
                if zero
                else self.ctx.t("格式错误", "Bad expression")
            )

    def _clear(self) -> None:
        self.formula, self.error, self.done = "", "", False

    def _delete(self) -> None:
        self.error, self.done = "", False
        self.formula = self.formula[:-1]


APP = App(
    package=PACKAGE,
    label={"zh": "计算器", "en": "Calculator"},
    activities={MAIN: CalculatorActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="calculator",
    icon_color="#5F6368",
    icon_glyph="icon:calculator",
    system=True,
    state=no_state,
    apk_path="/product/app/ExactCalculator/ExactCalculator.apk",
)
