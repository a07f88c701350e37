#!/usr/bin/env bash
# Drives the phone itself by adb: taps the words in “quotes” of the instruction, one after the other.
#   garabench run --agents owning:./drive.sh
set -euo pipefail

# The middle of the first element that shows a text, as "x y"; nothing when none does.
find_text() {
    adb shell uiautomator dump /data/local/tmp/drive.xml >/dev/null
    adb shell cat /data/local/tmp/drive.xml | tr '>' '\n' \
        | grep -E "(text|content-desc)=\"$1\"" | head -n 1 \
        | sed -E 's/.*bounds="\[([0-9]+),([0-9]+)\]\[([0-9]+),([0-9]+)\]".*/\1 \2 \3 \4/' \
        | awk 'NF == 4 {print int(($1 + $3) / 2), int(($2 + $4) / 2)}'
}

tap_text() {
    for _ in 1 2 3; do
        place=$(find_text "$1" || true)
        if [ -n "$place" ]; then
            echo "tap $1 at $place"
            adb shell input tap $place
            return
        fi
        sleep 0.3
    done
    echo "nothing on this screen says $1" >&2
    exit 10 # gives up
}

for word in ${WORDS:-$(grep -oP '“\K[^”]+' <<<"$GARABENCH_INSTRUCTION")}; do
    tap_text "$word"
done
