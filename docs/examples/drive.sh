#!/usr/bin/env bash
# Drives the phone itself by adb: taps the given words one after the other, and closes dialogs that interrupt.
#   garabench run --agents "autonomous:./drive.sh 图层 卫星图 实时路况"
# The environment names the phone (ANDROID_SERIAL) and the task (GARABENCH_INSTRUCTION, GARABENCH_BRIEF).
set -euo pipefail
CLOSE="暂不更新|以后再说|稍后再说|我知道了|取消|Not now|Cancel"

# Taps the middle of the first element that shows a text; fails when none does.
tap_text() {
    local place
    place=$(adb shell cat /data/local/tmp/drive.xml | tr '>' '\n' \
        | { grep -E "(text|content-desc)=\"($1)\"" || true; } \
        | sed -nE '1s/.*bounds="\[([0-9]+),([0-9]+)\]\[([0-9]+),([0-9]+)\]".*/\1 \2 \3 \4/p' \
        | awk '{print int(($1 + $3) / 2), int(($2 + $4) / 2)}')
    [ -n "$place" ] || return 1
    echo "tap $1 at $place"
    adb shell input tap "$place"
}

echo "asked to: $GARABENCH_INSTRUCTION"
for word in "$@"; do
    for attempt in 1 2 3 4 5; do
        adb shell uiautomator dump /data/local/tmp/drive.xml >/dev/null
        if tap_text "$CLOSE"; then continue; fi
        if tap_text "$word"; then break; fi
        if [ "$attempt" = 5 ]; then
            echo "nothing on this screen says $word" >&2
            exit 10 # gives up; 0 means done, 75 that its model failed, anything else that it crashed
        fi
        sleep 0.2
    done
done
