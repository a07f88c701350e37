"""Tests of pages in a headless Chromium; `make test-browser` runs them."""
