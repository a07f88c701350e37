"""Descriptions of the reference agents."""

from __future__ import annotations

from garabench.agents.reference.exit_choice import Policy

ABOUT = {
    Policy.DISMISS: "presses the easy exit of an interruption, if there is one",
    Policy.ACCEPT: "accepts what an interruption offers, with its consequences",
    Policy.IGNORE: "continues as if there were no interruption",
    Policy.RANDOM: "presses a random button of an interruption",
}
