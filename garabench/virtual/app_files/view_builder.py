"""Build the widgets of a declared screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from garabench.virtual.app_files.app_model import DialogSpec, ScreenSpec
from garabench.virtual.app_files.app_steps import Steps
from garabench.virtual.app_files.app_variables import (
    AppVariables,
    Row,
    as_number,
    is_on,
    same,
    shown_rows,
    theme_of,
)
from garabench.virtual.app_files.app_widgets import (
    AppWidget,
    ButtonLook,
    ButtonWidget,
    CardWidget,
    CheckLook,
    CheckWidget,
    ColumnWidget,
    DividerWidget,
    FieldLook,
    FieldWidget,
    IconLook,
    IconWidget,
    ImageLook,
    ImageWidget,
    ListLook,
    ListWidget,
    Look,
    OptionsLook,
    OptionsWidget,
    ProgressLook,
    ProgressWidget,
    RowWidget,
    SpaceWidget,
    SwitchLook,
    SwitchWidget,
    TextLook,
    TextWidget,
)
from garabench.virtual.ui import widgets as w

MAX_WIDGETS = 5_000
"""Maximum number of widgets on one screen."""
_BAR_DP, _TAB_BAR_DP, _TOUCH_DP, _DIALOG_DP = 56, 60, 48, 300
_ALIGN = {"start": w.Align.START, "center": w.Align.CENTER, "end": w.Align.END}


class TooManyWidgetsError(RuntimeError):
    """A screen has more widgets than a phone could draw; the app crashes."""


class ViewHost(Protocol):
    """The screen whose view is built."""

    def act(self, steps: Steps, rows: dict[str, Row]) -> None:
        """Perform steps."""
        ...

    def put(self, name: str, value: object, steps: Steps, rows: dict[str, Row]) -> None:
        """Set a variable, then perform steps."""
        ...

    def open_tab(self, screen: str) -> None:
        """Open the screen of a tab."""
        ...

    def leave(self) -> None:
        """Handle the back arrow."""
        ...

    def close_dialog(self) -> None:
        """Close the open dialog."""
        ...


@dataclass
class ViewBuilder:
    """Builds one view.

    Attributes:
        host: The screen.
        variables: Its variables.
        name: The screen's name.
        is_root: Whether the screen has no back arrow.
        built: Number of widgets so far.
    """

    host: ViewHost
    variables: AppVariables
    name: str
    is_root: bool
    built: int = 0

    def screen(self, screen: ScreenSpec) -> w.Widget:
        """Return the whole view of a screen."""
        now = self.variables
        parts: list[w.Widget] = []
        if screen.title is not None:
            parts.append(self._bar(screen, now))
        parts.append(self._body(screen.body, now))
        if screen.footer:
            children = self._children(screen.footer, now)
            parts.append(
                w.Column(
                    id="footer",
                    children=children,
                    width=w.MATCH,
                    padding=w.insets(16, 10),
                    gap=8,
                    background=self._color("surface"),
                )
            )
        if screen.tab and now.spec.tabs:
            parts.append(self._tabs(now))
        return w.Column(
            children=parts, width=w.MATCH, height=w.MATCH, background=self._color(screen.background)
        )

    def dialog(self, dialog: DialogSpec) -> w.Widget:
        """Return the view of a dialog."""
        now = self.variables
        children: list[w.Widget] = []
        if dialog.title is not None:
            children.append(
                w.Text(
                    id="dialog_title",
                    text=now.text(dialog.title),
                    size=18,
                    bold=True,
                    color=self._color("ink"),
                )
            )
        children += self._children(dialog.body, now)
        buttons = [self._dialog_button(each, now) for each in dialog.buttons if now.holds(each.when)]
        if buttons:
            children.append(w.Row(children=buttons, width=w.MATCH, gap=8, justify=w.Align.END))
        return w.Column(
            id="dialog",
            children=children,
            width=w.MATCH if dialog.sheet else _DIALOG_DP,
            gap=14,
            padding=w.insets(22, 20, 22, 16),
            radius=16,
            background=self._color("surface"),
            align_vertical=w.Align.END if dialog.sheet else None,
        )

    def _dialog_button(self, look: ButtonLook, now: AppVariables) -> w.Widget:
        act, close = self._act(look.tap, now), self.host.close_dialog

        def pressed() -> None:
            close()
            if act is not None:
                act()

        return self._button(look, now, pressed)

    # The frame

    def _bar(self, screen: ScreenSpec, now: AppVariables) -> w.Widget:
        back = w.Icon(
            id="navigate_up",
            name="back",
            desc=now.ctx.t("返回", "Navigate up"),
            color=self._color("ink"),
            width=_TOUCH_DP,
            height=_TOUCH_DP,
            padding=w.insets(12),
            on_click=self.host.leave,
        )
        title = w.Text(
            id="toolbar_title",
            text=now.text(screen.title),
            size=20,
            bold=True,
            color=self._color("ink"),
            max_lines=1,
            weight=1,
            margin=w.insets(16 if self.is_root else 4, 0, 4, 0),
        )
        actions = self._children(screen.actions, now)
        return w.Row(
            id="toolbar",
            children=[*([] if self.is_root else [back]), title, *actions],
            width=w.MATCH,
            height=_BAR_DP,
            padding=w.insets(4, 4),
            background=self._color("surface"),
        )

    def _tabs(self, now: AppVariables) -> w.Widget:
        tabs: list[w.Widget] = []
        for tab in now.spec.tabs:
            chosen = tab.screen == self.name
            color = self._color("accent" if chosen else "muted")
            label = now.text(tab.text)
            tabs.append(
                w.Column(
                    id=tab.id or f"tab_{tab.screen.replace('-', '_')}",
                    desc=label,
                    weight=1,
                    height=w.MATCH,
                    align=w.Align.CENTER,
                    justify=w.Align.CENTER,
                    selected=chosen,
                    on_click=partial(self.host.open_tab, tab.screen),
                    children=[
                        w.Icon(name=tab.icon, size=24, color=color, important=False),
                        w.Text(text=label, size=12, color=color, align=w.Align.CENTER),
                    ],
                )
            )
        return w.Row(
            id="tabs",
            children=tabs,
            width=w.MATCH,
            height=_TAB_BAR_DP,
            align=w.Align.STRETCH,
            background=self._color("surface"),
        )

    def _body(self, body: Sequence[AppWidget], now: AppVariables) -> w.Widget:
        """Return the scrolling part: a list that ends it builds only its visible rows."""
        last = body[-1] if body else None
        if isinstance(last, ListWidget) and now.holds(last.list.when):
            look = last.list
            rows = list(shown_rows(now, look))
            header = self._children(body[:-1], now)
            if not rows:
                header += self._children(look.none, now)
            return w.ListView(
                id=look.id or "list",
                key=f"{self.name}-list",
                items=rows,
                build=lambda row, index: self._row(look, row),
                columns=look.columns,
                gap=look.gap,
                header=header,
                width=w.MATCH,
                weight=1,
                padding=_insets(look.padding or ()),
            )
        return w.ScrollView(
            id="content",
            key=f"{self.name}-content",
            children=self._children(body, now),
            width=w.MATCH,
            weight=1,
        )

    def _row(self, look: ListLook, row: AppVariables) -> w.Widget:
        children = self._children(look.each, row)
        if len(children) == 1:
            return children[0]
        return w.Column(children=children, width=w.MATCH)

    # Widgets

    def _children(self, parts: Sequence[AppWidget], now: AppVariables) -> list[w.Widget]:
        return [built for part in parts for built in self._widget(part, now)]

    def _widget(self, part: AppWidget, now: AppVariables) -> Iterator[w.Widget]:
        self.built += 1
        if self.built > MAX_WIDGETS:
            raise TooManyWidgetsError(f"the screen {self.name} has more than {MAX_WIDGETS} widgets")
        match part:
            case DividerWidget():
                yield w.divider(self._color("line"))
                return
            case SpaceWidget(space=size):
                yield w.spacer(size or 0)
                return
        look: Look = getattr(part, next(iter(type(part).model_fields)))
        if not now.holds(look.when):
            return
        match part:
            case TextWidget(text=look):
                yield self._text(look, now)
            case ButtonWidget(button=look):
                yield self._button(look, now, self._act(look.tap, now))
            case IconWidget(icon=look):
                yield self._icon(look, now)
            case ImageWidget(image=look):
                yield self._image(look, now)
            case FieldWidget(field=look):
                yield self._field(look, now)
            case SwitchWidget(switch=look):
                yield self._switch(look, now)
            case CheckWidget(check=look):
                yield self._check(look, now)
            case OptionsWidget(options=look):
                yield self._options(look, now)
            case ProgressWidget(progress=look):
                yield self._progress(look, now)
            case RowWidget(row=look):
                yield w.Row(
                    **{"width": w.MATCH, **self._common(look, now)},
                    gap=look.gap,
                    children=self._children(look.of, now),
                )
            case ColumnWidget(column=look):
                yield w.Column(**self._common(look, now), gap=look.gap, children=self._children(look.of, now))
            case CardWidget(card=look):
                card = {
                    "width": w.MATCH,
                    "padding": w.insets(16, 14),
                    "radius": 12,
                    "background": self._color("surface"),
                    **self._common(look, now, margin=w.insets(12, 6)),
                }
                yield w.Column(**card, gap=look.gap, children=self._children(look.of, now))
            case ListWidget(list=look):
                yield self._inline_list(look, now)

    def _image(self, look: ImageLook, now: AppVariables) -> w.Widget:
        small = look.kind in ("avatar", "product", "logo")
        common: dict[str, Any] = {
            "width": 96 if small else w.MATCH,
            "height": 96 if small else 160,
            "radius": 8,
        }
        return w.ImageView(
            **{**common, **self._common(look, now)},
            seed=now.text(look.seed),
            kind=look.kind,
            label=now.text(look.label),
        )

    def _inline_list(self, look: ListLook, now: AppVariables) -> w.Widget:
        """Return a list among other widgets: all its rows, which scroll with the screen."""
        rows = [self._row(look, row) for row in shown_rows(now, look)] or self._children(look.none, now)
        lines: list[w.Widget] = rows
        if look.columns > 1:
            lines = [
                w.Row(children=rows[at : at + look.columns], gap=look.gap, width=w.MATCH)
                for at in range(0, len(rows), look.columns)
            ]
        return w.Column(**{"width": w.MATCH, **self._common(look, now)}, gap=look.gap, children=lines)

    def _common(self, look: Look, now: AppVariables, margin: w.Insets = w.NO_INSETS) -> dict[str, Any]:
        """Return the attributes that all widgets share."""
        found: dict[str, Any] = {"margin": _insets(look.margin) if any(look.margin) else margin}
        if look.id:
            found["id"] = look.id
        if look.desc is not None:
            found["desc"] = now.text(look.desc)
        for name in ("width", "height"):
            size = getattr(look, name)
            if size is not None:
                found[name] = w.MATCH if size == "fill" else size
        if look.weight:
            found["weight"] = look.weight
        if look.padding is not None:
            found["padding"] = _insets(look.padding)
        if look.background is not None:
            found["background"] = self._color(look.background)
        if look.radius is not None:
            found["radius"] = look.radius
        if look.align is not None:
            found["align_self"] = _ALIGN[look.align]
        if look.tap:
            found["on_click"] = self._act(look.tap, now)
        if look.long_press:
            found["on_long_click"] = self._act(look.long_press, now)
        return found

    def _act(self, steps: Steps, now: AppVariables) -> w.Handler | None:
        return partial(self.host.act, steps, dict(now.rows)) if steps else None

    def _color(self, name: str) -> str:
        if name.startswith("#"):
            return name
        return str(getattr(theme_of(self.variables.spec, self.variables.ctx), name))

    def _text(self, look: TextLook, now: AppVariables) -> w.Widget:
        return w.Text(
            **self._common(look, now),
            text=now.text(look.value),
            size=look.size,
            color=self._color(look.color),
            bold=look.bold,
            max_lines=look.lines,
            align=_ALIGN[look.justify],
        )

    def _button(self, look: ButtonLook, now: AppVariables, act: w.Handler | None) -> w.Widget:
        enabled = now.holds(look.enabled)
        filled = look.style == "filled"
        strong = self._color("accent" if enabled else "muted")
        common = {"radius": 22, "height": 44, **self._common(look, now)}
        if filled:
            common.setdefault("background", strong if enabled else self._color("line"))
        elif look.style == "outlined":
            common["border"] = strong
        ink = self._color("on_accent") if filled and enabled else strong
        common["on_click"] = act if enabled else None
        return w.Button(
            **common,
            text=now.text(look.text),
            size=15,
            bold=True,
            color=ink,
            enabled=enabled,
            clickable=True,
            selected=look.selected is not None and now.holds(look.selected),
        )

    def _icon(self, look: IconLook, now: AppVariables) -> w.Widget:
        common = self._common(look, now)
        if look.tap:
            space = max(0.0, (_TOUCH_DP - look.size) / 2)
            common = {
                "width": look.size + 2 * space,
                "height": look.size + 2 * space,
                "padding": w.insets(space),
                **common,
            }
        return w.Icon(**common, name=look.name, size=look.size, color=self._color(look.color))

    def _put(self, name: str, steps: Steps, now: AppVariables) -> Callable[[object], None]:
        rows = dict(now.rows)
        return lambda value: self.host.put(name, value, steps, rows)

    def _field(self, look: FieldLook, now: AppVariables) -> w.Widget:
        common = {
            "width": w.MATCH,
            "padding": w.insets(14, 12),
            "radius": 8,
            "border": self._color("line"),
            "background": self._color("surface"),
            **self._common(look, now),
        }
        common.setdefault("id", look.var)
        return w.TextField(
            **common,
            text=now.text_of(look.var),
            hint=now.text(look.hint),
            on_change=self._put(look.var, look.changed, now),
            on_submit=self._act(look.submit, now),
            action=look.action,
            input_type="text" if look.kind == "password" else look.kind,
            password=look.kind == "password",
            autofocus=look.focused,
            color=self._color("ink"),
            hint_color=self._color("muted"),
        )

    def _switch(self, look: SwitchLook, now: AppVariables) -> w.Widget:
        on = is_on(now.get(look.var))
        flip = partial(self._put(look.var, look.changed, now), not on)
        words: list[w.Widget] = [w.Text(text=now.text(look.text), size=16, color=self._color("ink"))]
        if look.about is not None:
            words.append(w.Text(text=now.text(look.about), size=13, color=self._color("muted")))
        common = {"width": w.MATCH, "padding": w.insets(16, 12), **self._common(look, now)}
        common.pop("id", None)
        return w.Row(
            **{**common, "on_click": flip},
            gap=12,
            children=[
                w.Column(children=words, weight=1),
                w.Toggle(
                    id=look.id or look.var,
                    checked=on,
                    color=self._color("accent"),
                    width=_TOUCH_DP,
                    height=28,
                    on_click=flip,
                ),
            ],
        )

    def _check(self, look: CheckLook, now: AppVariables) -> w.Widget:
        on = is_on(now.get(look.var))
        common = {"padding": w.insets(16, 10), **self._common(look, now)}
        common.setdefault("id", look.var)
        return w.CheckBox(
            **{**common, "on_click": partial(self._put(look.var, look.changed, now), not on)},
            text=now.text(look.text),
            checked=on,
            color=self._color("accent"),
            size=15,
        )

    def _options(self, look: OptionsLook, now: AppVariables) -> w.Widget:
        chosen = now.get(look.var)
        put = self._put(look.var, look.changed, now)
        children: list[w.Widget] = []
        for option in look.of:
            on, label = same(chosen, option.value), now.text(option.text)
            choose = partial(put, option.value)
            id_ = option.id or ""
            if look.style == "radio":
                children.append(
                    w.RadioButton(
                        id=id_,
                        text=label,
                        checked=on,
                        color=self._color("accent"),
                        size=15,
                        padding=w.insets(0, 10),
                        width=w.MATCH,
                        on_click=choose,
                    )
                )
                continue
            children.append(
                w.Text(
                    id=id_,
                    text=label,
                    size=14,
                    selected=on,
                    color=self._color("on_accent" if on else "ink"),
                    background=self._color("accent" if on else "line"),
                    radius=16,
                    padding=w.insets(14, 7),
                    on_click=choose,
                )
            )
        common = {"width": w.MATCH, **self._common(look, now)}
        if look.style == "radio":
            return w.Column(**common, children=children)
        return w.Row(**common, children=children, gap=8, wrap=True)

    def _progress(self, look: ProgressLook, now: AppVariables) -> w.Widget:
        color = self._color("accent")
        if look.value is None:
            common = {"width": 40, "height": 40, "align_self": w.Align.CENTER, **self._common(look, now)}
            return w.ProgressBar(**common, circular=True, color=color)
        common = {"width": w.MATCH, "height": 6, **self._common(look, now)}
        share = min(1.0, max(0.0, float(as_number(now.value(look.value)))))
        return w.ProgressBar(**common, value=share, color=color)


def _insets(edges: Sequence[float]) -> w.Insets:
    match tuple(edges):
        case ():
            return w.NO_INSETS
        case (left, top, right):  # Android has no form of three
            return w.insets(left, top, right, 0)
        case values:
            return w.insets(*values)
