"""The history of steps, in each form and dialect."""

from __future__ import annotations

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.agents.interface import Decision, Turn
from garabench.agents.models.messages import ImagePart, TextPart
from garabench.agents.profile import HistoryForm, HistoryOptions
from garabench.agents.prompting.history import HistoryPrompt, PromptStep, build_history, without_thought
from garabench.core import action as act
from garabench.core.geometry import Rect
from tests.agents.prompting.samples import SCREEN, TURNS
from tests.cases import every_case

VIEW = ScreenView(SCREEN, SCREEN, (Rect(0, 0, 1080, 200),))
PICTURE = ImagePart(b"x", SCREEN)
PAST = tuple(PromptStep(turn, VIEW, PICTURE) for turn in TURNS)
JSON = DIALECTS["json"]


def expected(
    form: str, last: int = 10, past: tuple[PromptStep, ...] = PAST, dialect: str = "json"
) -> HistoryPrompt:
    return build_history(past, DIALECTS[dialect], HistoryOptions(form=HistoryForm(form), last=last))


def test_the_history_is_empty_without_steps_or_form() -> None:
    assert expected("actions", past=()) == HistoryPrompt() == expected("none")


def test_actions_alone() -> None:
    assert expected("actions").text.splitlines() == [
        "Steps so far:",
        'Step 1: {"action":"tap","coords":[540,100]}',
        'Step 2: {"action":"type","text":"稻香","submit":true}',
        'Step 3: {"action":"recents"}',
        "  (it failed: nothing was there)",
    ]


def test_actions_and_thoughts_of_the_last_steps() -> None:
    assert expected("thoughts", last=1).text.splitlines() == [
        "Steps so far:",
        "(2 earlier steps are omitted)",
        'Step 3: {"thought":"look around","action":"recents"}',
        "  (it failed: nothing was there)",
    ]


def test_history_as_screenshots_with_replies() -> None:
    reminder = expected("screenshots", last=2)
    assert reminder.text.splitlines() == ["Steps so far:", 'Step 1: {"action":"tap","coords":[540,100]}']
    assert [exchange.content for exchange in reminder.exchanges] == [
        (TextPart("The screen at step 2:"), PICTURE),
        (TextPart("The screen at step 3:"), PICTURE),
    ]
    assert reminder.exchanges[1].reply == '{"thought":"look around","action":"recents"}'
    assert reminder.note == "(it failed: nothing was there)"


def test_without_images_the_steps_are_listed() -> None:
    blind = tuple(PromptStep(turn, VIEW) for turn in TURNS)
    assert expected("screenshots", past=blind) == expected("thoughts")


def test_a_summary_of_the_earlier_steps() -> None:
    assert expected("summary", last=1).text.splitlines() == [
        "Summary of steps 1 to 2: tap 1 time, type 1 time.",
        "Typed: 稻香.",
        "Thought at step 2: type the name",
        "Steps since:",
        'Step 3: {"thought":"look around","action":"recents"}',
        "  (it failed: nothing was there)",
    ]
    assert expected("summary", last=3) == expected("thoughts")


def test_an_inexpressible_action_is_described_in_words() -> None:
    assert "Step 3: look around (recents)" in expected("thoughts", dialect="ui-tars-1.5").text
    assert "Step 3: recents" in expected("actions", dialect="ui-tars-1.5").text


def test_long_thoughts_are_cut_and_stay_on_a_line() -> None:
    turn = Turn(Decision(act.Back(), "so\n\nmuch " * 500), True)
    lines = expected("thoughts", past=(PromptStep(turn, VIEW),)).text.splitlines()
    assert len(lines) == 2 and len(lines[1]) < 700


@every_case("name", DIALECTS)
def test_an_action_without_its_thought_is_the_same_action(name: str) -> None:
    dialect = DIALECTS[name]
    for action in (act.Tap(x=540, y=100), act.Back(), act.Type(text="Thought: a 稻香", at=(540, 100))):
        text = dialect.render(action, VIEW)
        if text is not None:
            assert "\n" not in without_thought(text)
            reply, plain = dialect.parse(text, VIEW), dialect.parse(without_thought(text), VIEW)
            assert isinstance(reply, ParsedReply) and isinstance(plain, ParsedReply)
            assert plain.action == reply.action
            assert "hought" not in without_thought(text).replace("Thought: a", "")
