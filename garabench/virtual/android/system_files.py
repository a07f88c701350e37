"""The files that a running system provides: ``/proc``, ``/sys``, ``/dev``, ``/etc`` and ``/system``.

Contents and forms are those of Linux (``fs/proc``, ``power_supply_sysfs.c``) and of AOSP.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from functools import partial

from garabench.core.seeds import generator
from garabench.virtual.android.built_in_apk import built_in_apk
from garabench.virtual.android.file_system import TreeFile
from garabench.virtual.android.package_manager import InstalledApp
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.process_list import RunningProcess, called_process, running, shell_process
from garabench.virtual.android.system_properties import build_prop
from garabench.virtual.kit.framework import App

CORES = 4
TOTAL_KB = 4_022_164
BUFFERS_KB, _CACHED_KB = 12_000, 888_000
_LEAST_AVAILABLE_KB, _LEAST_FREE_KB = 240_000, 80_000
_RELEASES = {19: "3.4.0-g1234567", 30: "4.19.110-g1234567", 34: "5.15.110-android14-11-g7e9c3c4a5b2d"}
_OTHER_RELEASE = "5.10.0-g1234567"
KERNEL_BUILD = "#1 SMP PREEMPT Thu Jan 1 00:00:00 UTC 2024"
"""The build of the kernel, as ``uname -v`` prints it."""


def kernel_version(sdk: int) -> str:
    """Return the first words of ``/proc/version``, which ``dmesg`` prints, too."""
    return f"Linux version {kernel_release(sdk)} (build-user@build-host)"


def kernel_release(sdk: int) -> str:
    """Return the release of the kernel of a version of Android, as ``uname -r`` prints it."""
    return _RELEASES.get(sdk, _OTHER_RELEASE)


_TICKS_PER_READING = 100
_ZEROS, _RANDOM = 1 << 25, 1 << 16
HOSTS = "127.0.0.1       localhost\n::1             ip6-localhost\n"
LOAD_AVERAGE = ("0.42", "0.38", "0.35")
"""The load average over 1, 5 and 15 minutes, of ``uptime`` and ``/proc/loadavg``."""
_TCP_HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
)
_APP_DATA = ("/data/data/", "/data/user/0/")
_DIRECTORIES = (
    *(
        "/data/anr",
        "/data/app",
        "/data/data",
        "/data/dalvik-cache",
        "/data/misc",
        "/data/system",
        "/data/user",
    ),
    *("/data/user/0", "/data/vendor", "/dev/block", "/dev/input", "/dev/socket", "/product", "/system/app"),
    *("/system/etc", "/system/fonts", "/system/framework", "/system/lib64", "/system/priv-app", "/vendor"),
    *("/vendor/bin", "/vendor/etc", "/vendor/lib64", "/apex", "/mnt", "/storage"),
    *("/storage/emulated/0", "/storage/self/primary"),
)
_SDCARD = (
    *(
        "Alarms",
        "Android",
        "Android/data",
        "Android/media",
        "Android/obb",
        "Audiobooks",
        "DCIM",
        "DCIM/Camera",
    ),
    *("Documents", "Download", "Movies", "Music", "Notifications", "Pictures", "Podcasts", "Recordings"),
    "Ringtones",
)
_FREQUENCIES = {"scaling_cur_freq": 1_766_400, "scaling_min_freq": 300_000, "cpuinfo_max_freq": 2_457_600}
_PID_FILES = (
    *("cgroup", "cmdline", "comm", "mounts", "oom_adj", "oom_score", "oom_score_adj", "stat", "statm"),
    "status",
)
_OPEN_FILES = {"0": "socket:[41241]", "1": "pipe:[41242]", "2": "pipe:[41243]"}
"""The open files of a program of the shell without a terminal."""
_STATES = {"S": "S (sleeping)", "R": "R (running)", "T": "T (stopped)"}


class SystemFiles:
    """The provided files of a phone."""

    def __init__(self, phone: Phone, programs: Callable[[], tuple[str, ...]]) -> None:
        """Create the files.

        Args:
            phone: The phone.
            programs: Returns the names of the programs in ``/system/bin``.
        """
        self._phone = phone
        self._programs = programs
        self._reads = 0
        self._paths: tuple[tuple[InstalledApp, ...], Mapping[str, App]] = ((), {})
        self._files: Mapping[str, Callable[[], bytes]] = {
            path: _encoded(content) for path, content in self._contents().items()
        }
        names = {*_DIRECTORIES, *(f"/sdcard/{name}" for name in _SDCARD), "/system/bin"}
        self._directories = frozenset(
            parent for path in {*names, *(f"{path}/" for path in self._files)} for parent in _parents(path)
        )

    def _contents(self) -> Mapping[str, Callable[[], str]]:
        version = f"{kernel_version(self._phone.profile.sdk)} {KERNEL_BUILD}\n"
        battery, network = self._phone.battery, self._phone.network
        supply, thermal = "/sys/class/power_supply/battery", "/sys/class/thermal/thermal_zone0"
        fixed = {
            "/etc/hosts": HOSTS,
            "/etc/mkshrc": "",
            "/system/etc/hosts": HOSTS,
            "/vendor/build.prop": "ro.vendor.build.type=user\nro.vendor.product.cpu.abilist64=x86_64\n",
            "/proc/cmdline": "console=ttyS0 androidboot.hardware=ranchu androidboot.selinux=enforcing\n",
            "/proc/diskstats": " 253       0 vda 21000 1200 160000 900 8000 5000 300000 700 0 900 1600\n",
            "/proc/cpuinfo": _cpuinfo(),
            "/proc/filesystems": "nodev\tsysfs\nnodev\tproc\nnodev\ttmpfs\n\text4\n\tf2fs\nnodev\tfuse\n",
            "/proc/version": version,
            f"{supply}/present": "1\n",
            f"{supply}/technology": "Li-ion\n",
            f"{supply}/type": "Battery\n",
            f"{supply}/health": "Good\n",
            f"{supply}/voltage_now": "4200000\n",
            f"{thermal}/type": "cpu-thermal\n",
            "/sys/class/net/lo/operstate": "unknown\n",
            "/sys/class/net/wlan0/address": "02:00:00:00:00:00\n",
            "/sys/class/net/wlan0/mtu": "1500\n",
            "/sys/devices/system/cpu/online": f"0-{CORES - 1}\n",
            "/sys/devices/system/cpu/possible": f"0-{CORES - 1}\n",
            **{
                f"/sys/devices/system/cpu/cpu{number}/cpufreq/{name}": f"{frequency}\n"
                for number in range(CORES)
                for name, frequency in _FREQUENCIES.items()
            },
        }
        changing: dict[str, Callable[[], str]] = {
            "/proc/mounts": lambda: mounts(self._phone),
            "/proc/loadavg": lambda: f"{' '.join(LOAD_AVERAGE)} 1/{len(running(self._phone)) * 8} 4001\n",
            "/proc/meminfo": lambda: meminfo(self._phone),
            "/proc/net/dev": self._net_dev,
            "/proc/net/arp": self._arp,
            "/proc/net/route": self._route,
            "/proc/net/tcp": lambda: _TCP_HEAD,
            "/sys/class/net/wlan0/statistics/rx_bytes": lambda: f"{self._received()}\n",
            "/sys/class/net/wlan0/statistics/tx_bytes": lambda: f"{self._received() // 3}\n",
            "/sys/class/net/wlan0/statistics/rx_packets": lambda: f"{self._received() // 900}\n",
            "/sys/class/net/wlan0/statistics/tx_packets": lambda: f"{self._received() // 1200}\n",
            "/proc/stat": self._stat,
            "/system/build.prop": lambda: build_prop(self._phone),
            f"{supply}/capacity": lambda: f"{battery.level}\n",
            f"{supply}/status": lambda: "Charging\n" if battery.plugged else "Discharging\n",
            f"{supply}/temp": lambda: f"{battery.temperature}\n",
            "/sys/class/power_supply/ac/online": lambda: f"{int(battery.plugged)}\n",
            f"{thermal}/temp": lambda: f"{battery.temperature * 100 + 8000}\n",
            "/sys/class/net/wlan0/operstate": lambda: "up\n" if network.wifi else "down\n",
        }
        return {**{path: partial(str, text) for path, text in fixed.items()}, **changing}

    def names(self, path: str) -> tuple[str, ...]:
        """Return the names directly in a directory."""
        start = path.rstrip("/") + "/"
        found = {
            each[len(start) :].partition("/")[0]
            for each in (*self._files, *self._directories, *self._apps_by_path())
            if each.startswith(start)
        }
        match path:
            case "/system/bin":
                found.update(self._programs())
            case "/dev":
                found.update(("null", "zero", "random", "urandom", "full", "tty", "ptmx"))
            case "/dev/input":
                found.update(("event0", "event1"))
            case "/data/data" | "/data/user/0":
                found.update(each.app.package for each in self._phone.packages.all())
            case "/proc":
                found.add("self")
                found.update(str(each.process.pid) for each in (*running(self._phone), shell_process()))
            case "/proc/self/fd":
                found.update(_OPEN_FILES)
            case _ if self._process(path) is not None and path.count("/") == 2:
                found.update((*_PID_FILES, "fd", "task"))
        return tuple(sorted(found - {""}))

    def get(self, path: str) -> TreeFile | None:
        """Return a file or directory, or None."""
        if path.startswith(_APP_DATA) and self._phone.packages.get(path.rpartition("/")[2]) is not None:
            return TreeFile(stat.S_IFDIR | 0o700)
        if path in self._directories:
            return TreeFile(stat.S_IFDIR | (0o755 if path.startswith(("/proc", "/sys")) else 0o771))
        if (read := self._files.get(path)) is not None:
            return TreeFile(stat.S_IFREG | 0o444, read, is_sized=path.startswith(("/etc/", "/system/")))
        if path.endswith(".apk") and (app := self._apps_by_path().get(path)) is not None:
            return TreeFile(stat.S_IFREG | 0o644, partial(built_in_apk, app), is_sized=True)
        if any(each.startswith(f"{path}/") for each in self._apps_by_path()):
            return TreeFile(stat.S_IFDIR | 0o755)
        folder, _, name = path.rpartition("/")
        if folder == "/system/bin" and name in self._programs():
            return TreeFile(stat.S_IFREG | 0o755, lambda: b"\x7fELF")
        if path.startswith("/dev/"):
            return self._device(path)
        return self._process_file(path) if path.startswith("/proc/") else None

    def _apps_by_path(self) -> Mapping[str, App]:
        """Return the built-in apps by the paths of their APKs; those of installed APKs are files."""
        packages = self._phone.packages
        if self._paths[0] != packages.all():
            built_in = (each for each in packages.all() if not each.size and each.app.has_apk)
            found = {packages.path_of(each): each.app for each in built_in}
            self._paths = (packages.all(), found)
        return self._paths[1]

    def _device(self, path: str) -> TreeFile | None:
        match path.removeprefix("/dev/"):
            case "null" | "tty" | "ptmx" | "full":
                return TreeFile(stat.S_IFCHR | 0o666, lambda: b"")
            case "zero":
                return TreeFile(stat.S_IFCHR | 0o666, lambda: bytes(_ZEROS))
            case "random" | "urandom":
                return TreeFile(stat.S_IFCHR | 0o666, self._random)
            case "input/event0" | "input/event1":
                return TreeFile(stat.S_IFCHR | 0o660, lambda: b"")
        return None

    def _random(self) -> bytes:
        """Return random bytes: others on each read, the same in each run."""
        self._reads += 1
        return generator(self._phone.seed, "urandom", self._reads).randbytes(_RANDOM)

    def _process(self, path: str) -> RunningProcess | None:
        """Return the process of a path below ``/proc``."""
        parts = path.split("/")
        if len(parts) < 3 or parts[1] != "proc":
            return None
        if parts[2] == "self":
            called = called_process()
            adbd = [each for each in running(self._phone) if each.process.name == "adbd"]
            return called or (adbd[0] if adbd else None)
        found = (*running(self._phone), shell_process())
        return next((each for each in found if str(each.process.pid) == parts[2]), None)

    def _process_file(self, path: str) -> TreeFile | None:
        found, parts = self._process(path), path.split("/")
        if found is None:
            return None
        if parts[2:] == ["self"]:
            return TreeFile(stat.S_IFDIR | 0o555, link=str(found.process.pid))
        if len(parts) == 3 or (len(parts) == 4 and parts[3] in ("fd", "task")):
            return TreeFile(stat.S_IFDIR | 0o555)
        if parts[2:4] == ["self", "fd"] and parts[4:] and parts[4] in _OPEN_FILES:
            return TreeFile(stat.S_IFIFO | 0o600, link=_OPEN_FILES[parts[4]])
        if len(parts) != 4 or parts[3] not in _PID_FILES:
            return None
        text = self._process_text(found, parts[3])
        return TreeFile(stat.S_IFREG | 0o444, lambda: text)

    def _process_text(self, found: RunningProcess, name: str) -> bytes:
        process = found.process
        short = process.name[-15:] if found.package else process.name[:15]
        size = found.virtual_kb
        match name:
            case "cmdline":
                return b"".join(word.encode() + b"\0" for word in process.args.split(" ") if word)
            case "comm":
                text = short
            case "mounts":
                return mounts(self._phone).encode()
            case "cgroup":
                text = "3:cpuset:/foreground\n2:cpu:/\n0::/uid_0"
            case "oom_score_adj":
                text = str(process.adj)
            case "oom_adj":
                text = str(process.adj * 17 // 1000)
            case "oom_score":
                text = str(max(0, process.adj + 700))
            case "statm":
                text = f"{size // 4} {process.rss // 4} {process.rss // 6} 5 0 {process.rss // 4} 0"
            case "stat":
                numbers = f"{process.ppid} {process.pid} 0 0 -1 1077952832 9000 0 12 0 60 20 0 0 10 -10"
                rest = f"{found.threads} 0 {2_000 + process.pid} {size * 1024} {process.rss // 4} {2**64 - 1}"
                text = f"{process.pid} ({short}) {found.state} {numbers} {rest}" + " 0" * 27
            case _:
                return self._status(found, short, size)
        return f"{text}\n".encode()

    def _status(self, found: RunningProcess, short: str, size: int) -> bytes:
        process = found.process
        memory = (
            ""
            if process.is_kernel
            else f"VmPeak:\t{size:>8} kB\nVmSize:\t{size:>8} kB\nVmRSS:\t{process.rss:>8} kB\n"
        )
        ids = f"{process.uid}\t" * 3 + str(process.uid)
        return (
            f"Name:\t{short}\nUmask:\t0077\nState:\t{_STATES[found.state]}\nTgid:\t{process.pid}\nNgid:\t0\n"
            f"Pid:\t{process.pid}\nPPid:\t{process.ppid}\nTracerPid:\t0\nUid:\t{ids}\nGid:\t{ids}\nFDSize:\t256\n"
            f"{memory}Threads:\t{found.threads}\nSeccomp:\t{2 if found.package else 0}\n"
        ).encode()

    def _stat(self) -> str:
        """``/proc/stat``, whose counters grow with each reading, also while the clock stands."""
        self._reads += 1
        ticks = self._phone.clock.uptime_ms // 10 + self._reads * _TICKS_PER_READING
        user, system = ticks // 20, ticks // 25
        one = f"{user} 0 {system} {ticks - user - system} 0 0 0 0 0 0"
        total = f"{user * CORES} 0 {system * CORES} {(ticks - user - system) * CORES} 0 0 0 0 0 0"
        boot = int(self._phone.clock.boot_wall().timestamp())
        cores = "".join(f"cpu{number} {one}\n" for number in range(CORES))
        return (
            f"cpu  {total}\n{cores}intr {ticks}\nctxt {ticks * 7}\nbtime {boot}\nprocesses 5000\n"
            "procs_running 1\nprocs_blocked 0\n"
        )

    def _arp(self) -> str:
        """``/proc/net/arp``: the router, while Wi-Fi is on."""
        head = "IP address       HW type     Flags       HW address            Mask     Device\n"
        row = "192.168.1.1      0x1         0x2         52:55:0a:00:02:02     *        wlan0\n"
        return head + (row if self._phone.network.wifi else "")

    def _route(self) -> str:
        """``/proc/net/route``: the local network, while Wi-Fi is on."""
        head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        row = "wlan0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
        return head + (row if self._phone.network.wifi else "")

    def _received(self) -> int:
        return moved_bytes(self._phone)["wlan0"]

    def _net_dev(self) -> str:
        head = (
            "Inter-|   Receive                                                |  Transmit\n"
            " face |bytes    packets errs drop fifo frame compressed multicast|"
            "bytes    packets errs drop fifo colls carrier compressed\n"
        )
        rows = moved_bytes(self._phone)
        return head + "".join(
            f"{name:>6}: {size:>7} {size // 900:>7}    0    0    0     0          0         0 "
            f"{size // 3:>8} {size // 1200:>7}    0    0    0     0       0          0\n"
            for name, size in rows.items()
        )


def _encoded(content: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: content().encode()


def _parents(path: str) -> tuple[str, ...]:
    """Return a directory and the directories above it; a file ends with a slash, and is left out."""
    parts = path.strip("/").split("/")
    count = len(parts) - 1 if path.endswith("/") else len(parts)
    return tuple("/" + "/".join(parts[:depth]) for depth in range(1, count + 1))


def _cpuinfo() -> str:
    """``/proc/cpuinfo`` of x86 (Linux ``arch/x86/kernel/cpu/proc.c``), as ``ro.product.cpu.abi`` says."""
    return "".join(
        f"processor\t: {number}\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 6\n"
        "model name\t: Android virtual processor\nstepping\t: 3\ncpu MHz\t\t: 2457.600\n"
        f"cache size\t: 4096 KB\nphysical id\t: 0\nsiblings\t: {CORES}\ncore id\t\t: {number}\n"
        f"cpu cores\t: {CORES}\nfpu\t\t: yes\nflags\t\t: fpu de pse tsc msr pae cx8 sse sse2 ssse3 "
        "sse4_1 sse4_2 popcnt lm\nbogomips\t: 4915.20\naddress sizes\t: 40 bits physical, 48 bits virtual\n\n"
        for number in range(CORES)
    )


def moved_bytes(phone: Phone) -> dict[str, int]:
    """Return the bytes received on each interface since boot."""
    return {"lo": 12_000, "wlan0": 1_500_000 + phone.clock.uptime_ms if phone.network.wifi else 0}


def memory_kb(phone: Phone) -> tuple[int, int]:
    """Return the used and the available memory in KiB; the cache is a part of the latter.

    No process ends for want of memory; instead the available memory stays at least `_LEAST_AVAILABLE_KB`.
    """
    used = sum(each.process.rss for each in running(phone)) + 600_000
    used = min(used, TOTAL_KB - _LEAST_AVAILABLE_KB)
    return used, TOTAL_KB - used


def cached_kb(available: int) -> int:
    """Return the size of the cache of files in KiB, which shrinks when memory is scarce.

    Args:
        available: The available memory in KiB.
    """
    return min(_CACHED_KB, available - BUFFERS_KB - _LEAST_FREE_KB)


def meminfo(phone: Phone) -> str:
    """``/proc/meminfo``."""
    used, free = memory_kb(phone)
    cached = cached_kb(free)
    rows = {
        **{"MemTotal": TOTAL_KB, "MemFree": free - cached - BUFFERS_KB, "MemAvailable": free},
        **{
            "Buffers": BUFFERS_KB,
            "Cached": cached,
            "SwapCached": 0,
            "Active": used // 2,
            "Inactive": used // 3,
        },
        **{
            "SwapTotal": 2_097_148,
            "SwapFree": 2_097_148,
            "Dirty": 120,
            "AnonPages": used // 2,
            "Mapped": min(400_000, cached),
        },
    }
    return "".join(f"{name + ':':<16}{value:>8} kB\n" for name, value in rows.items())


def mounts(phone: Phone) -> str:
    """``/proc/mounts``, which ``mount`` prints in another form."""
    mode = "rw" if phone.files.is_remounted else "ro"
    root = f"/dev/block/dm-0 / ext4 {mode},seclabel,nodev,relatime 0 0\n"
    data = "/dev/block/dm-5 /data f2fs rw,lazytime,seclabel,nosuid,nodev,noatime 0 0\n"
    return (
        f"{root}tmpfs /dev tmpfs rw,seclabel,nosuid,relatime,mode=755 0 0\n"
        "devpts /dev/pts devpts rw,seclabel,relatime,mode=600,ptmxmode=000 0 0\n"
        "proc /proc proc rw,relatime,gid=3009,hidepid=2 0 0\nsysfs /sys sysfs rw,seclabel,relatime 0 0\n"
        f"/dev/block/dm-1 /vendor ext4 {mode},seclabel,relatime 0 0\n{data}"
        "/dev/fuse /storage/emulated fuse rw,lazytime,nosuid,nodev,noexec,noatime 0 0\n"
    )
