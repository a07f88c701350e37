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
NEEDS = {"8.5": "8.7"}
"""The oldest Gradle that a version of the Android plugin accepts: https://developer.android.com/build/releases/gradle-plugin."""


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return load_build()


def declared() -> dict[str, str]:
    """Return the versions of the tests' libraries that Gradle uses, by group and name."""
    found = re.findall(r"^\s*testImplementation '([^:']+:[^:']+):([^']+)'", GRADLE, re.MULTILINE)
    return dict(found)


def pinned(build: ModuleType) -> dict[str, str]:
    """Return the versions of the libraries that ``build.py`` runs the tests with, by group and name."""
    versions = {}
    for artifact in build.test_artifacts():
        *group, name, version, _ = Path(artifact.path).parts
        versions[f"{'.'.join(group)}:{name}"] = version
    return versions


def test_each_library_that_the_tests_import_is_declared() -> None:
    sources = (file.read_text("utf-8") for file in (HOME / "app" / "src" / "test").rglob("*.java"))
    imported = re.findall(r"^import (?:static )?(org\.\w+)\.", "\n".join(sources), re.MULTILINE)
    libraries = {"org.junit": "junit:junit", "org.json": "org.json:json"}
    libraries["org.robolectric"] = "org.robolectric:robolectric"
    assert {libraries[name] for name in imported} == declared().keys()


def test_the_libraries_are_those_that_make_runs_the_tests_with(build: ModuleType) -> None:
    versions = pinned(build)
    ours = {name: version for name, version in declared().items() if name != "org.json:json"}
    assert ours == {name: versions[name] for name in ("junit:junit", "org.robolectric:robolectric")}
    assert "org.json:json" not in versions, "Android's own is on that class path"


def test_the_same_packages_of_java_are_opened(build: ModuleType) -> None:
    listed = re.search(r"jvmArgs\(\[(.*?)\]", GRADLE)
    assert listed is not None
    assert tuple(re.findall(r"'([\w.]+)'", listed[1])) == build.OPENED_PACKAGES


def test_robolectric_finds_the_apps_resources_and_may_be_an_androidx_library(build: ModuleType) -> None:
    assert "includeAndroidResources = true" in GRADLE
    assert any(name.startswith("androidx.") for name in pinned(build))
    assert "android.useAndroidX=true" in (HOME / "gradle.properties").read_text("utf-8").splitlines()


def test_the_wrapper_and_the_readme_name_a_gradle_that_the_android_plugin_accepts() -> None:
    plugin = re.search(r"'com\.android\.application' version '((\d+\.\d+)\.\d+)'", GRADLE)
    assert plugin is not None
    gradle = NEEDS[plugin[2]]
    assert f"https\\://services.gradle.org/distributions/gradle-{gradle}-bin.zip" in WRAPPER
    assert re.search(r"^distributionSha256Sum=[0-9a-f]{64}$", WRAPPER, re.MULTILINE)
    assert f"The Android plugin {plugin[1]} needs Gradle {gradle} or newer" in README


def test_the_versions_of_android_are_those_of_the_build(build: ModuleType) -> None:
    numbers = dict(re.findall(r"(minSdk|targetSdk|compileSdk) (\d+)", GRADLE))
    assert numbers == {"minSdk": str(build.MIN_SDK), "targetSdk": "34", "compileSdk": "34"}
    assert f"applicationId '{build.PACKAGE}'" in GRADLE


def test_the_readme_states_the_limit_of_the_start_time_benchmark() -> None:
    source = next((HOME / "app" / "src" / "test").rglob("StartTime.java")).read_text("utf-8")
    times = re.search(r"TIMES = (\d+);", source)
    assert times is not None
    assert "Arrays.copyOfRange(taken, TIMES / 2, TIMES)" in source
    assert int(times[1]) == 60
    assert (
        f"limit, {companion.LIMIT:g} ms, is for the *median of thirty runs after thirty-one others*"
        in " ".join(README.split())
    )


def test_gradle_excludes_the_benchmark_too(build: ModuleType) -> None:
    assert "exclude '**/StartTime.class'" in GRADLE
    assert not any(file.stem == "StartTimeTest" for file in build.TESTS.rglob("*.java"))
