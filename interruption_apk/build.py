"""Build the companion app without an Android SDK: from Debian's tools and Maven artifacts.

Every downloaded file is pinned and verified by its hash. Two builds of the same sources give the same bytes,
except for the signature. Run it as ``make apk``; it needs javac, java, keytool, aapt2, zipalign and apksigner
(Debian and Ubuntu: ``openjdk-17-jdk-headless aapt zipalign apksigner``).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent
MAIN = HOME / "app" / "src" / "main"
TESTS = HOME / "app" / "src" / "test" / "java"
TEST_RESOURCES = HOME / "app" / "src" / "test" / "resources"
BUILT = HOME / "built"
APK = BUILT / "interruptions.apk"
RECORD = BUILT / "interruptions.json"
PICTURES = HOME / "pictures"
"""Where the tests write the windows that they draw, for visual inspection; not committed."""
OPENED_PACKAGES = ("lang", "lang.reflect", "util", "io", "net")
"""Packages of ``java.base`` that Robolectric accesses by reflection."""
KEY = HOME / ".keys" / "debug.p12"
PASSWORD = "android"  # noqa: S105 - the usual password of Android debug keys, which protect nothing
REPOSITORIES = ("https://repo1.maven.org/maven2/", "https://dl.google.com/android/maven2/")
"""Maven Central, which has everything the build needs, and Google's, for some of the tests' libraries."""
PACKAGE = "org.garabench.interruptions"
MIN_SDK = 19
JAVA_8 = "--release 8 -encoding UTF-8 -proc:none"
NEW_KEY = "-alias debug -keyalg RSA -keysize 2048 -validity 10957 -dname CN=GaraBench"
SCHEMES = (
    f"--min-sdk-version {MIN_SDK} --v1-signing-enabled true --v2-signing-enabled true "
    "--v3-signing-enabled true --v4-signing-enabled false"
)
"""The signature schemes that Android 4.4 to 15 require."""
TOOLS = ("javac", "java", "keytool", "aapt2", "zipalign", "apksigner")
DEBIAN_PACKAGES = "openjdk-17-jdk-headless aapt zipalign apksigner"
EPOCH = (1981, 1, 1, 1, 1, 2)
"""Date of every ZIP entry, the one that Android's own build uses."""


class Artifact(NamedTuple):
    """A file in a Maven repository.

    Attributes:
        path: Its path in the repository.
        sha256: Its expected SHA-256.
    """

    path: str
    sha256: str


ANDROID = Artifact(
    "org/robolectric/android-all/14-robolectric-10818077/android-all-14-robolectric-10818077.jar",
    "6be2218c6a53fe3c57bc22ebdc723edcb7270a8a6f187545708aa5c0ed813977",
)
"""Android 14's framework: the classes to compile against and the resources to link with."""
DX = Artifact(
    "com/jakewharton/android/repackaged/dalvik-dx/16.0.1/dalvik-dx-16.0.1.jar",
    "1e4b645628e3bdb097b5331d669e177ef235a551582a8c646dbe36865e541907",
)
"""The dexer: converts Java 8 bytecode to Dalvik bytecode that Android 4.4 runs."""


class BuildError(Exception):
    """The build failed; the message says why and what to do."""


