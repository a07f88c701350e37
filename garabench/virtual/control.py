"""Control a phone from outside, through its parent's pipe or its panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.virtual.adb.auth import KeyStore
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.snapshot import Snapshot

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_SNAPSHOTS = 32
_LANGUAGES = ("zh", "en")
_NIGHT = ("secure", "ui_night_mode")
_NIGHT_OFF, _NIGHT_ON = "1", "2"


class PhoneControl:
    """Carries out control commands: a verb and its values.

    ===========  ==========================  =======================================================
    verb         values                      effect
    ===========  ==========================  =======================================================
    ``fault``    ``name``, ``on``, ``params``  switch a fault
    ``defect``   ``name``, ``on``, ``rate``, ``draw``  switch a defect
    ``allow``                                accept the keys of the waiting adb servers
    ``reset``    ``seed``                    return to the state after boot, with a new seed if given
    ``language``  ``lang``                   set the language, ``zh`` or ``en``
    ``dark``     ``on``                      switch the dark theme
    ``save``     ``name``                    save a snapshot while the phone runs
    ``restore``  ``name``                    restore a snapshot; apps end
    ===========  ==========================  =======================================================
    """

    def __init__(self, phone: Phone, keys: KeyStore) -> None:
        self._phone = phone
        self._keys = keys
        self._snapshots: dict[str, Snapshot] = {}
        self._verbs: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
            "fault": self._fault,
            "defect": self._defect,
            "allow": lambda values: keys.accept_waiting(),
            "reset": self._reset,
            "language": self._language,
            "dark": self._dark,
            "save": self._save,
            "restore": self._restore,
        }

    @property
    def verbs(self) -> frozenset[str]:
        """The known verbs."""
        return frozenset(self._verbs)

    @property
    def snapshots(self) -> tuple[str, ...]:
        """Names of the saved snapshots, in order."""
        return tuple(sorted(self._snapshots))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Owners of the keys that wait to be accepted, in order."""
        return tuple(sorted(key.owner for key in self._keys.waiting))

    @property
    def dark(self) -> bool:
        """Whether the dark theme is on."""
        return self._phone.settings.get(*_NIGHT) == _NIGHT_ON

    def execute(self, verb: str, values: Mapping[str, Any]) -> None:
        """Carry out a command.

        Raises:
            InputError: The verb, fault, defect, language or snapshot is unknown, or a value is missing.
        """
        if verb not in self._verbs:
            raise InputError(f"unknown control command {verb!r}", hint=did_you_mean(verb, self._verbs))
        self._verbs[verb](values)
        self._phone.changed()

    def _fault(self, values: Mapping[str, Any]) -> None:
        params = values.get("params") or {}
        if not isinstance(params, dict):
            raise InputError("a fault's params must be an object")
        faults = self._phone.faults
        if values.get("on"):
            faults.enable(_string(values, "name"), **params)
        else:
            faults.disable(_string(values, "name"))

    def _defect(self, values: Mapping[str, Any]) -> None:
        defects, name = self._phone.defects, _string(values, "name")
        if values.get("on"):
            rate = values.get("rate")
            if rate is not None and (not isinstance(rate, int | float) or isinstance(rate, bool)):
                raise InputError("a defect's rate must be a number")
            draw = values.get("draw", 0)
            if not isinstance(draw, int) or isinstance(draw, bool):
                raise InputError("the number of a defect's draws must be an integer")
            defects.enable(name, rate=rate, draw=draw)
        else:
            defects.disable(name)

    def _reset(self, values: Mapping[str, Any]) -> None:
        seed = values.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise InputError("a phone's seed must be an integer")
        self._phone.reset(seed=seed)

    def _language(self, values: Mapping[str, Any]) -> None:
        lang = _string(values, "lang")
        if lang not in _LANGUAGES:
            raise InputError(f"a phone's language is zh or en, not {lang!r}")
        self._phone.lang = lang

    def _dark(self, values: Mapping[str, Any]) -> None:
        self._phone.settings.put(*_NIGHT, _NIGHT_ON if values.get("on") else _NIGHT_OFF)

    def _save(self, values: Mapping[str, Any]) -> None:
        name = _string(values, "name")
        if not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is not a valid snapshot name", hint="Use small letters, digits and hyphens."
            )
        if len(self._snapshots) >= _MAX_SNAPSHOTS and name not in self._snapshots:
            raise InputError(f"{_MAX_SNAPSHOTS} snapshots are already saved", hint="Overwrite one of them.")
        self._snapshots[name] = self._phone.snapshot()

    def _restore(self, values: Mapping[str, Any]) -> None:
        name = _string(values, "name")
        if name not in self._snapshots:
            raise InputError(f"no snapshot named {name!r}", hint=did_you_mean(name, self._snapshots))
        self._phone.restore(self._snapshots[name])


def _string(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise InputError(f"the value {key!r} is missing or not a string")
    return value
