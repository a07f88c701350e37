from __future__ import annotations

import pytest

from garabench.core.observation import Focus
from garabench.device.foreground import Foreground, parse_foreground, refusal
from garabench.device.logs import parse_threadtime

SHOW = "org.garabench.interruptions/org.garabench.interruptions.Show"

KITKAT = """WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mSafeMode=false mSystemReady=true mSystemBooted=true
    mShowingLockscreen={locked} mShowingDream=false mDreamingLockscreen=false
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #4 Window{{4187c0b8 u0 StatusBar}}:
    mAttrs=WM.LayoutParams{{(0,0)(fillx50) gr=#30 sim=#10 ty=2000 fl=#1800048 fmt=-3}}
  Window #3 Window{{41a2f8d0 u0 com.bank/com.bank.Login}}:
    mDisplayId=0 mSession=Session{{41c0c2a8 1290:u0a10056}} mClient=android.os.BinderProxy@418c9a70
    mAttrs=WM.LayoutParams{{(0,0)(fillxfill) sim=#20 ty=1 fl=#{flags} wanim=0x1030001}}

  mCurrentFocus=Window{{41a2f8d0 u0 com.bank/com.bank.Login}}
  mFocusedApp=AppWindowToken{{41d2f1e0 token=Token{{41b0 ActivityRecord{{4185 u0 com.bank/.Login t4}}}}}}
"""
OREO = """WINDOW MANAGER POLICY STATE (dumpsys window policy)
    KeyguardServiceDelegate
      showing={locked}
      showingAndNotOccluded={locked}
      inputRestricted=false
      occluded={occluded}
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #6 Window{{8c1f2a2 u0 StatusBar}}:
    mAttrs=WM.LayoutParams{{(0,0)(fillx63) gr=#30 sim=#10 ty=2000 fl=#81840048 fmt=-3 vsysui=0x600}}
  mCurrentFocus=Window{{8c1f2a2 u0 StatusBar}}
"""
MODERN = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
  mCurrentFocus=Window{{c3d1b7e u0 {title}}}
  mFocusedApp=ActivityRecord{{77b3dc7 u0 com.tencent.mm/.ui.LauncherUI t12}}
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #9 Window{{aa01c2d u0 StatusBar}}:
    mAttrs={{(0,0)(fillx96) gr=TOP CENTER_VERTICAL sim={{adjust=pan}} ty=STATUS_BAR fmt=TRANSLUCENT
      fl=NOT_FOCUSABLE TOUCHABLE_WHEN_WAKING SPLIT_TOUCH
      pfl=COLOR_SPACE_AGNOSTIC}}
  Window #8 Window{{c3d1b7e u0 {title}}}:
    mDisplayId=0 rootTaskId=1 mSession=Session{{1f9 2012:u0a10148}}
    mAttrs={{(0,0)(fillxfill) sim={{adjust=resize forwardNavigation}} ty={kind} fmt=TRANSLUCENT
      fl={flags}
      pfl=NO_MOVE_ANIMATION USE_BLAST}}
  Window #7 Window{{b2 u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI}}:
    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION
      fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED}}