def run(*words: str | Path) -> str:
    """Run a tool.

    Args:
        words: The command line: strings are split at spaces, paths are not.

    Returns:
        The tool's standard output.

    Raises:
        BuildError: The tool failed.
    """
    argv = [item for word in words for item in (word.split() if isinstance(word, str) else [str(word)])]
    done = subprocess.run(argv, cwd=HOME, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{argv[0]} failed:\n{done.stderr}{done.stdout}")  # a test's failures come last
    return done.stdout


def need_tools(names: Iterable[str] = TOOLS) -> None:
    """Check that the tools are installed.

    Raises:
        BuildError: Some are missing; the message lists them and how to install them.
    """
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        install = f"sudo apt-get install {DEBIAN_PACKAGES}"
        raise BuildError(f"missing: {', '.join(missing)}. On Debian or Ubuntu: {install}")


def cache() -> Path:
    """Return the directory that caches downloaded files between builds."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "garabench" / "apk-parts"


def fetch(artifact: Artifact) -> Path:
    """Return the path of an artifact in the cache, downloading it if necessary.

    Raises:
        BuildError: The download failed, or the file has another hash.
    """
    file = cache() / artifact.sha256 / Path(artifact.path).name
    if file.exists():
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    failures = []
    for repository in REPOSITORIES:
        try:
            download(repository + artifact.path, partial)
        except OSError as error:
            failures.append(f"{repository}{artifact.path}: {error}")
            continue
        if (got := digest(partial)) != artifact.sha256:
            partial.unlink()
            raise BuildError(f"{repository}{artifact.path} has SHA-256 {got}, expected {artifact.sha256}")
        partial.rename(file)
        return file
    raise BuildError(f"cannot download {Path(artifact.path).name}: " + "; ".join(failures))


def download(url: str, file: Path) -> None:
    """Download a file.

    Raises:
        OSError: The download failed.
    """
    with urllib.request.urlopen(url, timeout=60) as answer, file.open("wb") as out:  # noqa: S310 - two fixed hosts
        shutil.copyfileobj(answer, out)


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def sources() -> list[Path]:
    """Return the source files of the APK, sorted."""
    return sorted(path for path in MAIN.rglob("*") if path.is_file())


def sources_digest() -> str:
    """Return the SHA-256 over the names and contents of the sources and the artifacts they are built with."""
    total = hashlib.sha256()
    for path in sources():
        total.update(f"{path.relative_to(MAIN).as_posix()}\0{digest(path)}\n".encode())
    for artifact in (ANDROID, DX):
        total.update(f"{artifact.path}\0{artifact.sha256}\n".encode())
    return total.hexdigest()


def compile_classes(work: Path, android: Path) -> Path:
    """Link the resources, compile the code with their ids, and return the directory of the classes."""
    run("aapt2 compile --dir", MAIN / "res", "-o", work / "res.zip")
    manifest, linked = MAIN / "AndroidManifest.xml", work / "linked.apk"
    run(
        "aapt2 link -I",
        android,
        "--manifest",
        manifest,
        "--java",
        work / "gen",
        "-o",
        linked,
        work / "res.zip",
    )
    code = sorted([*MAIN.glob("java/**/*.java"), *work.glob("gen/**/*.java")])
    classes = work / "classes"
    lint = "-Xlint:all,-options,-deprecation,-serial,-classfile -Werror"
    run("javac", JAVA_8, lint, "-g:source,lines -classpath", android, "-d", classes, *code)
    return classes


def build_unsigned(work: Path) -> Path:
    """Build the unsigned APK: the same sources give the same bytes."""
    android, dx = fetch(ANDROID), fetch(DX)
    classes = compile_classes(work, android)
    dex = work / "classes.dex"
    run(
        "java -cp",
        dx,
        f"com.android.dx.command.Main --dex --min-sdk-version={MIN_SDK} --output",
        dex,
        classes,
    )
    whole = work / "unsigned.apk"
    with zipfile.ZipFile(work / "linked.apk") as linked, zipfile.ZipFile(whole, "w") as out:
        entries = {name: linked.read(name) for name in linked.namelist()} | {"classes.dex": dex.read_bytes()}
        for name in sorted(entries):
            # Android 11 and newer require the resource table uncompressed and aligned.
            how = zipfile.ZIP_STORED if name == "resources.arsc" else zipfile.ZIP_DEFLATED
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system, entry.external_attr = 0, 0
            out.writestr(entry, entries[name], how, compresslevel=9)
    aligned = work / "aligned.apk"
    run("zipalign -f 4", whole, aligned)
    return aligned


def key() -> Path:
    """Return the debug key of this checkout, generating it if there is none."""
    if not KEY.exists():
        KEY.parent.mkdir(exist_ok=True)
        run("keytool -genkeypair -keystore", KEY, f"-storetype PKCS12 -storepass {PASSWORD}", NEW_KEY)
    return KEY


def sign(apk: Path, out: Path) -> None:
    """Sign an APK with every scheme that Android 4.4 to 15 require, and verify the result."""
    login = f"--ks-pass pass:{PASSWORD} --ks-key-alias debug"
    run("apksigner sign --ks", key(), login, SCHEMES, "--out", out, apk)
    verify(out)


def verify(apk: Path) -> None:
    """Verify the signature for every supported Android version.

    Raises:
        BuildError: The signature is invalid.
    """
    run(f"apksigner verify --min-sdk-version {MIN_SDK}", apk)


def contents(apk: Path) -> dict[str, str]:
    """Return the SHA-256 of each entry, by name, without the signature's."""
    with zipfile.ZipFile(apk) as opened:
        return {
            name: hashlib.sha256(opened.read(name)).hexdigest()
            for name in sorted(opened.namelist())
            if not name.startswith("META-INF/")
        }


def build() -> None:
    """Build and sign the APK, and record the hashes of it and of its sources."""
    need_tools()
    BUILT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        sign(build_unsigned(Path(folder)), APK)
    record = {
        "package": PACKAGE,
        "sources_sha256": sources_digest(),
        "apk_sha256": digest(APK),
        "contents": contents(APK),
    }
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"{APK.relative_to(HOME.parent)}: {APK.stat().st_size:,} bytes")


