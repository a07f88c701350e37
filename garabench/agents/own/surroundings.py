"""The environment of a program that is an agent: what programs need to run, and no keys of others.

The computer that runs a benchmark has keys of several endpoints in its environment, and an agent, which is
often somebody else's program, is given none of them unless it is told to be.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping

from garabench.errors import InputError

PASSED_ON = "GARABENCH_AGENT_ENV"
"""Environment variable that lists further names, parted by commas; ``*`` stands for any letters."""
ALWAYS = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM",
    "TMPDIR", "TMP", "TEMP", "XDG_*",
    "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "JAVA_HOME",
    "ANDROID_HOME", "ANDROID_SDK_ROOT", "CUDA_VISIBLE_DEVICES",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""Names that every program is given: where things are, which language, whom to trust; none is a secret."""


def listed(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The further names that a person has listed.

    Raises:
        InputError: One is no name of a variable.
    """
    names = tuple(name for part in environ.get(PASSED_ON, "").split(",") if (name := part.strip()))
    for name in names:
        if not name.replace("*", "_").isidentifier() or not name.strip("*"):
            raise InputError(
                f"{PASSED_ON}: {name!r} is no name of a variable", hint="Write names, parted by commas."
            )
    return names


def passed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """What a program is given of an environment.

    Args:
        environ: This process's environment.

    Raises:
        InputError: A listed name is none.
    """
    wanted = (*ALWAYS, *listed(environ))
    return {
        name: value
        for name, value in environ.items()
        if name != PASSED_ON and any(fnmatch.fnmatchcase(name, one) for one in wanted)
    }
