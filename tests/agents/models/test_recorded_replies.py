"""The reply cache, replays, and recorded requests."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.models.cache import CachedChat, ReplyCache
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ImagePart,
    ModelReply,
    ReplyForm,
    StopReason,
    TextPart,
    TokenUsage,
    Tool,
    ToolCall,
)
from garabench.agents.models.replay import NotRecordedError, ReplayChat
from garabench.agents.models.serialization import (
    InvalidAnswerError,
    answer_from_json,
    answer_to_json,
    request_digest,
    request_to_json,
    without_files,
)
from garabench.agents.models.transcript import (
    TranscriptWriter,
    read_step,
    read_transcript,
    view_from_json,
    view_to_json,
)
from garabench.core.geometry import Rect, Size
from garabench.errors import InputError, RecordError

VIEW = ScreenView(Size(1080, 2400), Size(540, 1200), (Rect(0, 0, 5, 6),), {"地图": "com.x"})
ANSWER = ModelReply(
    "so",
    (ToolCall("tap", '{"x": 1}'),),
    StopReason.DONE,
    TokenUsage(9, 8, 7, 6, 5),
    2.5,
    "m-1",
    "hm",
    3,
    queued=0.25,
)


def request(text: str = "Go.", pixels: bytes = b"png", **more: object) -> ChatRequest:
    message = ChatMessage(ChatRole.USER, (TextPart(text), ImagePart(pixels, Size(2, 3))))
    return dataclasses.replace(ChatRequest("m", (message,)), **more)


class Counting:
    def __init__(self) -> None:
        self.asked = 0

    def ask(self, request: ChatRequest) -> ModelReply:
        self.asked += 1
        return dataclasses.replace(ANSWER, text=f"answer {self.asked}")


@pytest.mark.parametrize(
    "other",
    [
        request("Stop."),
        request(pixels=b"other"),
        request(model="n"),
        request(form=ReplyForm.JSON),
        request(parameters={"temperature": 0}),
        request(form=ReplyForm.TOOLS, tools=(Tool("tap", "", {}),)),
        request(messages=(*request().messages, *request().messages)),
    ],
)
def test_every_difference_makes_another_request(other: ChatRequest) -> None:
    assert request_digest(other) != request_digest(request())
    assert request_digest(request(), "http://a/v1") != request_digest(request(), "http://b/v1")


def test_the_same_request_has_the_same_hash_wherever_its_pictures_are() -> None:
    assert request_digest(request()) == request_digest(request())
    named = request_to_json(request(), lambda picture: "screens/003.png")
    assert without_files(named) == request_to_json(request())


@given(st.text(), st.text(), st.sampled_from(StopReason), st.integers(0, 10**9))
def test_an_answer_comes_back_as_it_was(text: str, thought: str, stop: StopReason, tokens: int) -> None:
    answer = ModelReply(text, (ToolCall("f", text),), stop, TokenUsage(tokens), 1.0, "m", thought, 2)
    assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer
    assert answer_from_json(answer_to_json(ANSWER)) == ANSWER


@pytest.mark.parametrize("data", [None, [], {}, {"text": 3}, {"text": "x", "calls": [], "stop": "never"}])
def test_a_malformed_answer_is_rejected(data: object) -> None:
    with pytest.raises(InvalidAnswerError):
        answer_from_json(data)


def test_the_same_request_is_asked_once(tmp_path: Path) -> None:
    chat = Counting()
    cached, later = (CachedChat(chat, ReplyCache(tmp_path), "http://a/v1") for _ in range(2))
    first, again = cached.ask(request()), later.ask(request())
    assert chat.asked == 1
    assert (first.from_cache, again.from_cache) == (False, True)
    assert (again.text, again.seconds, again.queued) == (first.text, 0, 0)
    assert cached.ask(request("Stop.")).text == "answer 2"
    elsewhere = CachedChat(chat, ReplyCache(tmp_path), "http://b/v1")
    assert elsewhere.ask(request()).from_cache is False


def test_the_same_request_within_an_episode_has_another_reply(tmp_path: Path) -> None:
    chat = Counting()
    text_shown = [
        [episode.ask(request()).text for _ in range(3)]
        for episode in (CachedChat(chat, ReplyCache(tmp_path), "") for _ in range(2))
    ]
    assert text_shown == [["answer 1", "answer 2", "answer 3"]] * 2
    assert chat.asked == 3


def test_a_broken_file_of_the_cache_is_asked_for_anew(tmp_path: Path) -> None:
    chat = Counting()
    CachedChat(chat, ReplyCache(tmp_path), "").ask(request())
    (file,) = tmp_path.glob("*/*.json")
    for broken in ("", "{", "[]", '{"version": 99}', '{"version": 1, "answer": {}}'):
        file.write_text(broken)
        for from_cache in (False, True):
            cached = CachedChat(chat, ReplyCache(tmp_path), "")
            assert cached.ask(request()).from_cache is from_cache
    assert not list(tmp_path.glob("*/*.part"))


def test_threads_share_a_cache(tmp_path: Path) -> None:
    chat, cache = Counting(), ReplyCache(tmp_path)
    threads = [
        threading.Thread(target=CachedChat(chat, cache, "").ask, args=(request(str(n % 3)),))
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(tmp_path.glob("*/*.json"))) == 3


def test_an_impossible_cache_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"the reply cache .* cannot be created"):
        ReplyCache(tmp_path / "file" / "cache")


def recorded(folder: Path) -> None:
    transcript = TranscriptWriter(folder, "http://a/v1")
    transcript.write(0, VIEW, request("one"), answer=dataclasses.replace(ANSWER, text="first"))
    transcript.write(0, VIEW, request("one"), answer=dataclasses.replace(ANSWER, text="repaired"))
    transcript.write(1, VIEW, request("two"), fault="it was down")
    transcript.write(2, VIEW, request("three"), answer=dataclasses.replace(ANSWER, text="third"))


def test_a_replay_gives_the_recorded_answers_in_order(tmp_path: Path) -> None:
    recorded(tmp_path)
    chat = ReplayChat(tmp_path)
    assert [chat.ask(request("one")).text, chat.ask(request("one")).text] == ["first", "repaired"]
    with pytest.raises(NotRecordedError, match=r"this request failed in .*it was down"):
        chat.ask(request("two"))
    assert chat.ask(request("three")).from_cache is True
    with pytest.raises(NotRecordedError, match="ended earlier"):
        chat.ask(request("three"))


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (request("once"), r"message 1 \(user\), part 1: text from character 3: 'e' recorded, 'ce' now"),
        (request("one", b"new"), r"part 2: another image"),
        (request("one", parameters={"seed": 1}), r"parameters: None recorded, \{'seed': 1\} now"),
        (request("one", model="n"), r"model: 'm' recorded, 'n' now"),
        (request(messages=(*request("one").messages, *request().messages)), "1 messages recorded, 2 now"),
    ],
)
def test_a_different_request_is_reported(tmp_path: Path, other: ChatRequest, expected: str) -> None:
    recorded(tmp_path)
    with pytest.raises(NotRecordedError, match=expected):
        ReplayChat(tmp_path).ask(other)


def png(color: str, level: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (2, 3), color).save(out, "PNG", compress_level=level)
    return out.getvalue()


def test_a_picture_that_was_compressed_otherwise_is_the_same_picture(tmp_path: Path) -> None:
    assert png("red", 0) != png("red", 9)
    transcript = TranscriptWriter(tmp_path, "http://a/v1")
    transcript.write(0, VIEW, request("one", png("red", 0)), answer=dataclasses.replace(ANSWER, text="first"))
    with pytest.raises(NotRecordedError, match="another image"):
        ReplayChat(tmp_path).ask(request("one", png("blue", 0)))
    with pytest.raises(NotRecordedError, match="text from character"):
        ReplayChat(tmp_path).ask(request("two", png("red", 9)))
    assert ReplayChat(tmp_path).ask(request("one", png("red", 9))).text == "first"


def screen(clock: str, page: str) -> bytes:
    """Draw a screen of 360x640 whose status bar, 24 pixels high, has the colour `clock`."""
    out = io.BytesIO()
    drawn = Image.new("RGB", (360, 640), page)
    drawn.paste(clock, (0, 0, 360, 24))
    drawn.save(out, "PNG")
    return out.getvalue()


def test_the_status_bar_is_ignored_when_images_are_compared(tmp_path: Path) -> None:
    TranscriptWriter(tmp_path, "http://a/v1").write(
        0, VIEW, request("one", screen("red", "white")), answer=ANSWER
    )
    with pytest.raises(NotRecordedError, match="another image"):
        ReplayChat(tmp_path).ask(request("one", screen("red", "blue")))
    assert ReplayChat(tmp_path).ask(request("one", screen("green", "white"))).text == ANSWER.text


def test_a_picture_outside_the_record_is_not_looked_at(tmp_path: Path) -> None:
    folder = tmp_path / "episode"
    TranscriptWriter(folder, "http://a/v1").write(0, VIEW, request("one", png("red", 0)), answer=ANSWER)
    (kept,) = (folder / "requests").glob("*.json")
    (tmp_path / "elsewhere.png").write_bytes(png("red", 0))
    text = kept.read_text(encoding="utf-8")
    for name in ("../elsewhere.png", "images/elsewhere.png"):  # as in records of version 1
        kept.write_text(re.sub(r'"file": "[^"]*"', f'"file": "{name}"', text), encoding="utf-8")
        with pytest.raises(NotRecordedError, match="another image"):
            ReplayChat(folder).ask(request("one", png("red", 9)))
    (folder / "images").mkdir()
    (tmp_path / "elsewhere.png").rename(folder / "images" / "elsewhere.png")
    assert ReplayChat(folder).ask(request("one", png("red", 9))).text == ANSWER.text


def test_recorded_replies_are_read(tmp_path: Path) -> None:
    recorded(tmp_path)
    steps = tuple(read_transcript(tmp_path))
    assert [(step.step, len(step.exchanges), step.endpoint) for step in steps] == [
        (0, 2, "http://a/v1"),
        (1, 1, "http://a/v1"),
        (2, 1, "http://a/v1"),
    ]
    assert steps[0].view == VIEW
    assert (steps[1].exchanges[0].answer, steps[1].exchanges[0].fault) == (None, "it was down")
    assert not list(tmp_path.glob("**/*.part"))
    assert view_from_json(json.loads(json.dumps(view_to_json(VIEW)))) == VIEW


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"version": 1, "step": 0, "view": {}, "exchanges": []}']
)
def test_a_broken_file_is_reported_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "007.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"007\.json is broken"):
        read_step(path)


def test_a_newer_file_is_rejected_by_name(tmp_path: Path) -> None:
    path = tmp_path / "007.json"
    path.write_text('{"version": 99}')
    with pytest.raises(InputError, match="has version 99"):
        read_step(path)


def test_a_record_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "requests").write_text("a file where a folder should be")
    with pytest.raises(RecordError, match="could not be written"):
        TranscriptWriter(tmp_path, "").write(0, VIEW, request(), answer=ANSWER)
