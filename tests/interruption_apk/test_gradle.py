"""The project for Android Studio agrees with ``build.py``, which builds the APK without Gradle."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import companion
from tests.interruption_apk.build_script import HOME, load_build

GRADLE = (HOME / "app" / "build.gradle").read_text("utf-8")
README = (HOME / "README.md").read_text("utf-8")
WRAPPER = (HOME / "gradle" / "wrapper" / "gradle-wrapper.properties").read_text("utf-8")
MIN_GRADLE = {"8.5": "8.7"}
"""The oldest Gradle that a version of the Android plugin accepts: https://developer.android.com/build/releases/gradle-plugin."""


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return load_build()


def declared_versions() -> dict[str, str]:
    """Return the versions of the tests' libraries that Gradle uses, by group and name."""
    found = re.findall(r"^\s*testImplementation '([^:']+:[^:']+):([^']+)'", GRADLE, re.MULTILINE)
    return dict(found)


def pinned_versions(build: ModuleType) -> dict[str, str]:
    """Return the versions of the libraries that ``build.py`` runs the tests with, by group and name."""
    versions = {}
    for artifact in build.test_artifacts():
        *group, name, version, _ = Path(artifact.path).parts
        versions[f"{'.'.join(group)}:{name}"] = version
    return versions


def test_imported_test_libraries_are_declared() -> None:
    sources = (file.read_text("utf-8") for file in (HOME / "app" / "src" / "test").rglob("*.java"))
    imported = re.findall(r"^import (?:static )?(org\.\w+)\.", "\n".join(sources), re.MULTILINE)
    libraries = {"org.junit": "junit:junit", "org.json": "org.json:json"}
    libraries["org.robolectric"] = "org.robolectric:robolectric"
    assert {libraries[name] for name in imported} == declared_versions().keys()


def test_library_versions_equal_those_of_the_build(build: ModuleType) -> None:
    versions = pinned_versions(build)
    ours = {name: version for name, version in declared_versions().items() if name != "org.json:json"}
    assert ours == {name: versions[name] for name in ("junit:junit", "org.robolectric:robolectric")}
    assert "org.json:json" not in versions, "Android's own is on that class path"


def test_opened_java_packages_equal_those_of_the_build(build: ModuleType) -> None:
    listed = re.search(r"jvmArgs\(\[(.*?)\]", GRADLE)
    assert listed is not None
    assert tuple(re.findall(r"'([\w.]+)'", listed[1])) == build.OPENED_PACKAGES


def test_robolectric_has_resources_and_androidx(build: ModuleType) -> None:
    assert "includeAndroidResources = true" in GRADLE
    assert any(name.startswith("androidx.") for name in pinned_versions(build))
    assert "android.useAndroidX=true" in (HOME / "gradle.properties").read_text("utf-8").splitlines()


def test_gradle_version_is_accepted_by_the_android_plugin() -> None:
    plugin = re.search(r"'com\.android\.application' version '((\d+\.\d+)\.\d+)'", GRADLE)
    assert plugin is not None
    gradle = MIN_GRADLE[plugin[2]]
    assert f"https\\://services.gradle.org/distributions/gradle-{gradle}-bin.zip" in WRAPPER
    assert re.search(r"^distributionSha256Sum=[0-9a-f]{64}$", WRAPPER, re.MULTILINE)
    assert f"The Android plugin {plugin[1]} needs Gradle {gradle} or newer" in README


def test_sdk_versions_equal_those_of_the_build(build: ModuleType) -> None:
    numbers = dict(re.findall(r"(minSdk|targetSdk|compileSdk) (\d+)", GRADLE))
    assert numbers == {"minSdk": str(build.MIN_SDK), "targetSdk": "34", "compileSdk": "34"}
    assert f"applicationId '{build.PACKAGE}'" in GRADLE


def test_readme_states_the_start_time_limit() -> None:
    source = next((HOME / "app" / "src" / "test").rglob("StartTime.java")).read_text("utf-8")
    times = re.search(r"TIMES = (\d+);", source)
    assert times is not None
    assert "Arrays.copyOfRange(taken, TIMES / 2, TIMES)" in source
    assert int(times[1]) == 60
    assert (
        f"limit, {companion.LIMIT:g} ms, is for the *median of thirty runs after thirty-one others*"
        in " ".join(README.split())
    )


def test_benchmark_is_not_run_as_a_test(build: ModuleType) -> None:
    assert "exclude '**/StartTime.class'" in GRADLE
    assert not any(file.stem == "StartTimeTest" for file in build.TESTS.rglob("*.java"))
