"""The phone's shell, after mksh: lexer, parser, expansion, interpreter and builtins.

It imports only the file system of `android`; commands are passed in as functions of a `call.CommandCall`.
Start reading at `nodes` (the syntax tree), then `parser` and `interpreter`.
"""
