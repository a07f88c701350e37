"""Effects of correct paths against the recorded ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import EffectExpectation, StateChange, effects_of
from garabench.proof.expected_effects_writer import DerivedEffects, derive_effects, write_effects
from garabench.proof.findings import Variant
from garabench.proof.path_effects import PathEffects, distinct, effects_finding
from garabench.suite.suite import Suite
from tests.cases import every_case
from tests.proof.word_performer import WordPerformer
from tests.suite.written_suite import FILES


def effect(object_: str) -> StateChange:
    state = StateRecord(kind="like", object=object_)
    return effects_of(AppEffects(package="com.example", added=(state,)))[0]


ONE, TWO = effect("one"), effect("two")


def suite_in(folder: Path) -> Suite:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Suite.load(folder)


@every_case(
    ("recorded", "paths", "ok"),
    [
        (None, [PathEffects("", (ONE,))], True),
        (None, [PathEffects("", (TWO,))], False),
        (None, [PathEffects("other", (TWO,))], True),
        (((ONE,),), [PathEffects("", (ONE,))], True),
        (((ONE,),), [PathEffects("", (ONE, TWO))], False),
        (((ONE,),), [PathEffects("", ())], False),
        (((ONE,), (TWO,)), [PathEffects("other", (TWO,))], True),
        (((ONE, TWO),), [PathEffects("", (TWO, ONE))], True),
    ],
)
def test_finding(
    tmp_path: Path, recorded: tuple[tuple[StateChange, ...], ...] | None, paths: list[PathEffects], ok: bool
) -> None:
    item = next(iter(suite_in(tmp_path).tasks.values()))
    item = replace(item, effects=EffectExpectation(recorded))
    found = effects_finding(item, PathEffects("", (ONE,)), paths)
    assert found.ok is ok
    assert ok or ("like" in found.reason and ("one" in found.reason or "two" in found.reason))


def test_distinct_effects_ignore_the_order() -> None:
    paths = [PathEffects("", (ONE, TWO)), PathEffects("a", (TWO, ONE)), PathEffects("b", ())]
    assert distinct(paths) == ((ONE, TWO), ())


def test_derived_effects_are_written_and_read(tmp_path: Path) -> None:
    suite = suite_in(tmp_path)
    item = next(iter(suite.tasks.values()))
    assert item.effects.variants is None
    (path,) = write_effects(suite, [DerivedEffects(item, ((ONE,), ()))])
    assert write_effects(Suite.load(tmp_path), [DerivedEffects(item, ((ONE,), ()))]) == ()
    again = Suite.load(tmp_path)
    assert again.tasks[item.task.id].effects.variants == ((ONE,), ()) and again.digest != suite.digest
    # A task whose effects cannot be derived keeps the recorded ones.
    assert write_effects(again, [DerivedEffects(again.tasks[item.task.id], None, "lost")]) == ()
    assert path.is_file()


def test_an_app_without_state_has_no_expected_effects(tmp_path: Path) -> None:
    item = next(iter(suite_in(tmp_path).tasks.values()))
    performer = WordPerformer()
    performer.perform = lambda step: ""  # type: ignore[method-assign]
    derived = derive_effects(item, [(Variant(), performer)])
    assert derived.variants is None and "its effects are unknown" in derived.problem
