"""``garabench agents fake-server`` as users start it."""

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


def ask(url: str, key: str = "any", model: str = "m") -> str | None:
    with openai.OpenAI(base_url=url, api_key=key, timeout=120) as client:
        messages = [{"role": "user", "content": "go"}]
        return client.chat.completions.create(model=model, messages=messages).choices[0].message.content  # type: ignore[arg-type]


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_stops_it(signal_number: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    options = ("--say", "one", "--say", "two", "--fault", "429=0.01@1", "--log", str(log))
    with running(*options) as (process, url):
        assert [ask(url), ask(url)] == ["one", "two"]
        process.send_signal(signal_number)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        assert out.strip() == "Answered 3 requests"
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["number"], line["fault"], line["answered"]) for line in lines] == [
        (1, "429", ""),
        (2, "", "one"),
        (3, "", "two"),
    ]
    assert lines[1]["messages"] == [{"role": "user", "parts": ["go"]}]
    assert lines[1]["usage"]["received"] == 1


def test_key_and_model_are_checked_on_request(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["hello"]', encoding="utf-8")
    with running("--script", str(script), "--repeat", "--key", "sk-1", "--model", "small") as (_, url):
        assert ask(url, "sk-1", "small") == "hello"
        with pytest.raises(openai.AuthenticationError):
            ask(url, "sk-2", "small")
        with pytest.raises(openai.NotFoundError):
            ask(url, "sk-1", "large")


def test_all_faults_are_listed() -> None:
    done = CliRunner().invoke(main, ["agents", "fake-server", "--list-faults"])
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == [kind.value for kind in ABOUT]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "the fake model has no replies"),
        (("--say", "a", "--follow", "run"), "--follow cannot be combined"),
        (("--say", "a", "--fault", "hung@1"), "unknown fault 'hung'"),
        (("--script", "none.json"), "no such file: none.json"),
        (("--follow", "run", "--agent", "ui-tar"), "Did you mean 'ui-tars'"),
        (("--follow", "run", "--agent", "ui-tars?sight=far"), "unknown agent option 'sight'"),
        (("--follow", "run", "--agents-file", "none.yaml"), "no such file: none.yaml"),
        (("--say", "a", "--log", "no/such/folder/log"), "cannot write"),
    ],
)
def test_wrong_options_are_reported(
    options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["agents", "fake-server", "--port", "0", *options])
    assert done.exit_code == 2, done.output
    assert message in done.output


def test_occupied_port_is_reported() -> None:
    with running("--say", "a") as (_, url):
        port = url.split(":")[2].partition("/")[0]
        done = CliRunner().invoke(main, ["agents", "fake-server", "--say", "a", "--port", port])
        assert done.exit_code == 1
        assert f"cannot listen on port {port}" in done.output
