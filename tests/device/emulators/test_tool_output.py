from __future__ import annotations

from pathlib import Path

import pytest

from garabench.device.emulators.tool_output import (
    SystemImage,
    best_image,
    explain_acceleration,
    explain_emulator,
    explain_manager,
    parse_avds,
    parse_images,
)

INSTALLED = """\
Loading local repository...                                                     \r[=====     ] 25% Loading \r
Installed packages:
  Path                                                 | Version | Description             | Location
  -------                                              | ------- | -------                 | -------
  build-tools;34.0.0                                   | 34.0.0  | Build-Tools             | build-tools/…
  emulator                                             | 35.1.4  | Android Emulator        | emulator
  system-images;android-30;default;x86_64              | 10      | Intel x86_64 Image      | system-images/…
  system-images;android-34;google_apis;x86_64          | 14      | Google APIs Image       | system-images/…
  system-images;android-35;google_apis_playstore;x86_64 | 9      | Play Store Image        | system-images/…
  system-images;android-34-ext8;google_apis;arm64-v8a  | 1       | ARM 64 v8a Image        | system-images/…
"""
AVDS = """\
Available Android Virtual Devices:
    Name: Pixel_6_API_34
  Device: pixel_6 (Google)
    Path: /home/a b/.android/avd/Pixel_6_API_34.avd
  Target: Google APIs (Google Inc.)
          Based on: Android 14.0 ("UpsideDownCake") Tag/ABI: google_apis/x86_64
  Sdcard: 512 MB
---------
    Name: garabench-1
    Path: /home/a b/.android/avd/garabench-1.avd
  Target: Default
          Based on: Android 11.0 ("R") Tag/ABI: default/x86_64

The following Android Virtual Devices could not be loaded:
    Name: old
    Path: /home/a b/.android/avd/old.avd
   Error: Missing system image for Google APIs x86_64 Pixel.
"""


def test_images_are_read_from_the_table() -> None:
    found = parse_images(INSTALLED)
    assert [(image.api, image.variant, image.abi) for image in found] == [
        (30, "default", "x86_64"),
        (34, "google_apis", "x86_64"),
        (35, "google_apis_playstore", "x86_64"),
        (34, "google_apis", "arm64-v8a"),
    ]


@pytest.mark.parametrize(
    ("machine", "package"),
    [
        # The newest one has the Play Store, and its shell cannot become root.
        ("x86_64", "system-images;android-34;google_apis;x86_64"),
        ("aarch64", "system-images;android-34-ext8;google_apis;arm64-v8a"),
    ],
)
def test_best_image_runs_natively_and_can_become_root(machine: str, package: str) -> None:
    chosen = best_image(parse_images(INSTALLED), machine)
    assert chosen is not None
    assert chosen.package == package


def test_play_store_image_is_better_than_none() -> None:
    image = SystemImage.parse("system-images;android-35;google_apis_playstore;x86_64")
    assert image is not None
    assert best_image((image,), "x86_64") == image
    assert best_image((image,), "arm64") is None


def test_avds_are_read_with_the_broken_ones() -> None:
    pixel, own, old = parse_avds(AVDS)
    assert (pixel.name, pixel.path) == (
        "Pixel_6_API_34",
        Path("/home/a b/.android/avd/Pixel_6_API_34.avd"),
    )
    assert "Android 14.0" in pixel.target
    assert (own.name, own.problem) == ("garabench-1", "")
    assert (old.name, old.problem) == ("old", "Missing system image for Google APIs x86_64 Pixel.")
    assert parse_avds("Available Android Virtual Devices:\n") == ()


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.", "Java"),
        ("Skipping following packages as the license is not accepted:\nGoogle APIs", "licence"),
        ("Warning: Failed to find package 'system-images;android-99;x;y'", "no such package"),
        ("Error: Package path is not valid. Valid system image paths are:\nnull", "not installed"),
        ("Warning: java.net.UnknownHostException: dl.google.com", "downloaded"),
        ("Error: No device found matching --device pixel_99.", "device definition"),
        ("java.io.IOException: No space left on device", "disk is full"),
    ],
)
def test_failures_of_the_managers_are_explained(output: str, reason: str) -> None:
    failure = explain_manager(output)
    assert failure is not None
    assert reason in failure.reason
    assert failure.hint


def test_unknown_failure_is_not_explained() -> None:
    assert explain_manager("Exception in thread main") is None


def test_acceleration() -> None:
    usable = "accel:\n0\nKVM (version 12) is installed and usable.\naccel\n"
    assert explain_acceleration(usable, 0) is None
    missing = "accel:\n11\nThis user doesn't have permissions to use KVM (/dev/kvm).\naccel\n"
    failure = explain_acceleration(missing, 11)
    assert failure is not None
    assert failure.reason == (
        "hardware acceleration (KVM) is not available (This user doesn't have permissions to use KVM "
        "(/dev/kvm))"
    )
    assert "gpasswd" in failure.hint
    assert explain_acceleration("", 1) is not None


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("ERROR   | x86_64 emulation currently requires hardware acceleration!\n", "KVM"),
        ("PANIC: Unknown AVD name [x], use -list-avds to see valid list.", "no such AVD"),
        (
            "ERROR | Running multiple emulators with the same AVD is an experimental …",
            "already running",
        ),
        ("PANIC: Cannot find AVD system path. Please define ANDROID_SDK_ROOT", "image is missing"),
        ("FATAL        | Not enough disk space to run AVD 'x'. Exiting...", "disk is full"),
        ("INFO | a\nFATAL        | the display is on fire\nINFO | bye", "the display is on fire"),
        ("Segmentation fault", "Segmentation fault"),
        ("", "it printed nothing"),
    ],
)
def test_ends_of_emulators_are_explained(log: str, reason: str) -> None:
    assert reason in explain_emulator(log).reason
