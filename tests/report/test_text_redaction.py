from __future__ import annotations

import html
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from garabench.agents.agent_name import parse_agent_name
from garabench.core.campaign_events import RunBegun
from garabench.core.sections import Details, Paragraph, Picture, Section, Table, TableColumn
from garabench.records.campaign_log import CampaignLog
from garabench.records.content_store import ContentStore
from garabench.records.reader import load_run
from garabench.records.run_layout import RUN_FILE
from garabench.report.html_report import report_html, write_report
from garabench.report.report_input import read_input
from garabench.report.text_redaction import Redaction, find_secrets, redact_section
from tests.report.written_runs import FOUR, episode, picture, write_log, write_run


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("traceback in /home/maria/agents/mine.py:12", "traceback in [path]:12"),
        ("~/keys/openai.txt and /opt/x/", "[path] and [path]"),
        (r"C:\Users\Maria\agent.py failed", "[path] failed"),
        (r"\\server\share\x.txt", "[path]"),
        ("process:/home/bob/clientname/agent.py --fast", "process:[path] --fast"),
        ("autonomous:./private/agent.py", "autonomous:[path]"),
        ("error:../clientname/agent.py:3", "error:[path]:3"),
        ("process:python /agent.py x", "process:python [path] x"),
        ("process:~bob/agent.py", "process:[path]"),
        ("/home/bob/my client/agent.py failed", "[path] failed"),
        ("'/home/bob/my client.py' failed", "'[path]' failed"),
        (r"/home/bob/my\ client.py failed", "[path] failed"),
        ("run --api-key abcdefgh12345678 -v", "run --api-key [key] -v"),
        ("run --token=abc --password 'a b' --key x", "run --token=[key] --password [key] --key [key]"),
        ("run --openai-api-key=abc --client_secret abc", "run --openai-api-key=[key] --client_secret [key]"),
        ("run --max-tokens 100 --key --fast", "run --max-tokens 100 --key --fast"),
        ("com.app/.Main, a:id/title, 5 / 6, 50%/20%", "com.app/.Main, a:id/title, 5 / 6, 50%/20%"),
        ("//node[@text='x']", "//node[@text='x']"),
        ("clean/dual/forced, and/or 3/4", "clean/dual/forced, and/or 3/4"),
        ("write to maria.lee@example.org now", "write to [account] now"),
        ("http://10.0.0.3:8000/v1/chat?x=1 refused", "[address] refused"),
        ("key sk-proj-abc123def456ghi789 is wrong", "key [key] is wrong"),
        ("api_key=hunter2hunter2", "api_key=[key]"),
        ("Bearer abcdef123456", "Bearer [key]"),
        ("the key is custom-secret-value", "the key is [key]"),
        ("typed hunter2 for Maria Lee", "typed [typed] for [account]"),
        ("R58M123 and emulator-5556 went away", "[device] and [device] went away"),
        ("192.168.0.7:5555: connection reset", "[device]: connection reset"),
        ("adb-R58M-x1Y2._adb-tls-connect._tcp. is offline", "[device] is offline"),
        (
            "version 28.10.0.100, R58M1234, my-emulator-5556",
            "version 28.10.0.100, R58M1234, my-emulator-5556",
        ),
    ],
)
def test_texts_are_redacted(text: str, redacted: str) -> None:
    redaction = Redaction(
        frozenset({"hunter2"}),
        frozenset({"Maria Lee"}),
        frozenset({"custom-secret-value"}),
        frozenset({"R58M123"}),
    )
    if "api_key" in text:
        redaction = Redaction()
    assert redaction.text(text) == redacted


@pytest.mark.parametrize(
    ("typed", "text", "redacted"),
    [
        ("the", "the other, the.", "[typed] other, [typed]."),
        ("100", "100% (100/152), 100 of 1,100: 100.0", "100% (100/152), [typed] of 1,100: 100.0"),
        ("4711", "pin 4711. code/4711, 4711,", "pin [typed]. code/[typed], [typed],"),
        ("密码123", "输入密码123完成", "输入[typed]完成"),
        ("a.b*", "xa.b*y a.b*", "xa.b*y [typed]"),
    ],
)
def test_typed_texts_are_removed_as_whole_words(typed: str, text: str, redacted: str) -> None:
    assert Redaction(typed=frozenset({typed})).text(text) == redacted


