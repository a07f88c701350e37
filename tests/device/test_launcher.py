"""The launcher activity, parsed from ``dumpsys package``."""

from __future__ import annotations

import pytest

from garabench.device.launcher import parse_component

DUMP = """\
Activity Resolver Table:
  Schemes:
      http:
        41f0a1b0 org.example.app/.Link filter 41f0a2c8
          Action: "android.intent.action.VIEW"
          Category: "android.intent.category.BROWSABLE"
          Scheme: "http"

  Non-Data Actions:
      android.intent.action.MAIN:
        41f0b1b0 org.example.app/.Wizard filter 41f0b2c8
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.DEFAULT"
        41f0c1b0 org.example.app/.Old filter 41f0c2c8
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.LAUNCHER"
        41f0d1b0 org.example.app/org.example.ui.Home$Alias filter 41f0d2c8
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.DEFAULT"
          Category: "android.intent.category.LAUNCHER"
          AutoVerify=false

Receiver Resolver Table:
  Non-Data Actions:
      android.intent.action.MAIN:
        41f0e1b0 org.example.app/.Receiver filter 41f0e2c8
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.LAUNCHER"

Packages:
  Package [org.example.app] (41f0f1b0):
    User 0:  installed=true blocked=false stopped=false notLaunched=false enabled=0
      disabledComponents:
        org.example.app.Old
"""
HOME = "org.example.app/org.example.ui.Home$Alias"


@pytest.mark.parametrize(
    ("text", "component"),
    [
        (DUMP, HOME),
        (
            DUMP.replace("        org.example.app.Old\n", "        org.example.ui.Home$Alias\n"),
            "org.example.app/.Old",
        ),
        (DUMP.replace("enabled=0", "enabled=3"), None),
        (DUMP.partition("Receiver")[1] + DUMP.partition("Receiver")[2], None),
        (DUMP.replace("category.LAUNCHER", "category.HOME"), None),
        (
            "".join(line for line in DUMP.splitlines(keepends=True) if ': "' not in line),
            "org.example.app/.Wizard",
        ),
        ("Unable to find package: org.example.app\n", None),
        ("", None),
    ],
)
def test_the_first_enabled_launcher_activity_is_found(text: str, component: str | None) -> None:
    assert parse_component(text, "org.example.app") == component


def test_an_activity_of_another_app_is_ignored() -> None:
    assert parse_component(DUMP, "org.example") is None
