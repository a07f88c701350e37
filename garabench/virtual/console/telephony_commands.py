"""``gsm`` and ``sms`` of the emulator console: phone calls, the mobile network and messages.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import re

from garabench.virtual.android import contacts_provider
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_calls import CallState
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError, unescape

_CALL_WORDS = {
    **{CallState.RINGING: "incoming", CallState.DIALING: "dialing", CallState.ACTIVE: "active"},
    CallState.HOLDING: "held",
}
_MAX_RSSI, _UNKNOWN_RSSI = 31, 99
_DIALER, _MESSAGES = "com.android.dialer", "com.android.messaging"
_GSM_STATES = ("unregistered", "home", "roaming", "searching", "denied", "off", "on")
_GSM_REGISTERED = ("home", "roaming", "on")


class TelephonyCommands:
    """The commands ``gsm`` and ``sms`` for a phone."""

    def __init__(self, phone: Phone) -> None:
        """Create the commands.

        Args:
            phone: The phone.
        """
        self._phone = phone
        command = ConsoleCommand
        self.gsm = command(
            "gsm",
            "GSM related commands",
            "allows you to change GSM-related settings, or to make a new inbound phone call",
            commands=(
                command("list", "list current phone calls", handler=self._gsm_list),
                command("call", "create inbound phone call", handler=self._gsm_call),
                command(
                    "accept",
                    "change the state of an outbound call to 'active'",
                    "'gsm accept <phonenumber>'",
                    handler=self._gsm_accept,
                ),
                command("cancel", "disconnect an inbound or outbound call", handler=self._gsm_cancel),
                command("status", "display GSM status", handler=self._gsm_status),
                command(
                    "busy",
                    "close waiting outbound call as busy",
                    "'gsm busy <remoteNumber>'",
                    handler=self._gsm_busy,
                ),
                command(
                    "hold",
                    "change the state of an outbound call to 'held'",
                    "'gsm hold <remoteNumber>'",
                    handler=self._gsm_hold,
                ),
                command("signal", "set sets the rssi and ber", handler=self._gsm_signal),
                command("data", "modify data connection state", handler=self._gsm_data),
                command("voice", "modify voice connection state", handler=self._gsm_voice),
            ),
        )
        self.sms = command(
            "sms",
            "SMS related commands",
            "allows you to simulate an inbound SMS",
            commands=(command("send", "send inbound SMS text message", handler=self._sms_send),),
        )

    def _gsm_list(self, args: str) -> str:
        return "".join(
            f"{'outbound to  ' if call.is_outgoing else 'inbound from'} {call.number:<10} : "
            f"{_CALL_WORDS[call.state]}\n"
            for call in self._phone.network.calls
        )

    def _gsm_call(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm call <phonenumber>'")
        if not re.fullmatch(r"[0-9+#]+", args):
            raise ConsoleRefusedError("bad phone number format, use digits, # and + only")
        self._phone.network.calls.ring(args)
        self._phone.notifications.post(_DIALER, "call", args, "")
        return ""

    def _gsm_accept(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm accept <phonenumber>'")
        if not self._phone.network.calls.accept(args):
            raise ConsoleRefusedError("could not accept this number")
        self._phone.changed()
        return ""

    def _gsm_status(self, args: str) -> str:
        network = self._phone.network
        data = network.mobile_data and not network.airplane
        return (
            f"gsm voice state: {'unregistered' if network.airplane else network.voice}\n"
            f"gsm data state:  {'home' if data else 'unregistered'}\n"
        )

    def _gsm_data(self, args: str) -> str:
        if args not in _GSM_STATES:
            raise ConsoleRefusedError("bad GSM data state name, try 'help gsm data' for list of valid values")
        self._phone.network.mobile_data = args in _GSM_REGISTERED
        self._phone.changed()
        return ""

    def _gsm_voice(self, args: str) -> str:
        if args not in _GSM_STATES:
            raise ConsoleRefusedError(
                "bad GSM voice state name, try 'help gsm voice' for list of valid values"
            )
        self._phone.network.voice = "unregistered" if args == "off" else "home" if args == "on" else args
        return ""

    def _gsm_busy(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm busy <phonenumber>'")
        found = self._phone.network.calls.find(args)
        if found is None or not found.is_outgoing:
            raise ConsoleRefusedError(f"no current outbound call to number '{args}' (call (nil))")
        self._phone.network.calls.hang_up(args)
        self._phone.changed()
        return ""

    def _gsm_hold(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm hold <phonenumber>'")
        if not self._phone.network.calls.hold(args):
            raise ConsoleRefusedError("could put this call on hold")
        self._phone.changed()
        return ""

    def _gsm_signal(self, args: str) -> str:
        words = args.split()
        if not words:
            raise ConsoleRefusedError("not enough arguments: see 'help gsm signal' for details")
        level = int(words[0]) if words[0].isdecimal() else -1
        if not (0 <= level <= _MAX_RSSI or level == _UNKNOWN_RSSI):
            raise ConsoleRefusedError("invalid RSSI - must be 0..31 or 99")
        known = level != _UNKNOWN_RSSI  # 3GPP TS 27.007: steps of 2 dB above -113 dBm
        self._phone.network.signal_dbm = 2 * level - 113 if known else -113
        return ""

    def _gsm_cancel(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm cancel <phonenumber>'")
        ended = self._phone.network.calls.hang_up(args)
        if ended is None:
            raise ConsoleRefusedError("could not cancel this number")
        if not ended.is_outgoing:
            missed = ended.state is CallState.RINGING
            contacts_provider.log_call(
                self._phone, args, contacts_provider.MISSED if missed else contacts_provider.INCOMING
            )
        self._phone.notifications.cancel_all(_DIALER)
        return ""

    def _sms_send(self, args: str) -> str:
        number, space, text = args.partition(" ")
        if not space:
            raise ConsoleRefusedError("missing argument, try 'sms send <phonenumber> <text message>'")
        if not re.fullmatch(r"\+?[0-9]+", number):
            raise ConsoleRefusedError("bad phone number format, must be [+](0-9)*")
        self._phone.notifications.post(_MESSAGES, "message", number, unescape(text))
        return ""
