"""The parts of ``dumpsys activity`` and ``dumpsys window`` that show little on this phone.

Sources: AOSP ``ActivityManagerService.dump``, ``WindowManagerService.doDump``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.commands import root_tasks
from garabench.virtual.commands.identity_hash import identity_hash

ACTIVITY_HELP = (
    "Activity manager dump options:\n"
    "  [-a] [-c] [-p PACKAGE] [-h] [WHAT] ...\n  WHAT may be one of:\n"
    "    a[ctivities]: activity stack state\n    r[recents]: recent activities state\n"
    "    b[roadcasts] [PACKAGE_NAME] [history [-s]]: broadcast state\n"
    "    i[ntents] [PACKAGE_NAME]: pending intent state\n"
    "    p[rocesses] [PACKAGE_NAME]: process state\n    o[om]: out of memory management\n"
    "    perm[issions]: URI permission grant state\n"
    "    prov[iders] [COMP_SPEC ...]: content provider state\n"
    "    provider [COMP_SPEC]: provider client-side state\n"
    "    s[ervices] [COMP_SPEC ...]: service state\n"
    "    service [COMP_SPEC]: service client-side state\n    lru: LRU process list\n"
    "    package [PACKAGE_NAME]: all state related to given package\n    all: dump all activities\n"
    "    top: dump the top activity\n    users: user state\n"
    "  WHAT may also be a COMP_SPEC to dump activities.\n"
)
WINDOW_HELP = (
    "Window manager dump options:\n  [-a] [-h] [cmd] ...\n  cmd may be one of:\n"
    "    l[astanr]: last ANR information\n    p[policy]: policy state\n    a[animator]: animator state\n"
    "    s[essions]: active sessions\n    surfaces: active surfaces (debugging enabled only)\n"
    "    d[isplays]: active display contents\n    t[okens]: token list\n    w[indows]: window list\n"
    "    visible-apps: visible app windows\n    containers: containers of displays\n"
    "  cmd may also be a NAME to dump windows.  NAME may\n    be a partial substring in a window name, a\n"
    "    Window hex object identifier, or\n    \"all\" for all windows, or\n"
    "    \"visible\" for the visible windows.\n  -a: include all available server state.\n"
)  # fmt: skip
_FOREGROUND_ADJ, _HOME_ADJ, _CACHED_ADJ = 0, 600, 900


def _adjustments(phone: Phone) -> list[tuple[int, str, int]]:
    """Return pid, name and adjustment of the apps' processes, the most important first."""
    front = {record.app.package for record in phone.activities.visible()}
    home = phone.packages.home()
    rows = []
    for pid, name in phone.processes.list():
        at_home = home is not None and name == home.app.package
        rows.append((pid, name, _FOREGROUND_ADJ if name in front else _HOME_ADJ if at_home else _CACHED_ADJ))
    return sorted(rows, key=lambda row: row[2])


_SHORT = {_FOREGROUND_ADJ: ("fg ", "TOP "), _HOME_ADJ: ("home", "HOME"), _CACHED_ADJ: ("cch", "CRE ")}


def _user(phone: Phone, package: str) -> str:
    found = phone.packages.get(package)
    return f"u0a{found.uid - 10_000}" if found is not None and found.uid >= 10_000 else "1000"


def lru(phone: Phone) -> str:
    """The processes in the order of their last use."""
    rows = "".join(
        f"  #{number}: {_SHORT[adjustment][0]} {_SHORT[adjustment][1]} {pid}:{name}/{_user(phone, name)}\n"
        for number, (pid, name, adjustment) in reversed([*enumerate(reversed(_adjustments(phone)))])
    )
    return f"ACTIVITY MANAGER LRU PROCESSES (dumpsys activity lru)\n  Activities:\n{rows}"


def oom(phone: Phone) -> str:
    """The order in which the system would end processes."""
    found = _adjustments(phone)
    rows = "".join(
        f"    Proc #{number}: {_SHORT[adjustment][0]} {_SHORT[adjustment][1]} trm: 0 "
        f"{pid}:{name}/{_user(phone, name)} ({'top-activity' if not adjustment else 'cch-act'})\n"
        f"        oom: max=1001 curRaw={adjustment} setRaw={adjustment} cur={adjustment} set={adjustment}\n"
        for number, (pid, name, adjustment) in enumerate(found)
    )
    return (
        "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity oom)\n  OOM levels:\n"
        "    -900: SYSTEM_ADJ (   73,728K)\n    -800: PERSISTENT_PROC_ADJ (   73,728K)\n"
        "       0: FOREGROUND_ADJ (   73,728K)\n     600: HOME_APP_ADJ (  129,024K)\n"
        "     900: CACHED_APP_MIN_ADJ (  322,560K)\n\n"
        f"  Process OOM control ({len(found)} total, non-act at 0, non-svc at 0):\n"
        f"    PERS #0: sys    F/ /PER  trm: 0 {SYSTEM_SERVER_PID}:system/1000 (fixed)\n{rows}"
    )


def providers(phone: Phone) -> str:
    """The content providers of running apps."""
    rows = "".join(
        f"  * ContentProviderRecord{{{identity_hash('record', provider.name)[:7]} u0 "
        f"{each.app.package}/{provider.name}}}\n    package={each.app.package} process={each.app.package}\n"
        f"    uid={each.uid} provider=android.content.ContentProviderProxy\n    authority={authority}\n"
        for each in phone.packages.all()
        if phone.processes.pidof(each.app.package) is not None
        for authority, provider in each.app.providers.items()
    )
    head = "ACTIVITY MANAGER CONTENT PROVIDERS (dumpsys activity providers)\n"
    return (
        f"{head}  Published user 0 content providers (by class):\n{rows}" if rows else f"{head}  (nothing)\n"
    )


