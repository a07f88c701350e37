"""The reference agents as a run can name them."""

from __future__ import annotations

from garabench.agents.reference.policy import Policy

ABOUT = {
    Policy.DISMISS: "takes the easy exit of an interruption, where there is one",
    Policy.ACCEPT: "takes what an interruption offers, with its consequences",
    Policy.IGNORE: "taps on as if no interruption were there",
    Policy.RANDOM: "presses a button at random",
}
