"""Content providers of apps: found by their authority, and asked by whoever holds what they require."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from garabench.virtual.apps.framework import App, Provider, Rows

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

SHELL = "shell"
"""The caller that holds every permission of the development kind, ``android.permission.DUMP`` for one."""


class NoProvider(LookupError):
    """No app that is installed and enabled has that authority."""


class Refused(PermissionError):
    """The caller lacks the provider's permission; the text is that of Android's ``SecurityException``."""


class ReadOnly(ValueError):
    """The provider takes nothing; the text is that of its ``UnsupportedOperationException``."""


def query(phone: Phone, authority: str, path: str, *, caller: str = SHELL) -> Rows:
    """Ask a provider.

    Args:
        phone: The phone.
        authority: Of the URI.
        path: Of the URI, percent-encoded.
        caller: ``shell``, or the package that asks.

    Raises:
        NoProvider: There is none of that authority.
        Refused: The caller may not.
    """
    app, provider = _reached(phone, authority, caller)
    segments = [unquote(part) for part in path.split("/") if part]
    answers: list[Rows] = []
    context = phone.make_context(app)
    phone.processes.start(app.package)
    phone.run_app(
        app.package, lambda: answers.append(provider.query(context, segments[-1] if segments else None))
    )
    return answers[0] if answers else Rows(())


def change(phone: Phone, authority: str, *, caller: str = SHELL) -> None:
    """Insert, update or delete: no app's provider takes it.

    Raises:
        NoProvider, Refused: As for `query`.
        ReadOnly: In every other case.
    """
    _, provider = _reached(phone, authority, caller)
    raise ReadOnly(provider.read_only)


def _reached(phone: Phone, authority: str, caller: str) -> tuple[App, Provider]:
    for installed in phone.packages.all():
        provider = installed.app.providers.get(authority) if installed.enabled else None
        if provider is None:
            continue
        own = caller == installed.app.package
        if caller != SHELL and not own and not phone.packages.is_granted(caller, provider.permission):
            raise Refused(
                f"Permission Denial: opening provider {provider.name} from {caller} "
                f"requires {provider.permission} or {provider.permission}"
            )
        return installed.app, provider
    raise NoProvider(authority)