def last_anr(phone: Phone, of: str) -> str:
    """The last app that did not respond, of the ``ACTIVITY`` or ``WINDOW`` manager."""
    anr = [entry for entry in phone.logcat.read() if entry.message.startswith("ANR in ")]
    shown = f"ANR time: {anr[-1].time:%b %d, %Y %H:%M:%S}\n  {anr[-1].message}" if anr else ""
    shown = shown or "<no ANR has occurred since boot>"
    return f"{of} MANAGER LAST ANR (dumpsys {of.lower()} lastanr)\n  {shown}\n"


def _nothing(title: str, name: str) -> Callable[[Phone], str]:
    return lambda phone: f"ACTIVITY MANAGER {title} (dumpsys activity {name})\n  (nothing)\n"


def _starter(phone: Phone) -> str:
    top, head = phone.activities.resumed, "ACTIVITY MANAGER STARTER (dumpsys activity starter)\n"
    if top is None:
        return f"{head}  (nothing)\n"
    return f"{head}  mCurrentUser=0\n  mLastStartReason=startActivityAsUser\n    r={top.component}\n"


def _users(phone: Phone) -> str:
    return (
        "ACTIVITY MANAGER STARTED USERS (dumpsys activity users)\n  User #0: state=RUNNING_UNLOCKED\n"
        "  mCurrentUserId:0\n"
    )


ACTIVITY_PARTS: Mapping[str, Callable[[Phone], str]] = {
    **dict.fromkeys(("i", "intents"), _nothing("PENDING INTENTS", "intents")),
    **dict.fromkeys(("perm", "permissions"), _nothing("URI PERMISSIONS", "permissions")),
    **dict.fromkeys(("prov", "providers"), providers),
    **dict.fromkeys(("o", "oom"), oom),
    "lru": lru,
    "lastanr": lambda phone: last_anr(phone, "ACTIVITY"),
    "broadcast-stats": _nothing("BROADCAST STATS STATE", "broadcast-stats"),
    "exit-info": lambda phone: (
        "ACTIVITY MANAGER PROCESS EXIT INFO (dumpsys activity exit-info)\n"
        "Last Timestamp of Persistence Into Persistent Storage: 0\n"
    ),
    "starter": _starter,
    "users": _users,
    "allowed-associations": _nothing("ASSOCIATION", "allowed-associations"),
}


def tokens(phone: Phone) -> str:
    """The tokens of windows: of activities, and of the system's windows."""
    rows = [
        f"  ActivityRecord{{{identity_hash('token', record.component, task.task_id)[:7]} u0 "
        f"{record.component} t{task.task_id}}}\n"
        for task in phone.activities.tasks
        for record in task.stack
    ]
    system = [window.title for window in phone.scene().windows if "/" not in window.title]
    rows += [
        f"  WindowToken{{{identity_hash('token', title)[:7]} type=2000 "
        f"android.os.BinderProxy@{identity_hash('binder', title)[:7]}}}\n"
        for title in system
    ]
    return f"WINDOW MANAGER TOKENS (dumpsys window tokens)\n  All tokens:\n{''.join(rows)}"


def sessions(phone: Phone) -> str:
    """The connections of processes with windows."""
    rows = "".join(
        f"  Session{{{identity_hash('session', name)[:7]} {pid}:{_user(phone, name)}}}\n"
        for pid, name in phone.processes.list()
    )
    return f"WINDOW MANAGER SESSIONS (dumpsys window sessions)\n{rows}"


def containers(phone: Phone) -> str:
    """The tree of displays, tasks and activities."""
    now = phone.display.current_size
    kind, box = "type=standard mode=fullscreen", f"bounds=[0,0][{now.width},{now.height}]"
    lines = [f"ROOT type=undefined mode=fullscreen override-mode=undefined requested-bounds=[0,0][0,0] {box}"]
    lines.append(f'  #0 Display 0 name="Built-in Screen" type=undefined mode=fullscreen {box}')
    for number, root in enumerate(reversed(root_tasks.root_tasks(phone))):
        lines.append(f"    #{number} Task={root.task_id} {kind} {box}")
        records = [record for task in root.tasks for record in task.stack]
        lines += [
            f"      #{at} ActivityRecord{{{identity_hash('token', record.component)[:7]} u0 "
            f"{record.component} t{root.task_id}}} {kind} {box}"
            for at, record in enumerate(records)
        ]
    return "".join(f"{line}\n" for line in lines)


WINDOW_PARTS: Mapping[str, Callable[[Phone], str]] = {
    **dict.fromkeys(("t", "tokens"), tokens),
    **dict.fromkeys(("s", "sessions"), sessions),
    **dict.fromkeys(("l", "lastanr"), lambda phone: last_anr(phone, "WINDOW")),
    **dict.fromkeys(
        ("a", "animator"),
        lambda phone: (
            "WINDOW MANAGER ANIMATOR STATE (dumpsys window animator)\n    DisplayContentsAnimator #0:\n"
        ),
    ),
    "containers": containers,
    "surfaces": lambda phone: "",
}
