"""Get pages for the browser: from this machine's loopback only, with limits on size and time."""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

MAX_BYTES = 1 << 20
TIMEOUT_S = 2.0
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "10.0.2.2"})
"""Hosts that are this machine; the last one is its address for Android's emulator."""
_MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class PageNotLoadedError(OSError):
    """A page cannot be loaded.

    Attributes:
        code: The browser's code, such as ``ERR_CONNECTION_REFUSED``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """A loaded page.

    Attributes:
        address: Its address, after redirections.
        content: Its bytes.
        mime_type: Its MIME type.
        charset: Its encoding by the header, or empty.
    """

    address: str
    content: bytes
    mime_type: str = "text/html"
    charset: str = ""


def full_address(text: str) -> str:
    """Return the address that a person means: ``http://`` may be omitted."""
    text = text.strip()
    return text if "://" in text or text.startswith("about:") or not text else f"http://{text}"


def load_page(address: str) -> LoadedPage:
    """Load a page.

    Raises:
        PageNotLoadedError: It cannot be loaded.
    """
    for _ in range(_MAX_REDIRECTS):
        answer = _request(address)
        if isinstance(answer, LoadedPage):
            return answer
        address = answer
    raise PageNotLoadedError("ERR_TOO_MANY_REDIRECTS")


def _request(address: str) -> LoadedPage | str:
    """Return the page, or the address that the server redirects to."""
    parts = _checked(address)
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    connection = http.client.HTTPConnection("127.0.0.1", parts.port or 80, timeout=TIMEOUT_S)
    try:
        connection.request("GET", target, headers={"Host": parts.netloc, "Accept": "text/html,text/plain"})
        answer = connection.getresponse()
        if answer.status in _REDIRECTS and (location := answer.getheader("Location")):
            return urljoin(address, location)
        content = answer.read(MAX_BYTES + 1)
    except TimeoutError as error:
        raise PageNotLoadedError("ERR_TIMED_OUT") from error
    except ConnectionRefusedError as error:
        raise PageNotLoadedError("ERR_CONNECTION_REFUSED") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise PageNotLoadedError("ERR_EMPTY_RESPONSE") from error
    finally:
        connection.close()
    if len(content) > MAX_BYTES:
        raise PageNotLoadedError("ERR_RESPONSE_TOO_LARGE")
    if answer.status >= 400 and not content:
        raise PageNotLoadedError("ERR_HTTP_RESPONSE_CODE_FAILURE")
    headers = answer.headers
    return LoadedPage(address, content, headers.get_content_type(), headers.get_content_charset("") or "")


def _checked(address: str) -> SplitResult:
    """Return the parts of an address of this machine."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise PageNotLoadedError("ERR_INVALID_URL") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PageNotLoadedError("ERR_UNKNOWN_URL_SCHEME" if parts.scheme else "ERR_INVALID_URL")
    if parts.hostname not in _LOOPBACK:
        raise PageNotLoadedError("ERR_NAME_NOT_RESOLVED")
    if parts.scheme == "https":
        raise PageNotLoadedError("ERR_SSL_PROTOCOL_ERROR")
    return parts
