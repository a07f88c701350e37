"""The UI toolkit: widgets, layout, text, drawing, and the screen as Android's UI tree.

It imports only `core`. Everything is a function of values: a tree of `widgets` is laid out to a `scene`,
which `render` draws and `dump` writes. Start reading at `widgets`, then `layout` and `scene`.
"""
