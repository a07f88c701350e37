from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.sections import Details, Paragraph, Picture, Section
from garabench.records.content_store import ContentStore
from garabench.records.reader import load_run
from garabench.report.html_report import report_html
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
        ("clean/dual/forced, and/or 3/4", "clean/dual/forced, and/or 3/4"),
        ("write to maria.lee@example.org now", "write to [account] now"),
        ("http://10.0.0.3:8000/v1/chat?x=1 refused", "[address] refused"),
        ("key sk-proj-abc123def456ghi789 is wrong", "key [key] is wrong"),
        ("api_key=hunter2hunter2", "api_key=[key]"),
        ("Bearer abcdef123456", "Bearer [key]"),
        ("the key is custom-secret-value", "the key is [key]"),
        ("typed hunter2 for Maria Lee", "typed [typed] for [account]"),
    ],
)
def test_texts_are_redacted(text: str, redacted: str) -> None:
    redaction = Redaction(
        frozenset({"hunter2"}), frozenset({"Maria Lee"}), frozenset({"custom-secret-value"})
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


def test_details_of_pictures_alone_disappear() -> None:
    shot = Picture("0" * 64, "x")
    section = Section("a", "A", (shot, Details("shots", (shot,)), Details("x", (Paragraph("secret"),))))
    redacted = redact_section(section, lambda text: text.replace("secret", "-"))
    assert redacted.blocks == (Details("x", (Paragraph("-"),)),)
