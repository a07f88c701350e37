"""The environment variables passed to an external agent: what programs need, and no API keys.

The computer that runs a benchmark has keys of several endpoints in its environment. An agent is often
third-party code, so it receives a key only if the user lists the variable.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping

from garabench.errors import InputError

ENV_VARIABLE = "GARABENCH_AGENT_ENV"
"""Environment variable that lists additional names, separated by commas; ``*`` matches any characters."""
PASSED_BY_DEFAULT = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM",
    "TMPDIR", "TMP", "TEMP", "XDG_*",
    "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "JAVA_HOME",
    "ANDROID_HOME", "ANDROID_SDK_ROOT", "CUDA_VISIBLE_DEVICES",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""Variables that every program receives: paths, locale and trusted certificates, but no secrets."""


def listed_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the additional names that the user has listed.

    Raises:
        InputError: One is not a valid variable name.
    """
    names = tuple(name for part in environ.get(ENV_VARIABLE, "").split(",") if (name := part.strip()))
    for name in names:
        if not name.replace("*", "_").isidentifier() or not name.strip("*"):
            raise InputError(
                f"{ENV_VARIABLE}: invalid variable name {name!r}", hint="Separate names with commas."
            )
    return names


def agent_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a program receives.

    Args:
        environ: This process's environment.

    Raises:
        InputError: A listed name is not a valid variable name.
    """
    patterns = (*PASSED_BY_DEFAULT, *listed_names(environ))
    return {
        name: value
        for name, value in environ.items()
        if name != ENV_VARIABLE and any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    }
