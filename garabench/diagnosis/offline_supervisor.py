"""The supervisor that needs no model: features of the trajectory decide the fork and the probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import AppSymptom, FailureSummary, FailureType
from garabench.diagnosis.features import Feature, FeatureKind, shows_spinner, trajectory_features
from garabench.diagnosis.loop import PerformedProbe
from garabench.diagnosis.probe import Continuation, DiagnosticProbe, ProbeType
from garabench.diagnosis.probe_catalog import catalog
from garabench.diagnosis.routing import FailureCategory, routing_weights


@dataclass(frozen=True, slots=True)
class _Sign:
    """What a feature suggests.

    Attributes:
        weight: How much it says about the failure.
        category: The category that it suggests.
        blames: Whom it suggests.
    """

    weight: float
    category: FailureCategory
    blames: FailureType


_AGENT, _ENV, _OPEN = FailureType.AGENT, FailureType.ENVIRONMENT, FailureType.AMBIGUOUS
_SIGNS: Mapping[FeatureKind, _Sign] = {
    FeatureKind.INTERRUPTION_OPEN: _Sign(3.0, FailureCategory.WRONG_STRATEGY, _AGENT),
    FeatureKind.WRONG_OBJECT: _Sign(2.0, FailureCategory.WRONG_TARGET, _AGENT),
    FeatureKind.WRONG_TEXT: _Sign(2.0, FailureCategory.WRONG_STRATEGY, _AGENT),
    FeatureKind.WRONG_APP: _Sign(2.0, FailureCategory.WRONG_TARGET, _AGENT),
    FeatureKind.OUT_OF_VIEW: _Sign(2.0, FailureCategory.WRONG_TARGET, _AGENT),
    FeatureKind.TARGET_MISSING: _Sign(2.0, FailureCategory.WRONG_TARGET, _AGENT),
    FeatureKind.NOT_SUBMITTED: _Sign(2.0, FailureCategory.WRONG_STRATEGY, _AGENT),
    FeatureKind.DIFFERENT_RESULT: _Sign(2.0, FailureCategory.UNKNOWN, _ENV),
    FeatureKind.ERROR_DIALOG: _Sign(2.0, FailureCategory.ENV_BOUNDARY, _ENV),
    FeatureKind.NO_CHANGE: _Sign(2.0, FailureCategory.ENV_BOUNDARY, _ENV),
    FeatureKind.ONLY_PICTURE: _Sign(2.0, FailureCategory.ENV_BOUNDARY, _OPEN),
    FeatureKind.DISABLED: _Sign(2.0, FailureCategory.ENV_BOUNDARY, _ENV),
    FeatureKind.TEXT_GONE: _Sign(1.0, FailureCategory.WRONG_STRATEGY, _OPEN),
    FeatureKind.LOADING: _Sign(1.0, FailureCategory.UNKNOWN, _ENV),
    FeatureKind.NOT_PERFORMED: _Sign(1.0, FailureCategory.WRONG_STRATEGY, _AGENT),
    FeatureKind.REPEATED_STATE: _Sign(1.0, FailureCategory.INSUFFICIENT_EXPLORATION, _OPEN),
    FeatureKind.ENDED_EARLY: _Sign(1.0, FailureCategory.INSUFFICIENT_EXPLORATION, _OPEN),
}
_STRONG = 2.0
_NO_WRONG_STEP = {FeatureKind.ENDED_EARLY, FeatureKind.LOADING}
"""Features of a step that may be right: the end comes after what went wrong, and a page loads for a while."""
_WRONG_CHOICES = {FeatureKind.WRONG_OBJECT, FeatureKind.WRONG_TEXT, FeatureKind.WRONG_APP}
"""Signs of a wrong choice of the agent: where the app is to blame, the choice was right."""
_WEAK_FOR_APP = {FeatureKind.DIFFERENT_RESULT, FeatureKind.NO_CHANGE, FeatureKind.NOT_SUBMITTED}
"""Signs of a broken app that often follow from a lost text or a page that never loads, which say more."""
_UNREAD = (
    "Look at the picture after this step: it may show a message that explains why, which is not in the UI "
    "tree and was not read."
)
_NOT_REPEATED = {
    FeatureKind.INTERRUPTION_OPEN,
    FeatureKind.WRONG_OBJECT,
    FeatureKind.WRONG_TEXT,
    FeatureKind.WRONG_APP,
    FeatureKind.OUT_OF_VIEW,
    FeatureKind.TARGET_MISSING,
}
"""Features of an action that was wrong, which a probe does not repeat."""


class OfflineSupervisor:
    """Supervises diagnoses without a model.

    Attributes:
        name: ``offline``.
    """

    name = "offline"

    def __init__(self, continuation: Continuation = Continuation.REFERENCE) -> None:
        """Prepare.

        Args:
            continuation: Who continues after a probe's steps.
        """
        self._continuation = continuation

    def summarize(self, case: FailedCase, history: Sequence[PerformedProbe]) -> FailureSummary:
        """Fork at the earliest strong sign; in a later round at an earlier one, and at last at the start."""
        found = trajectory_features(case)
        if history:
            return FailureSummary(
                0,
                _category(found),
                "The probes of the first round decided nothing; the whole task is tried from its start.",
                restart="Start over from the first screen.",
            )
        strong = [each for each in found if _SIGNS[each.kind].weight >= _STRONG]
        if not strong:
            return self._without_sign(case, found)
        first = min(strong, key=lambda each: (each.place, -_SIGNS[each.kind].weight))
        sign, step = _SIGNS[first.kind], case.steps[first.place].step
        begun = None if first.begun is None else case.steps[first.begun].step
        when = f"In step {step}" if begun is None else f"From step {begun} to step {step}"
        return FailureSummary(
            first.place,
            sign.category,
            f"{when}, {first.detail}.",
            sign.blames,
            "Repeat the sub-goal in another manner."
            if sign.blames is _ENV
            else "Choose another action here.",
            _UNREAD if first.kind is FeatureKind.ONLY_PICTURE else "",
            wrong=first.place if first.begun is None else first.begun,
            symptom=_symptom(case, found, first),
        )

    def _without_sign(self, case: FailedCase, found: tuple[Feature, ...]) -> FailureSummary:
        last = len(case.steps) - 1
        detail = "; ".join(dict.fromkeys(each.detail for each in found)) or "no step looks wrong"
        category = _category(found) if found else FailureCategory.UNKNOWN
        signs = [each for each in found if each.kind not in _NO_WRONG_STEP]
        late = last if FeatureKind.ENDED_EARLY in {each.kind for each in found} else None
        wrong = min((each.place if each.begun is None else each.begun for each in signs), default=late)
        end = case.steps[last].step
        begun = end if wrong is None else case.steps[wrong].step
        when = f"Up to step {end}" if begun == end else f"From step {begun} to step {end}"
        return FailureSummary(
            last, category, f"{when}, {detail}.", wrong=wrong, symptom=_symptom(case, found, None)
        )

    def propose(
        self,
        case: FailedCase,
        summary: FailureSummary,
        quotas: dict[ProbeType, int],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Take the best plans of each type up to its quota; other types fill what a type lacks."""
        kinds = {each.kind for each in trajectory_features(case) if each.place == summary.fork}
        plans = catalog(
            case,
            summary.fork,
            repeatable=not kinds & _NOT_REPEATED,
            continuation=self._continuation,
            silent=FeatureKind.NO_CHANGE in kinds,
        )
        tried = {each.probe.name for each in history}
        left = {kind: [each for each in probes if each.name not in tried] for kind, probes in plans.items()}
        chosen = [each for kind in ProbeType for each in left[kind][: quotas[kind]]]
        spare = [each for kind in ProbeType for each in left[kind][quotas[kind] :]]
        return tuple(chosen + spare[: max(0, sum(quotas.values()) - len(chosen))])

    def select(
        self,
        case: FailedCase,
        summary: FailureSummary,
        candidates: Sequence[DiagnosticProbe],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Rank the candidates by the routing weight of their type, spread over the types."""
        weights = routing_weights(summary.category)
        seen = dict.fromkeys(ProbeType, 0)
        ranked = []
        for place, probe in enumerate(candidates):
            seen[probe.type] += 1
            ranked.append((-weights[probe.type] / seen[probe.type], place, probe))
        return tuple(probe for _, _, probe in sorted(ranked, key=lambda each: each[:2]))


def _symptom(case: FailedCase, found: Sequence[Feature], first: Feature | None) -> AppSymptom | None:
    """Return what is said where the environment is blamed; None for what the first strong sign says.

    Args:
        case: The failed episode.
        found: Its features, by step.
        first: The strong sign at the fork; None without one.
    """
    wrong = first is not None and first.kind in _WRONG_CHOICES
    if first is not None and not wrong and first.kind not in _WEAK_FOR_APP:
        return None
    latest = len(case.steps) if first is None or wrong else first.place
    lost = next((each for each in found if each.kind is FeatureKind.TEXT_GONE and each.place <= latest), None)
    shown = lost or _endless_loading(case, found)
    if shown is not None:
        return AppSymptom(f"In step {case.steps[shown.place].step}, {shown.detail}.", shown.place)
    if not wrong:
        return None
    of_app = [each for each in found if _SIGNS[each.kind].blames is _ENV and each.kind not in _NO_WRONG_STEP]
    if of_app:
        return AppSymptom(f"In step {case.steps[of_app[0].place].step}, {of_app[0].detail}.", of_app[0].place)
    return AppSymptom("No step of the record shows what is broken.")


def _endless_loading(case: FailedCase, found: Sequence[Feature]) -> Feature | None:
    """Return the first of two successive screens that are loading: by their texts, or by a spinner."""
    loading = {each.place: each for each in found if each.kind is FeatureKind.LOADING}
    for place, step in enumerate(case.steps):
        if place not in loading and not step.interrupted and shows_spinner(step.tree):
            loading[place] = Feature(FeatureKind.LOADING, place, "the page did not end loading")
    return next((each for place, each in sorted(loading.items()) if place + 1 in loading), None)


def _category(found: Sequence[Feature]) -> FailureCategory:
    """Return the category that the features suggest together."""
    votes: dict[FailureCategory, float] = {}
    for each in found:
        sign = _SIGNS[each.kind]
        votes[sign.category] = votes.get(sign.category, 0.0) + sign.weight
    return max(votes, key=lambda each: votes[each], default=FailureCategory.UNKNOWN)