def check_record() -> None:
    """Compare the bundled APK and the sources with the recorded hashes.

    Raises:
        BuildError: The record or the APK is missing, or a hash differs.
    """
    try:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
        recorded = record["sources_sha256"], record["apk_sha256"], record["contents"]
        actual = sources_digest(), digest(APK), contents(APK)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise BuildError(f"{BUILT.relative_to(HOME.parent)} is incomplete ({error}): run make apk") from error
    messages = (
        "the sources have changed since the bundled APK was built",
        "the bundled APK is not the one that was built",
        "the bundled APK's entries are not those that were built",
    )
    for message, before, now in zip(messages, recorded, actual, strict=True):
        if before != now:
            raise BuildError(f"{message} (according to {RECORD.relative_to(HOME.parent)}): run make apk")


def check() -> None:
    """Compare the bundled APK with its recorded hashes, then rebuild it and compare the entries.

    Raises:
        BuildError: They differ, a tool is missing, or the build failed.
    """
    check_record()
    need_tools(name for name in TOOLS if name != "keytool")
    verify(APK)
    with tempfile.TemporaryDirectory() as folder:
        rebuilt = contents(build_unsigned(Path(folder)))
    bundled = contents(APK)
    differing = sorted(
        name for name in rebuilt.keys() | bundled.keys() if rebuilt.get(name) != bundled.get(name)
    )
    if differing:
        raise BuildError(
            f"the bundled APK was built from other sources ({', '.join(differing)} differ): run make apk"
        )
    print("the bundled APK matches its sources")


def test_artifacts() -> list[Artifact]:
    """Return what the tests need in addition to the build's artifacts, from ``test_artifacts.txt``."""
    lines = (HOME / "test_artifacts.txt").read_text(encoding="utf-8").splitlines()
    entries = (line.split() for line in lines if not line.startswith("#"))
    return [Artifact(path, sha256) for sha256, path in entries]


def class_path(artifacts: Iterable[Artifact], work: Path) -> list[Path]:
    """Return the artifacts' JAR files; that of an Android library (AAR) is extracted."""
    jars = []
    for artifact in artifacts:
        file = fetch(artifact)
        if file.suffix == ".aar":
            with zipfile.ZipFile(file) as library:
                file = work / f"{file.stem}.jar"
                file.write_bytes(library.read("classes.jar"))
        jars.append(file)
    return jars


def join_class_path(*paths: Path) -> Path:
    """Join paths into a Java class path."""
    return Path(os.pathsep.join(str(path) for path in paths))


def test(only: str = "") -> None:
    """Run the tests: those of pure code on plain Java, the others on Android's classes with Robolectric.

    Args:
        only: Name of the single class to run, such as the benchmark ``StartTime``; every test if empty.
    """
    need_tools(("javac", "java", "aapt2"))
    android, all_artifacts = fetch(ANDROID), test_artifacts()
    systems = [artifact for artifact in all_artifacts if "android-all-instrumented" in artifact.path]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        classes, compiled, config = compile_classes(work, android), work / "tests", work / "config"
        libraries = class_path((artifact for artifact in all_artifacts if artifact not in systems), work)
        tests = sorted(TESTS.rglob("*.java"))
        path = join_class_path(classes, *libraries, android)
        run("javac", JAVA_8, "-Xlint:none -classpath", path, "-d", compiled, *tests)
        settings = config / "com" / "android" / "tools" / "test_config.properties"
        settings.parent.mkdir(parents=True)
        settings.write_text(
            f"android_merged_manifest={MAIN / 'AndroidManifest.xml'}\n"
            f"android_resource_apk={work / 'linked.apk'}\n"
            f"android_merged_assets={work / 'assets'}\nandroid_custom_package={PACKAGE}\n",
            encoding="utf-8",
        )
        (work / "systems").mkdir()
        for artifact in systems:
            (work / "systems" / Path(artifact.path).name).symlink_to(fetch(artifact))
        opened = " ".join(f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in OPENED_PACKAGES)
        names = " ".join(
            f"{PACKAGE}.{file.stem}"
            for file in tests
            if (file.stem == only if only else file.stem.endswith("Test"))
        )
        whole = join_class_path(compiled, TEST_RESOURCES, config, path)
        system = f"-Drobolectric.offline=true -Drobolectric.dependency.dir={work / 'systems'} {opened}"
        pictures = f"-Dpictures={PICTURES}"
        print(run(f"java {system} {pictures} -cp", whole, "org.junit.runner.JUnitCore", names))


def main(argv: Sequence[str]) -> int:
    """Run a command of the build script, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("build", "check", "test", "time"), nargs="?", default="build")
    parser.add_argument("--only", default="", metavar="CLASS", help="with test: run only this class")
    options = parser.parse_args(argv)
    try:
        {
            "build": build,
            "check": check,
            "test": lambda: test(options.only),
            "time": lambda: test("StartTime"),
        }[options.what]()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
