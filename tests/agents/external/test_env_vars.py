"""The environment variables that the program of an agent receives."""

from __future__ import annotations

import pytest

from garabench.agents.external.env_vars import ENV_VARIABLE, agent_environment
from garabench.errors import InputError

HERE = {
    "PATH": "/bin",
    "HOME": "/home/me",
    "LANG": "C.UTF-8",
    "LC_ALL": "C",
    "TMPDIR": "/tmp",
    "OPENAI_API_KEY": "sk-one",
    "HF_TOKEN": "hf-one",
    "HF_HOME": "/models",
    "GARABENCH_AGENT_TOKEN": "t",
    "LD_PRELOAD": "x",
    "pathless": "y",
}
USUAL = {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"}


@pytest.mark.parametrize(
    ("listed", "more"),
    [
        (None, set()),
        ("", set()),
        (" , ", set()),
        ("OPENAI_API_KEY", {"OPENAI_API_KEY"}),
        ("HF_*, pathless", {"HF_TOKEN", "HF_HOME", "pathless"}),
        ("NOT_THERE,openai_api_key", set()),
    ],
)
def test_keys_are_passed_only_if_listed(listed: str | None, more: set[str]) -> None:
    environ = HERE if listed is None else {**HERE, ENV_VARIABLE: listed}
    given = agent_environment(environ)
    assert set(given) == USUAL | more
    assert all(given[name] == HERE[name] for name in given)


@pytest.mark.parametrize("listed", ["*", "**", "A B", "A=1", "A;B", "[A]", "A?"])
def test_an_invalid_variable_name_is_rejected(listed: str) -> None:
    with pytest.raises(InputError, match=r"invalid variable name"):
        agent_environment({ENV_VARIABLE: listed})
