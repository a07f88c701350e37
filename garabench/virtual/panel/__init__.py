"""The virtual phone's panel: a page in a browser, and what other programs switch it by."""
