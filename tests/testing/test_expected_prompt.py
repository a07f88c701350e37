"""The fake model predicts the history lines that agents write."""

from __future__ import annotations

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.agents.interface import Decision, Turn
from garabench.agents.profile import HistoryForm, HistoryOptions
from garabench.agents.prompting.history import PromptStep, build_history
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.testing.expected_prompt import expected_history_line
from tests.cases import every_case

SCREEN = Size(1080, 2400)
ACTIONS = (
    act.Tap(x=541, y=2205),
    act.LongPress(x=7, y=1999),
    act.Type(text="稻香 live", clear=True),
    act.Scroll(direction="down"),
    act.Swipe(x1=100, y1=1800, x2=100, y2=600),
    act.Back(),
    act.Wait(seconds=2),
    act.Done(answer="301.7万"),
)


@every_case("name", DIALECTS)
def test_a_history_line_is_as_predicted(name: str) -> None:
    dialect = DIALECTS[name]
    view = ScreenView(SCREEN, dialect.image.size(SCREEN), (Rect(500, 2100, 600, 2300),))
    for action in ACTIONS:
        written = dialect.render(action, view, "a thought (note 3.1)")
        if written is None:
            continue
        reply = dialect.parse(written, view)
        assert isinstance(reply, ParsedReply)
        turn = Turn(Decision(reply.action, reply.thought), True)
        history = build_history(
            [PromptStep(turn, view)], dialect, HistoryOptions(form=HistoryForm.ACTIONS, last=5)
        ).text
        assert history.splitlines()[-1] == f"Step 1: {expected_history_line(action, dialect, view)}"
