"""Dialects: how each family of models is prompted for actions, counts coordinates and writes replies.

Pure functions of values; any text parses to an action or a reason for rejecting it.
May import only `core`. Start with `dialect`, then read `ui_tars` as an example; `catalog` lists them all.
"""
