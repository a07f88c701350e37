"""The builtins for options: ``set`` and ``getopts`` (``mksh.1``; POSIX.1-2017 ``getopts``)."""

from __future__ import annotations

from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.conditions import OPTIONS
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printing import print_error, print_text, quote
from garabench.virtual.shell.shell_state import ShellError

_NAMES = (
    *("allexport", "asis", "bgnice", "braceexpand", "emacs", "errexit", "gmacs", "ignoreeof"),
    *("inherit-xtrace", "interactive", "keyword", "login", "markdirs", "monitor", "noclobber", "noexec"),
    *("noglob", "nohup", "nolog", "notify", "nounset", "physical", "pipefail", "posix", "privileged"),
    *("restricted", "sh", "stdin", "trackall", "utf8-mode", "verbose", "vi", "vi-esccomplete"),
    *("vi-tabcomplete", "viraw", "xtrace"),
)
_ALWAYS_ON = frozenset({"braceexpand", "emacs", "inherit-xtrace", "nohup", "trackall", "utf8-mode"})
_UNSAID = _ALWAYS_ON - {"braceexpand", "utf8-mode"}
"""Options that ``set +o`` leaves out, as a shell without a terminal has them anyway."""
_LETTERS = frozenset("abCefhiklmnpruvXxU")
_COLUMNS = 4


async def set_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Set options, arguments or arrays, or print the variables."""
    if len(argv) == 1:
        for name, value in sorted(sh.state.variables.items()):
            await print_text(streams, f"{name}={quote(value)}\n")
        return 0
    words, array, overlays, sorts = argv[1:], "", False, False
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "--":
            if not array:
                sh.state.arguments = sorted(words) if sorts else words
                return 0
            break
        letters = word[1:]
        if "s" in letters:
            sorts, letters = True, letters.replace("s", "")
        if "A" in letters and words and not array:
            array, overlays = words.pop(0), word[0] == "+"
            letters = letters.replace("A", "")
        if "o" in letters:
            if not words:
                await _print_options(sh, streams, commands=word[0] == "+")
                return 0
            letters = letters.replace("o", "") + "\0"
        for letter in letters:
            _set_option(sh, words.pop(0) if letter == "\0" else letter, on=word[0] == "-")
    values = sorted(words) if sorts else words
    if array:
        sh.state.set_array(array, values, overlays=overlays)
    elif words:
        sh.state.arguments = values
    elif sorts:
        sh.state.arguments.sort()
    return 0


def _set_option(sh: Execution, option: str, *, on: bool) -> None:
    """Set an option by letter or name.

    Raises:
        ShellError: It is unknown.
    """
    if option not in _LETTERS and option not in _NAMES:
        raise ShellError(f"set: {option if len(option) > 1 else f'-{option}'}: unknown option")
    key = OPTIONS.get(option, option)
    if key in OPTIONS.values():
        change = sh.state.options.add if on else sh.state.options.discard
        change(key)


async def _print_options(sh: Execution, streams: Streams, *, commands: bool) -> None:
    """Print the options as a table, or as a command that sets them."""
    on = {name for name in _NAMES if name in _ALWAYS_ON or OPTIONS.get(name) in sh.state.options}
    if commands:
        shown = " ".join(f"-o {name}" for name in _NAMES if name in on - _UNSAID)
        await print_text(streams, f"set -o .reset {shown}\n")
        return
    rows = -(-len(_NAMES) // _COLUMNS)
    text = "Current option settings\n"
    for row in range(rows):
        cells = [f"{name:<14} {'on ' if name in on else 'off'}" for name in _NAMES[row::rows]]
        text += "  ".join(cells).rstrip() + "\n"
    await print_text(streams, text)


async def getopts(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``getopts OPTIONS NAME [WORD …]``: parse the next option of the arguments."""
    if len(argv) < 3:
        raise ShellError("getopts: missing argument")
    state = sh.state
    allowed, name = argv[1], argv[2]
    words = argv[3:] or state.arguments
    silent = allowed.startswith(":")
    index = int(state.parameter("OPTIND") or 1)
    place = state.option_place

    def end(status: int, option: str, argument: str | None) -> int:
        state.set("OPTIND", str(index))
        state.option_place = place
        state.unset("OPTARG")
        if argument is not None:
            state.set("OPTARG", argument)
        state.set(name, option)
        return status

    word = words[index - 1] if index <= len(words) else ""
    if place == 0:
        if word == "--":
            index += 1
        if word in ("", "-", "--") or word[0] != "-":
            return end(1, "?", None)
        place = 1
    letter = word[place]
    place += 1
    at_end = place >= len(word)
    found = allowed.find(letter, int(silent)) if letter != ":" else -1
    if at_end:
        index, place, rest = index + 1, 0, ""
    else:
        rest = word[place:]
    if found < 0:
        if not silent:
            await print_error(streams, f"-{letter}: unknown option")
        return end(0, "?", letter if silent else None)
    if allowed[found + 1 : found + 2] != ":":
        return end(0, letter, "")
    if rest:
        index, place = index + 1, 0
        return end(0, letter, rest)
    if index > len(words):
        if not silent:
            await print_error(streams, f"-{letter}: requires an argument")
        return end(0, ":" if silent else "?", letter if silent else None)
    index += 1
    return end(0, letter, words[index - 2])
