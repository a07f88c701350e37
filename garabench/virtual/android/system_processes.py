"""The processes of Android itself, which run from boot on.

Names, users and parents are those of AOSP's emulator image (``init.rc``, ``init.zygote64_32.rc``, the ``.rc``
files of the services); pids are the phone's own.
"""

from __future__ import annotations

from dataclasses import dataclass

SYSTEM_UID, SHELL_UID = 1000, 2000
SYSTEM_SERVER_PID, ZYGOTE_PID, ADBD_PID, SYSTEM_UI_PID = 1000, 350, 420, 1420
_PAST_SDK = 26
_KERNEL = (
    "kthreadd",
    "rcu_gp",
    "kworker/0:0",
    "ksoftirqd/0",
    "rcu_preempt",
    "migration/0",
    "kswapd0",
    "kblockd",
)


@dataclass(frozen=True, slots=True)
class SystemProcess:
    """A process of the system.

    Attributes:
        pid, ppid: Its id and its parent's.
        user: Name of its user; `uid` is the number.
        name: Its name, in the form of ``ps -o NAME``.
        args: Its command line; empty for a kernel thread.
        rss: Its resident memory in KiB.
        adj: Its ``oom_score_adj``.
    """

    pid: int
    ppid: int
    user: str
    uid: int
    name: str
    args: str = ""
    rss: int = 6_000
    adj: int = -1000

    @property
    def is_kernel(self) -> bool:
        """Whether it is a thread of the kernel."""
        return not self.args


_NATIVE = (
    (150, "root", 0, "ueventd", "/system/bin/ueventd"),
    (171, "logd", 1036, "logd", "/system/bin/logd"),
    (172, "lmkd", 1069, "lmkd", "/system/bin/lmkd"),
    (173, "system", 1000, "servicemanager", "/system/bin/servicemanager"),
    (174, "system", 1000, "hwservicemanager", "/system/bin/hwservicemanager"),
    (180, "root", 0, "vold", "/system/bin/vold --blkid_context=u:r:blkid:s0 --fsck_context=u:r:fsck:s0"),
    (300, "root", 0, "netd", "/system/bin/netd"),
    (305, "statsd", 1066, "statsd", "/system/bin/statsd"),
    (349, "root", 0, "zygote", "zygote"),
    (350, "root", 0, "zygote64", "zygote64"),
    (360, "audioserver", 1041, "audioserver", "/system/bin/audioserver"),
    (361, "system", 1000, "surfaceflinger", "/system/bin/surfaceflinger"),
    (390, "cameraserver", 1047, "cameraserver", "/system/bin/cameraserver"),
    (392, "drm", 1019, "drmserver", "/system/bin/drmserver"),
    (395, "root", 0, "installd", "/system/bin/installd"),
    (396, "keystore", 1017, "keystore2", "/system/bin/keystore2 /data/misc/keystore"),
    (398, "media", 1013, "mediaserver", "/system/bin/mediaserver"),
    (400, "system", 1000, "gatekeeperd", "/system/bin/gatekeeperd /data/misc/gatekeeper"),
    (ADBD_PID, "shell", SHELL_UID, "adbd", "/apex/com.android.adbd/bin/adbd --root_seclabel=u:r:su:s0"),
    (430, "wifi", 1010, "wificond", "/system/bin/wificond"),
    (436, "wifi", 1010, "wpa_supplicant", "/vendor/bin/hw/wpa_supplicant -g@android:wpa_wlan0"),
)
_OLD_NAMES = {
    "zygote64": "",
    "keystore2": "keystore",
    "statsd": "",
    "lmkd": "",
    "wificond": "",
    "gatekeeperd": "",
}
"""Names before Android 8; without one the process was not there."""
_APPS = (
    (SYSTEM_SERVER_PID, "system", 1000, "system_server", 320_000, -900),
    (SYSTEM_UI_PID, "u0_a45", 10045, "com.android.systemui", 260_000, -800),
    (1450, "network_stack", 1073, "com.android.networkstack.process", 110_000, -800),
    (1480, "radio", 1001, "com.android.phone", 130_000, -800),
    (1520, "u0_a46", 10046, "com.google.android.inputmethod.latin", 120_000, 200),
    (1560, "u0_a44", 10044, "android.process.acore", 100_000, 900),
    (1590, "u0_a43", 10043, "android.process.media", 95_000, 900),
)


def system_processes(sdk: int) -> tuple[SystemProcess, ...]:
    """Return the processes that run on every phone with a version of Android."""
    kernel = [
        SystemProcess(2 + number, 0 if number == 0 else 2, "root", 0, name, rss=0, adj=0)
        for number, name in enumerate(_KERNEL)
    ]
    natives = []
    for pid, user, uid, name, args in _NATIVE:
        shown = name if sdk >= _PAST_SDK else _OLD_NAMES.get(name, name)
        if shown:
            natives.append(SystemProcess(pid, 1, user, uid, shown, args.replace(name, shown), rss=12_000))
    zygote = ZYGOTE_PID if sdk >= _PAST_SDK else ZYGOTE_PID - 1
    apps = [
        SystemProcess(pid, zygote, user, uid, name, name, rss, adj)
        for pid, user, uid, name, rss, adj in _APPS
        if sdk >= _PAST_SDK or name != "com.android.networkstack.process"
    ]
    init = SystemProcess(1, 0, "root", 0, "init", "/system/bin/init second_stage")
    return (init, *kernel, *natives, *apps)
