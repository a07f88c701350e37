"""A headless Chromium, and a page that records what a reader must never see."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from tests.waits import AMPLE

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path is not None, "install chromium, e.g. with: sudo apt-get install chromium"
    with sync_playwright() as playwright:
        expect.set_options(timeout=AMPLE * 1000)
        running = playwright.chromium.launch(executable_path=path, headless=True, args=list(_FLAGS))
        yield running
        running.close()


@dataclass
class Visit:
    """A page, and what went wrong on it.

    Attributes:
        page: The page.
        errors: Messages of the console that are errors, and uncaught exceptions.
        foreign: Addresses outside of loopback and files that it requested.
        expected: Parts of errors that the test itself causes at any time, also while the page is closed.
    """

    page: Page
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def unexpected_errors(self) -> list[str]:
        return [error for error in self.errors if not any(part in error for part in self.expected)]

    def serious_barriers(self) -> list[str]:
        """Return what axe-core finds serious or critical: rule, and the first elements."""
        found: list[dict[str, Any]] = Axe().run(self.page).response["violations"]
        return [
            f"{each['id']}: {[node['target'] for node in each['nodes'][:3]]}"
            for each in found
            if each["impact"] in ("serious", "critical")
        ]


def _is_foreign(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme not in ("data", "blob", "file", "about") and parts.hostname not in (
        "127.0.0.1",
        "localhost",
        "::1",
    )


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A fresh page of 1280 x 800; its console must stay free of errors, its requests on this machine."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(AMPLE * 1000)
    page = context.new_page()
    current = Visit(page)
    page.on(
        "console", lambda message: current.errors.append(message.text) if message.type == "error" else None
    )
    page.on("pageerror", lambda error: current.errors.append(str(error)))

    def note(request: Request) -> None:
        if _is_foreign(request.url):
            current.foreign.append(request.url)

    page.on("request", note)
    yield current
    context.close()
    assert not current.unexpected_errors()
    assert not current.foreign
