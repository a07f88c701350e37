"""``garabench agents fake-server`` as a person starts it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import openai
import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.testing.faults import ABOUT


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    argv = [sys.executable, "-c", "from garabench.cli.main import main; main()", "agents", "fake-server"]
    with subprocess.Popen(
        [*argv, "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Listening on http://127.0.0.1:"), line
            yield process, line.removeprefix("Listening on ").strip()
        finally:
            process.kill()


def said(url: str, key: str = "any", model: str = "m") -> str | None:
    with openai.OpenAI(base_url=url, api_key=key, timeout=120) as client:
        messages = [{"role": "user", "content": "go"}]
        return client.chat.completions.create(model=model, messages=messages).choices[0].message.content  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(end: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "asked.jsonl"
    options = ("--say", "one", "--say", "two", "--fault", "429=0.01@1", "--log", str(log))
    with running(*options) as (process, url):
        assert [said(url), said(url)] == ["one", "two"]
        process.send_signal(end)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        assert out.strip() == "Answered 3 requests"
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["number"], line["fault"], line["answered"]) for line in lines] == [
        (1, "429", ""),
        (2, "", "one"),
        (3, "", "two"),
    ]
    assert lines[1]["said"] == [{"role": "user", "parts": ["go"]}]
    assert lines[1]["usage"]["received"] == 1


def test_it_wants_a_key_and_knows_models_where_it_is_told_to(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["hello"]', encoding="utf-8")
    with running("--script", str(script), "--again", "--key", "sk-1", "--model", "small") as (_, url):
        assert said(url, "sk-1", "small") == "hello"
        with pytest.raises(openai.AuthenticationError):
            said(url, "sk-2", "small")
        with pytest.raises(openai.NotFoundError):
            said(url, "sk-1", "large")


def test_every_fault_is_listed() -> None:
    done = CliRunner().invoke(main, ["agents", "fake-server", "--list-faults"])
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == [kind.value for kind in ABOUT]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "the fake model has no replies"),
        (("--say", "a", "--follow", "run"), "--follow cannot be combined"),
        (("--say", "a", "--fault", "hung@1"), "no fault is called 'hung'"),
        (("--script", "none.json"), "none.json cannot be read"),
        (("--follow", "run", "--agent", "ui-tar"), "Did you mean 'ui-tars'"),
        (("--follow", "run", "--agent", "ui-tars?sight=far"), "unknown agent option 'sight'"),
        (("--follow", "run", "--agents-file", "none.yaml"), "none.yaml cannot be read"),
        (("--say", "a", "--log", "no/such/folder/log"), "cannot write"),
    ],
)
def test_what_is_wrong_is_told(
    options: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["agents", "fake-server", "--port", "0", *options])
    assert done.exit_code == 2, done.output
    assert why in done.output


def test_a_port_that_is_taken_is_told() -> None:
    with running("--say", "a") as (_, url):
        port = url.split(":")[2].partition("/")[0]
        done = CliRunner().invoke(main, ["agents", "fake-server", "--say", "a", "--port", port])
        assert done.exit_code == 1
        assert f"cannot listen on port {port}" in done.output
