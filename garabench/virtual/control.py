"""What switches a phone from outside, by whichever way it came: the pipe of who started it, or its panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from garabench.core.names import did_you_mean
from garabench.errors import InputError
from garabench.virtual.adb.keys import KeyStore
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.snapshot import Snapshot

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOST_KEPT = 32
_LANGUAGES = ("zh", "en")
_NIGHT = ("secure", "ui_night_mode")
_NIGHT_OFF, _NIGHT_ON = "1", "2"


class Control:
    """Carries out commands: a verb and its values.

    ===========  ==========================  =======================================================
    verb         values                      effect
    ===========  ==========================  =======================================================
    ``fault``    ``name``, ``on``, ``params``  a fault is switched
    ``allow``                                the keys of the adb servers that wait are accepted
    ``reset``    ``seed``                    as after switching on, with that seed if one is given
    ``language``  ``lang``                   ``zh`` or ``en``
    ``dark``     ``on``                      the dark theme
    ``save``     ``name``                    what lasts is kept under a name, as long as the phone runs
    ``restore``  ``name``                    it is put back; apps end
    ===========  ==========================  =======================================================
    """

    def __init__(self, phone: Phone, keys: KeyStore) -> None:
        self._phone = phone
        self._keys = keys
        self._kept: dict[str, Snapshot] = {}
        self._verbs: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
            "fault": self._fault,
            "allow": lambda values: keys.accept_waiting(),
            "reset": self._reset,
            "language": self._language,
            "dark": self._dark,
            "save": self._save,
            "restore": self._restore,
        }

    @property
    def verbs(self) -> frozenset[str]:
        """What it can be told."""
        return frozenset(self._verbs)

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the states that are kept, in order."""
        return tuple(sorted(self._kept))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Owners of the keys that wait to be accepted, in order."""
        return tuple(sorted(key.owner for key in self._keys.waiting))

    @property
    def dark(self) -> bool:
        """Whether the dark theme is on."""
        return self._phone.settings.get(*_NIGHT) == _NIGHT_ON

    def obey(self, verb: str, values: Mapping[str, Any]) -> None:
        """Carry out a command.

        Raises:
            InputError: There is no such verb, fault, language or kept state, or a value is missing.
        """
        if verb not in self._verbs:
            raise InputError(f"a phone cannot be told to {verb!r}", hint=did_you_mean(verb, self._verbs))
        self._verbs[verb](values)
        self._phone.changed()

    def _fault(self, values: Mapping[str, Any]) -> None:
        params = values.get("params") or {}
        if not isinstance(params, dict):
            raise InputError("a fault's params are no object")
        faults = self._phone.faults
        if values.get("on"):
            faults.enable(_word(values, "name"), **params)
        else:
            faults.disable(_word(values, "name"))

    def _reset(self, values: Mapping[str, Any]) -> None:
        seed = values.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise InputError("a phone's seed is a whole number")
        self._phone.reset(seed=seed)

    def _language(self, values: Mapping[str, Any]) -> None:
        lang = _word(values, "lang")
        if lang not in _LANGUAGES:
            raise InputError(f"a phone speaks zh and en, not {lang!r}")
        self._phone.lang = lang

    def _dark(self, values: Mapping[str, Any]) -> None:
        self._phone.settings.put(*_NIGHT, _NIGHT_ON if values.get("on") else _NIGHT_OFF)

    def _save(self, values: Mapping[str, Any]) -> None:
        name = _word(values, "name")
        if not _NAME.fullmatch(name):
            raise InputError(f"{name!r} is no name", hint="Use small letters, digits and hyphens.")
        if len(self._kept) >= _MOST_KEPT and name not in self._kept:
            raise InputError(f"{_MOST_KEPT} states are kept already", hint="Save under one of their names.")
        self._kept[name] = self._phone.snapshot()

    def _restore(self, values: Mapping[str, Any]) -> None:
        name = _word(values, "name")
        if name not in self._kept:
            raise InputError(f"no state {name!r} was saved", hint=did_you_mean(name, self._kept))
        self._phone.restore(self._kept[name])


def _word(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise InputError(f"the value {key!r} is missing or no text")
    return value
