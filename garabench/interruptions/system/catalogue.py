"""The catalogue of system anomalies, and what is not in it, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from garabench.core import switches
from garabench.core.changes import Setting
from garabench.core.interruption import Category, Severity
from garabench.interruptions.plan import HEADS_UP_SDK
from garabench.interruptions.system import parts, split
from garabench.interruptions.system.anomaly import Anomaly, Event, Kind, Over, Parameter, Seen

_NUMBER = Parameter("telephone number", "5551234", r"[0-9]{3,15}")

_ANOMALIES = (
    Anomaly(
        "permission-taken",
        Category.PERMISSION,
        Severity.HIGH,
        "Takes a permission from the app; Android's own dialog comes when the app asks for it next",
        {"zh": "要允许应用使用此权限吗？", "en": "Allow the app to use this permission?"},
        parts.permission,
        parameter=Parameter(
            "permission", "android.permission.ACCESS_FINE_LOCATION", r"[A-Za-z][\w]*(\.[A-Za-z]\w*)+"
        ),
        spans=((23, None),),
    ),
    Anomaly(
        "crash",
        Category.APP_FAULT,
        Severity.HIGH,
        "Lets the app crash",
        {"zh": "应用已停止运行", "en": "The app has stopped"},
        parts.crash,
        seen=Seen.DIED,
        over=Over.IN_FRONT,
        spans=((26, None),),
        leaves="the crash in Android's records: after one more soon, it says that the app keeps stopping",
    ),
    Anomaly(
        "app-not-responding",
        Category.APP_FAULT,
        Severity.HIGH,
        "Lets the app hang; Android asks whether to close it or to wait, which does not help",
        {"zh": "应用没有响应", "en": "The app isn't responding"},
        parts.not_responding,
        seen=Seen.ASKED,
        over=Over.IN_FRONT,
        spans=((parts.STATE_SDK, None),),
        kind=Kind.ROOTED,
        leaves="the app's traces in /data/anr",
    ),
    Anomaly(
        "process-kill",
        Category.APP_FAULT,
        Severity.MEDIUM,
        "Ends the app's process in the background, as Android does without memory, and opens it again",
        {"zh": "应用在后台被关闭，已重新打开", "en": "The app was closed in the background and opened again"},
        parts.process_kill,
        seen=Seen.DIED,
        over=Over.AT_ONCE,
        spans=((24, None),),
    ),
    Anomaly(
        "rotation",
        Category.SYSTEM,
        Severity.LOW,
        "Turns the screen",
        {"zh": "屏幕方向改变", "en": "The screen turns"},
        parts.rotation,
        seen=Seen.TURNED,
        parameter=Parameter("angle in degrees: 90, 180 or 270", "90", r"90|180|270"),
    ),
    Anomaly(
        "font-scale",
        Category.SYSTEM,
        Severity.LOW,
        "Makes texts larger or smaller",
        {"zh": "字体大小改变", "en": "Texts have another size"},
        lambda given: (Setting("system", "font_scale", given.value),),
        parameter=Parameter("scale from 0.85 to 2.0", "1.3", r"0\.(8[5-9]|9\d?)|1(\.\d{1,2})?|2\.0"),
        spans=((24, None),),
    ),
    Anomaly(
        "dark-mode",
        Category.SYSTEM,
        Severity.LOW,
        "Switches the dark theme on",
        {"zh": "深色模式打开", "en": "The dark theme comes on"},
        parts.night,
        spans=((29, None),),
    ),
    Anomaly(
        "language",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Gives the app another language",
        {"zh": "应用语言改变", "en": "The app speaks another language"},
        parts.language,
        parameter=Parameter("language tag", "fr-FR", r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?"),
        spans=((33, None),),
    ),
    Anomaly(
        "airplane-mode",
        Category.NETWORK,
        Severity.HIGH,
        "Switches airplane mode on",
        {"zh": "飞行模式打开，没有网络", "en": "Airplane mode comes on: no network"},
        parts.airplane,
        spans=((19, switches.AIRPLANE_BROADCAST_UNTIL_SDK), (switches.AIRPLANE_SDK, None)),
        kind=Kind.NOT_OVER_THE_AIR,
    ),
    Anomaly(
        "wifi-off",
        Category.NETWORK,
        Severity.HIGH,
        "Switches Wi-Fi off",
        {"zh": "WLAN 断开", "en": "Wi-Fi is gone"},
        lambda given: (switches.wifi(on=False),),
        kind=Kind.NOT_OVER_THE_AIR,
    ),
    Anomaly(
        "battery-low",
        Category.RESOURCE,
        Severity.LOW,
        "Has the battery nearly empty, and not charging",
        {"zh": "电量不足", "en": "The battery is low"},
        parts.battery_low,
        parameter=Parameter("charge in percent, from 1 to 50", "5", r"[1-9]|[1-4]\d|50"),
    ),
    Anomaly(
        "battery-saver",
        Category.RESOURCE,
        Severity.LOW,
        "Switches the battery saver on",
        {"zh": "省电模式打开", "en": "Battery Saver comes on"},
        parts.battery_saver,
        spans=((21, None),),
    ),
    Anomaly(
        "storage-low",
        Category.RESOURCE,
        Severity.LOW,
        "Has Android warn that the storage is nearly full",
        {"zh": "存储空间不足", "en": "Storage is running out"},
        parts.low_storage,
        spans=((28, None),),
    ),
    Anomaly(
        "notification",
        Category.SYSTEM,
        Severity.LOW,
        "Posts a notification: an entry in the notification shade, and no heads-up over the app",
        {"zh": "新消息", "en": "New message"},
        parts.notification,
        spans=((switches.NOTIFICATION_SDK, None),),
    ),
    Anomaly(
        "heads-up",
        Category.SYSTEM,
        Severity.LOW,
        "Shows a notification at the top of the screen, over the app; the companion app posts it",
        {"zh": "新消息横幅", "en": "A message at the top of the screen"},
        parts.heads_up,
        seen=Seen.AT_THE_TOP,
        spans=((HEADS_UP_SDK, None),),
    ),
    Anomaly(
        "incoming-call",
        Category.SYSTEM,
        Severity.HIGH,
        "Lets somebody call",
        {"zh": "来电", "en": "An incoming call"},
        parts.call,
        parameter=_NUMBER,
        kind=Kind.EMULATOR,
    ),
    Anomaly(
        "sms",
        Category.SYSTEM,
        Severity.LOW,
        "Lets a text message arrive",
        {"zh": "新短信", "en": "A text message"},
        parts.sms,
        seen=Seen.CONFIRMED,
        over=Over.AT_ONCE,
        parameter=_NUMBER,
        kind=Kind.EMULATOR,
        leaves="the message in the emulator's inbox, and the messaging app's notification of it",
    ),
    Anomaly(
        "network-delay",
        Category.NETWORK,
        Severity.MEDIUM,
        "Delays every packet",
        {"zh": "网络延迟很高", "en": "The network is slow to answer"},
        parts.delay,
        parameter=Parameter("delay in milliseconds, from 100 to 9999", "2000", r"[1-9]\d{2,3}"),
        kind=Kind.EMULATOR,
    ),
    Anomaly(
        "network-slow",
        Category.NETWORK,
        Severity.MEDIUM,
        "Makes the network as slow as GSM: 14.4 kbit/s",
        {"zh": "网络速度很慢", "en": "The network is slow"},
        parts.speed,
        kind=Kind.EMULATOR,
    ),
    Anomaly(
        "lock",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Switches the screen off and on again, which brings the lock screen; never one with a secret",
        {"zh": "锁屏", "en": "The lock screen comes up"},
        parts.lock,
        spans=((28, None),),
    ),
    Anomaly(
        "time-zone",
        Category.SYSTEM,
        Severity.LOW,
        "Moves the phone to another time zone",
        {"zh": "时间改变", "en": "The time changes"},
        parts.time_zone,
        parameter=Parameter("time zone", "Pacific/Auckland", r"[A-Z][A-Za-z_]+/[A-Z][A-Za-z_]+"),
        spans=((28, None),),
    ),
    Anomaly(
        "time",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Moves the phone's clock on or back, with the network's time switched off",
        {"zh": "日期和时间改变", "en": "The date and time change"},
        parts.clock,
        parameter=Parameter(
            "time in minutes, hours or days, on or back, such as +1d, -1h or +90m",
            "+1d",
            r"[+-][1-9]\d{0,2}[mhd]",
        ),
        spans=((28, None),),
    ),
    Anomaly(
        "keyboard",
        Category.SYSTEM,
        Severity.LOW,
        "Brings the keyboard up by tapping the first text field on the screen; there has to be one",
        {"zh": "键盘弹出", "en": "The keyboard comes up"},
        parts.keyboard,
    ),
    Anomaly(
        "home",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Presses Home",
        {"zh": "回到桌面", "en": "The home screen comes up"},
        lambda given: (Event(("input", "keyevent", "3")),),
        seen=Seen.HOME,
        over=Over.IN_FRONT,
    ),
    Anomaly(
        "app-switch",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Brings another app, the system's settings, to the front",
        {"zh": "切换到其他应用", "en": "Another app comes up"},
        lambda given: (Event(("am", "start", "-W", "-a", parts.SETTINGS)),),
        seen=Seen.SWITCHED,
        over=Over.IN_FRONT,
    ),
    Anomaly(
        "split-screen",
        Category.SYSTEM,
        Severity.MEDIUM,
        "Puts the system's settings beside the app, each with half of the screen",
        {"zh": "分屏：屏幕上有两个应用", "en": "Split screen: two apps at once"},
        parts.split_screen,
        seen=Seen.HALVED,
        spans=((split.FIRST_SDK, None),),
    ),
)

ANOMALIES: Mapping[str, Anomaly] = MappingProxyType({each.id: each for each in _ANOMALIES})
"""The anomalies by id."""

NOT_OFFERED: Mapping[str, str] = MappingProxyType(
    {
        "network-loss": "the emulator's console knows delay and speed, and no loss",
        "screen-off": "a dark screen has no tree to act on; lock switches it off and on again",
        "system-language": "adb's shell may change the configuration, but no command of am, cmd or settings "
        "sets the system's locale (updatePersistentConfiguration); root may set persist.sys.locale, which "
        "Android reads when its framework starts anew (stop, start), and that ends the task's app and every "
        "other; language changes the app's, and only since Android 13",
    }
)
"""What was looked for and cannot be had over adb, with the reason."""