def test_secrets_are_found_in_logs_trees_and_variables(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    write_log(writer, FOUR[0], typed="rice")
    write_log(writer, FOUR[1], typed="my pin 4711")
    ContentStore.of_run(writer.folder).add_tree(
        b'<hierarchy><node text="Maria &amp; Co" resource-id="a:id/user_name"/>'
        b'<node text="Settings" resource-id="a:id/title"/></hierarchy>'
    )
    found = find_secrets(
        [load_run(tmp_path / "run")], {"OPENAI_API_KEY": "k" * 20, "HOME": "/home/maria"}, ["maria"]
    )
    assert found == Redaction(
        frozenset({"my pin 4711"}), frozenset({"Maria & Co", "maria"}), frozenset({"k" * 20})
    )


def test_a_text_in_a_password_field_is_a_secret_even_from_the_instruction(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    write_log(writer, FOUR[0], typed="rice")
    (tree,) = (tmp_path / "run/store").rglob("*.xml.gz")
    tree.unlink()  # it cannot be known what the field was
    assert find_secrets([load_run(tmp_path / "run")], {}).typed == {"rice"}


@pytest.mark.parametrize(
    ("fields", "typed"),
    [
        ('<node password="true" focused="true"/>', {"rice"}),
        ('<node password="false" focused="true"/><node focused="false" password="true"/>', {"rice"}),
        ('<node password="false" focused="true"/>', set()),
    ],
)
def test_a_text_may_be_typed_by_the_action_that_focuses_the_password_field(
    tmp_path: Path, fields: str, typed: set[str]
) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    write_log(writer, FOUR[0], typed="rice", tree=f"<hierarchy>{fields}</hierarchy>".encode())
    assert find_secrets([load_run(tmp_path / "run")], {}).typed == typed


def test_an_account_may_be_named_by_a_description_or_a_hint(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    ContentStore.of_run(writer.folder).add_tree(
        b'<hierarchy><node text="" resource-id="a:id/account_disc" content-desc="Signed in as Maria Lee"/>'
        b'<node text="mlee77" resource-id="a:id/profile_name" hint="Lee family"/>'
        b'<node text="Search" content-desc="Find" hint="Words" resource-id="a:id/search"/></hierarchy>'
    )
    found = find_secrets([load_run(tmp_path / "run")], {}).accounts
    assert found == {"Signed in as Maria Lee", "mlee77", "Lee family"}


def test_a_redacted_report_has_no_secret_and_no_picture(tmp_path: Path) -> None:
    fault = "agent: /home/maria/agent.py typed my pin 4711 with sk-proj-abc123def456ghi789"
    failed = episode("app-a", "heuristic", "dual", "failure", fault=fault)
    writer = write_run(tmp_path / "run", [FOUR[0], failed])
    write_log(writer, failed, typed="my pin 4711", screen=picture())
    given = read_input([tmp_path / "run"])
    open_, redacted = (
        report_html(given, redaction=redaction) for redaction in (None, find_secrets(given.runs, {}))
    )
    for secret in ("maria", "4711", "sk-proj"):
        assert secret in open_
        assert secret not in redacted
    assert "<img" in open_
    assert "<img" not in redacted
    assert "Redacted:" in redacted


PLANTED = {
    "a typed password": "hunter2-X",
    "a key of a variable": "plain-key-value-17",
    "a key by its form": "sk-proj-abc123def456ghi789",
    "a token": "ghp_abcdefghijABCDEFGHIJ0123456789",
    "a bearer token": "abcdef-bearer-123456",
    "a cloud key": "AKIAIOSFODNN7EXAMPLE",
    "a password in an address": "hunter3",
    "an e-mail address": "maria.lee@example.org",
    "an account": "Maria & Sons",
    "the user": "mlee",
    "a path": "/srv/agents/mine.py",
    "a host": "models.internal.example",
    "the first device": "R58M1234567",
    "the second device": "ZY22ABCDEF",
    "a device on the network": "10.1.2.3:5555",
}


def test_planted_secrets_are_nowhere_in_the_written_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in every text of a run that an agent, a model or a device wrote."""
    planted = " ; ".join(
        {
            **PLANTED,
            "a bearer token": f"Authorization: Bearer {PLANTED['a bearer token']}",
            "a password in an address": f"https://me:{PLANTED['a password in an address']}@h.example/v1",
            "a host": f"http://{PLANTED['a host']}/v1",
        }.values()
    )
    address = f"http://me:{PLANTED['a password in an address']}@{PLANTED['a host']}/act"
    episodes = [
        episode(task, "mine", condition, outcome, **more)
        for task, condition, outcome, more in (
            ("app-a", "clean", "error", {"fault": f"device: {planted}"}),
            ("app-a", "dual", "failure", {"reason": planted, "exits": (planted,)}),
            ("app-b", "clean", "failure", {"unknown": planted}),
            ("app-b", "dual", "success", {"side_effects": (planted,), "missed": (planted,)}),
        )
    ]
    writer = write_run(tmp_path / "run", episodes, serial=PLANTED["the first device"])
    file = writer.folder / RUN_FILE
    written = json.loads(file.read_text(encoding="utf-8"))
    written["plan"]["agents"] = [f"mine={address}"]
    written["agents"][0]["text"] = f"mine={address}"
    file.write_text(json.dumps(written), encoding="utf-8")
    for summary in episodes:
        ended = episode(summary.task, "mine", summary.condition, summary.outcome)
        write_log(writer, ended, typed=PLANTED["a typed password"], screen=picture())
    tree = html.escape(PLANTED["an account"])
    ContentStore.of_run(writer.folder).add_tree(
        f'<hierarchy><node text="{tree}" resource-id="a:id/account"/></hierarchy>'.encode()
    )
    begun = RunBegun(
        time=datetime(2026, 1, 1, tzinfo=UTC),
        planned=4,
        devices=(PLANTED["the first device"], PLANTED["the second device"]),
    )
    CampaignLog(writer.folder).append(begun)
    monkeypatch.setenv("MY_API_KEY", PLANTED["a key of a variable"])
    monkeypatch.setattr(Path, "home", lambda: Path("/home") / PLANTED["the user"])
    plain, redacted = (
        write_report(tmp_path / "run", tmp_path / "report.html", redact=redact).read_text(encoding="utf-8")
        for redact in (False, True)
    )
    for name, secret in PLANTED.items():
        forms = (secret, html.escape(secret), json.dumps(secret)[1:-1].replace("&", r"\u0026"))
        assert any(form in plain for form in forms), f"{name} is nowhere in the report without --redact"
        assert not [form for form in forms if form in redacted], name


def test_an_agent_named_by_its_command_is_renamed_everywhere(tmp_path: Path) -> None:
    texts = [
        "process:/home/bob/clientname/agent.py --api-key abcdefgh12345678",
        "process:../clientname/agent.py",
        "labelled=process:/home/bob/clientname/agent.py",
        "heuristic",
    ]
    names = [parse_agent_name(text).name for text in texts]
    writer = write_run(
        tmp_path / "run",
        [
            episode(task, name, condition, "success" if condition == "clean" else "failure")
            for name in names
            for task in ("app-a", "app-b")
            for condition in ("clean", "dual")
        ],
    )
    file = writer.folder / RUN_FILE
    written = json.loads(file.read_text(encoding="utf-8"))
    written["plan"]["agents"] = texts
    for agent, text in zip(written["agents"], texts, strict=True):
        agent["text"] = text
    file.write_text(json.dumps(written), encoding="utf-8")
    plain, redacted = (
        write_report(tmp_path / "run", tmp_path / "report.html", redact=redact).read_bytes()
        for redact in (False, True)
    )
    for secret in (b"bob", b"clientname", b"abcdefgh12345678"):
        assert secret in plain
        assert secret not in redacted
    assert b'["agent 1","clean"]' in redacted
    assert b'["agent 2","dual"]' in redacted
    assert b"/agent 1/dual/" in redacted  # the path of the record
    assert b"process:[path] --api-key [key]" in redacted  # the command that repeats the run
    assert b'["labelled","clean"]' in redacted


def test_details_of_pictures_alone_disappear() -> None:
    shot = Picture("0" * 64, "x")
    table = Table("t", (TableColumn("a"),), (("secret",),), pictures=((shot,),))
    blocks = (shot, Details("shots", (shot,)), Details("x", (Paragraph("secret"),)), table)
    redacted = redact_section(Section("a", "A", blocks), lambda text: text.replace("secret", "-"))
    assert redacted.blocks == (
        Details("x", (Paragraph("-"),)),
        Table("t", (TableColumn("a"),), (("-",),)),
    )
