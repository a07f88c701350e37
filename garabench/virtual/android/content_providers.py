"""Content providers of apps: found by authority, queried by callers with the required permission."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote

from garabench.core.state_lock import opens
from garabench.virtual.kit import state
from garabench.virtual.kit.framework import App, Provider, Rows

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

STATE_AUTHORITY = "org.garabench.state"
"""The authority of the apps' states. On a real device it belongs to one app; here, to all that offer one."""
SHELL = "shell"
"""The caller that holds every development permission, such as ``android.permission.DUMP``."""


class ProviderNotFoundError(LookupError):
    """No installed and enabled app has the authority."""


class ProviderPermissionError(PermissionError):
    """The caller lacks the provider's permission; the text is that of Android's ``SecurityException``."""


class ProviderReadOnlyError(ValueError):
    """The provider is read-only; the text is that of its ``UnsupportedOperationException``."""


def query_provider(phone: Phone, authority: str, path: str, *, caller: str = SHELL) -> Rows:
    """Query a provider.

    Args:
        phone: The phone.
        authority: Authority of the URI.
        path: Path of the URI, percent-encoded.
        caller: ``shell``, or the calling package.

    Raises:
        ProviderNotFoundError: No provider has the authority.
        ProviderPermissionError: The caller lacks the permission.
    """
    app, provider = _require_provider(phone, authority, caller)
    segments = [unquote(part) for part in path.split("/") if part]
    answers: list[Rows] = []
    context = phone.make_context(app)
    phone.processes.start(app.package)
    phone.run_app(
        app.package, lambda: answers.append(provider.query(context, segments[-1] if segments else None))
    )
    return answers[0] if answers else Rows(())


def change(phone: Phone, authority: str, *, caller: str = SHELL) -> None:
    """Insert, update or delete; every app's provider refuses it.

    Raises:
        ProviderNotFoundError, ProviderPermissionError: As for `query_provider`.
        ProviderReadOnlyError: Otherwise.
    """
    _, provider = _require_provider(phone, authority, caller)
    raise ProviderReadOnlyError(provider.read_only)


class ProviderFailedError(RuntimeError):
    """The provider raised an exception, which is the text."""


class StateLockedError(PermissionError):
    """The states are locked, and the query has no key that opens them."""


def open_states(phone: Phone, query: str) -> None:
    """Check the key of a query of a state, and set the next lock.

    Args:
        phone: The phone; all its apps share the lock, since they share the authority.
        query: The query of the URI, with ``key`` and ``lock``.

    Raises:
        StateLockedError: The key is missing or wrong.
    """
    given = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    key = given.get("key", "")
    if phone.state_lock and not opens(key, phone.state_lock):
        raise StateLockedError("the state is locked while an agent drives the device")
    phone.state_lock = given.get("lock", key if phone.state_lock else "")


def query_state(phone: Phone, path: str) -> Rows:
    """Query the state of the app whose package is the path's first segment, as the shell.

    Apps cannot query it. A failing provider does not crash its app,
    as reading must not change what is on the screen.

    Raises:
        ProviderNotFoundError: The app is not installed, or offers no state.
        ProviderFailedError: The app's function failed.
    """
    package = unquote(path.strip("/").partition("/")[0])
    installed = phone.packages.get(package)
    if installed is None or not installed.available or installed.app.state is None:
        raise ProviderNotFoundError(STATE_AUTHORITY)
    try:
        values = state.provider_rows(installed.app.state(phone.make_context(installed.app)))
    except (Exception, SystemExit) as error:  # the app's code, as in `Phone.run_app`
        raise ProviderFailedError(f"{type(error).__name__}: {error}") from error
    return Rows(("record",), tuple((value,) for value in values))


def _require_provider(phone: Phone, authority: str, caller: str) -> tuple[App, Provider]:
    for installed in phone.packages.all():
        provider = installed.app.providers.get(authority) if installed.available else None
        if provider is None:
            continue
        own = caller == installed.app.package
        if caller != SHELL and not own and not phone.packages.is_granted(caller, provider.permission):
            raise ProviderPermissionError(
                f"Permission Denial: opening provider {provider.name} from {caller} "
                f"requires {provider.permission} or {provider.permission}"
            )
        return installed.app, provider
    raise ProviderNotFoundError(authority)
