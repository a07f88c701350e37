"""The released D-GARA data: read its four files, find what is wrong in them, convert them to a suite.

The package may import `core`, `garabench.suite.files` and `garabench.lint.screen_texts`; it performs nothing
on a device. Start reading in `garabench.authoring.d_gara.import_suite`, which the command ``tasks import
d-gara`` calls.
"""