"""
RESUMED = "  topResumedActivity=ActivityRecord{77 u0 org.garabench.interruptions/.Show t9}\n"
OURS = Focus("org.garabench.interruptions", "org.garabench.interruptions.Show")


def modern(
    title: str, flags: str = "LAYOUT_IN_SCREEN HARDWARE_ACCELERATED", kind: str = "APPLICATION"
) -> str:
    return MODERN.format(title=title, flags=flags, kind=kind)


@pytest.mark.parametrize(
    ("window", "activities", "power", "expected"),
    [
        pytest.param(
            KITKAT.format(locked="false", flags="1812100"),
            "  mResumedActivity: ActivityRecord{41 u0 com.bank/.Login t4}\n",
            "  mWakefulness=Awake\n",
            Foreground("com.bank/com.bank.Login", secure=True, resumed=Focus("com.bank", "com.bank.Login")),
            id="4.4 flag secure",
        ),
        pytest.param(
            KITKAT.format(locked="true", flags="1810100"),
            "",
            "  mWakefulness=Asleep\n",
            Foreground("com.bank/com.bank.Login", locked=True, awake=False),
            id="4.4 locked and asleep",
        ),
        pytest.param(
            OREO.format(locked="true", occluded="false"),
            "",
            "mWakefulness=Awake",
            Foreground("StatusBar", locked=True),
            id="8 locked",
        ),
        pytest.param(
            OREO.format(locked="true", occluded="true"),
            "",
            "",
            Foreground("StatusBar"),
            id="8 window over the lock",
        ),
        pytest.param(
            OREO.format(locked="false", occluded="false"), "", "", Foreground("StatusBar"), id="8 shade"
        ),
        pytest.param(
            modern("BiometricPrompt", "LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED", "STATUS_BAR_SUB_PANEL"),
            RESUMED,
            "  mWakefulness=Awake\n  mWakefulnessChanging=false\n",
            Foreground("BiometricPrompt", secure=True, resumed=OURS),
            id="13 asked for the finger",
        ),
        pytest.param(
            modern("Application Error: com.android.phone"),
            RESUMED,
            "",
            Foreground("Application Error: com.android.phone", resumed=OURS),
            id="13 crashed app over ours",
        ),
        pytest.param(
            modern(
                "com.android.permissioncontroller/com.android.permissioncontroller.GrantPermissionsActivity"
            ),
            "",
            "",
            Foreground(
                "com.android.permissioncontroller/com.android.permissioncontroller.GrantPermissionsActivity"
            ),
            id="11 permission dialog over a secure app",
        ),
        pytest.param(
            modern("NotificationShade"),
            "  KeyguardController:\n    mKeyguardShowing=true\n    mAodShowing=false\n",
            "mWakefulness=Dozing",
            Foreground("NotificationShade", locked=True, awake=False),
            id="14 locked and dozing",
        ),
        pytest.param(
            "  mCurrentFocus=null\n", RESUMED, "", Foreground(resumed=OURS), id="10 in a transition"
        ),
        pytest.param("", "", "", Foreground(), id="nothing was printed"),
    ],
)
def test_foreground_is_parsed(window: str, activities: str, power: str, expected: Foreground) -> None:
    assert parse_foreground(window, activities, power) == expected


CMP = "cmp=org.garabench.interruptions/.Show"
START = f"I ActivityTaskManager: START u0 {{flg=0x10000000 {CMP} (has extras)}} from uid 2000"
CALLER = "callingPackage: com.android.shell; callingUid: 2000; appSwitchState: 2; intent: Intent"
ANDROID_10 = (
    f"W ActivityTaskManager: Background activity start [{CALLER} {{ cmp=org.garabench.interruptions/.Show }}]"
)
ANDROID_12 = (
    "E ActivityTaskManager: Abort background activity starts from 2000 cmp=org.garabench.interruptions/.Show"
)
ANDROID_14 = f"W ActivityTaskManager: Background activity launch blocked! [{CALLER} {{ cmp={SHOW} }}; x: y]"
MIUI = (
    f"I ActivityManager: MIUILOG- Permission Denied Activity : Intent {{ {CMP} }} "
    "pkg : com.android.shell uid : 2000"
)
OTHER = f"W ActivityTaskManager: Background activity start [{CALLER} {{ cmp=com.other/.Main }}]"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([START, ANDROID_10], "Background activity start"),
        ([START, ANDROID_12], "Abort background activity starts"),
        ([START, ANDROID_14], "Background activity launch blocked!"),
        ([START, MIUI], "MIUILOG- Permission Denied Activity"),
        ([MIUI], "MIUILOG- Permission Denied Activity"),
        ([START], ""),
        ([START, ANDROID_10, START], ""),
        ([START, OTHER], ""),
        ([], ""),
    ],
)
def test_refused_start_is_found_in_the_log_until_the_next_start(rows: list[str], expected: str) -> None:
    text = "".join(f"05-20 09:41:00.{at:03}  1680  1702 {row}\n" for at, row in enumerate(rows))
    message = refusal(parse_threadtime(text), SHOW)
    assert message.startswith(expected)
    assert bool(message) is bool(expected)
