"""Read an APK file: its manifest, and whether it is signed."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from garabench.virtual.android.arsc import resource_string
from garabench.virtual.android.axml import AxmlError, ResourceReference, XmlElement, parse_axml
from garabench.virtual.kit.intent_filter import Authority, IntentFilter, Pattern, PatternKind

MAX_MANIFEST = 8 << 20
MAX_TABLE = 64 << 20
_INPUT_METHOD = "android.view.InputMethod"
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
_LAUNCH_MODES: Mapping[str, str] = {"1": "singleTop", "2": "singleTask", "3": "singleTask", "4": "singleTask"}
_PATHS: Mapping[str, PatternKind] = {
    "path": PatternKind.LITERAL,
    "pathPrefix": PatternKind.PREFIX,
    "pathPattern": PatternKind.GLOB,
    "pathAdvancedPattern": PatternKind.ADVANCED,
    "pathSuffix": PatternKind.SUFFIX,
}
_SSPS: Mapping[str, PatternKind] = {
    "ssp": PatternKind.LITERAL,
    "sspPrefix": PatternKind.PREFIX,
    "sspPattern": PatternKind.GLOB,
    "sspAdvancedPattern": PatternKind.ADVANCED,
    "sspSuffix": PatternKind.SUFFIX,
}
_BLOCK_MAGIC = b"APK Sig Block 42"


class ApkError(ValueError):
    """The package cannot be installed.

    Attributes:
        code: Android's error code, such as ``INSTALL_PARSE_FAILED_NOT_APK``.
        detail: Android's message after the code.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ApkActivity:
    """An activity of the manifest; its name is fully qualified."""

    name: str
    exported: bool
    launch_mode: str
    filters: tuple[IntentFilter, ...]


@dataclass(frozen=True, slots=True)
class ApkComponent:
    """A service or receiver of the manifest; its name is fully qualified."""

    name: str
    exported: bool
    filters: tuple[IntentFilter, ...] = ()


@dataclass(frozen=True, slots=True)
class Apk:
    """The contents of an APK that the package manager uses.

    Attributes:
        package, version_code, version_name, min_sdk, target_sdk: From the manifest.
        label: Label by language.
        activities: Activities in manifest order.
        permissions: Full names.
        input_methods: Ids (``package/.Class``) of its keyboards.
        instrumentations: Target packages by component of its instrumentations.
        test_only: Whether installing it needs ``-t``.
        size: Size of the file, in bytes.
        services, receivers: Its services and receivers in manifest order.
        debuggable: Whether it may be debugged, and entered by ``run-as``.
    """

    package: str
    version_code: int
    version_name: str
    min_sdk: int
    target_sdk: int
    label: Mapping[str, str]
    activities: tuple[ApkActivity, ...] = ()
    permissions: tuple[str, ...] = ()
    input_methods: tuple[str, ...] = ()
    instrumentations: Mapping[str, str] = field(default_factory=dict)
    test_only: bool = False
    size: int = field(default=0)
    services: tuple[ApkComponent, ...] = ()
    receivers: tuple[ApkComponent, ...] = ()
    debuggable: bool = False

    @property
    def launcher(self) -> str:
        """The launcher activity, or empty."""
        for activity in self.activities:
            if any(_MAIN in each.actions and _LAUNCHER in each.categories for each in activity.filters):
                return activity.name
        return ""


def read_apk(data: bytes) -> Apk:
    """Read an APK.

    Raises:
        ApkError: It is not an APK, its manifest is broken, or it is not signed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = _read_member(archive, "AndroidManifest.xml", MAX_MANIFEST)
            table = _read_member(archive, "resources.arsc", MAX_TABLE)
            names = archive.namelist()
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise ApkError("INSTALL_PARSE_FAILED_NOT_APK", f"Failed to parse base.apk: {error}") from error
    if not manifest:
        raise ApkError("INSTALL_PARSE_FAILED_NOT_APK", "Failed to parse base.apk: AndroidManifest.xml")
    if not _is_signed(data, names):
        detail = "Failed to collect certificates from base.apk: Attempt to get length of null array"
        raise ApkError("INSTALL_PARSE_FAILED_NO_CERTIFICATES", detail)
    try:
        root = parse_axml(manifest)
    except AxmlError as error:
        raise ApkError("INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION", str(error)) from error
    return _describe(root, table, len(data))


def _read_member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    if name not in archive.namelist():
        return b""
    if archive.getinfo(name).file_size > limit:
        raise ApkError("INSTALL_PARSE_FAILED_NOT_APK", f"{name} is too large")
    return archive.read(name)


def _is_signed(data: bytes, names: list[str]) -> bool:
    """Return whether there is a JAR signature, or an APK signing block before the central directory."""
    if any(name.startswith("META-INF/") and name.endswith((".RSA", ".DSA", ".EC")) for name in names):
        return True
    end = data.rfind(b"PK\x05\x06")
    if end < 0 or end + 20 > len(data):
        return False
    (directory,) = struct.unpack_from("<I", data, end + 16)
    return data[max(0, directory - 16) : directory] == _BLOCK_MAGIC


def _describe(root: XmlElement, table: bytes, size: int) -> Apk:
    package = root.text("package")
    if root.tag != "manifest" or not package:
        raise ApkError("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED", "no <manifest> with a package")
    if not all(part.isidentifier() for part in package.split(".")):
        raise ApkError("INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME", f"Invalid manifest package: {package}")
    sdk = next(root.all("uses-sdk"), XmlElement("uses-sdk"))
    application = next(root.all("application"), XmlElement("application"))
    minimum = sdk.number("minSdkVersion", 1)
    return Apk(
        package=package,
        version_code=root.number("versionCode"),
        version_name=root.text("versionName"),
        min_sdk=minimum,
        target_sdk=sdk.number("targetSdkVersion", minimum),
        label=_label(application, table, package),
        activities=tuple(_activities(application, package, table)),
        permissions=tuple(dict.fromkeys(each.text("name") for each in root.all("uses-permission"))),
        input_methods=tuple(_input_methods(application, package)),
        instrumentations={
            f"{package}/{_qualify(each.text('name'), package)}": each.text("targetPackage")
            for each in root.all("instrumentation")
            if each.text("name")
        },
        test_only=application.flag("testOnly"),
        services=tuple(_components(application, "service", package, table)),
        receivers=tuple(_components(application, "receiver", package, table)),
        debuggable=application.flag("debuggable"),
        size=size,
    )


def _label(application: XmlElement, table: bytes, package: str) -> Mapping[str, str]:
    value = application.attributes.get("label")
    plain = package.rpartition(".")[2]
    if isinstance(value, ResourceReference):
        texts = {lang: resource_string(table, value.resource, lang) for lang in ("zh", "en")}
        return {lang: text or plain for lang, text in texts.items()}
    name = str(value) if value else plain
    return {"zh": name, "en": name}


def _qualify(name: str, package: str) -> str:
    if name.startswith("."):
        return package + name
    return name if "." in name else f"{package}.{name}"


def _activities(application: XmlElement, package: str, table: bytes) -> Iterator[ApkActivity]:
    for element in application.children:
        if element.tag not in ("activity", "activity-alias") or not element.text("name"):
            continue
        filters = tuple(_filter(each, table) for each in element.all("intent-filter"))
        yield ApkActivity(
            name=_qualify(element.text("name"), package),
            exported=element.flag("exported", default=bool(filters)),
            launch_mode=_LAUNCH_MODES.get(element.text("launchMode"), "standard"),
            filters=filters,
        )


def _components(application: XmlElement, tag: str, package: str, table: bytes) -> Iterator[ApkComponent]:
    for element in application.all(tag):
        if not element.text("name"):
            continue
        filters = tuple(_filter(each, table) for each in element.all("intent-filter"))
        yield ApkComponent(
            name=_qualify(element.text("name"), package),
            exported=element.flag("exported", default=bool(filters)),
            filters=filters,
        )


def _filter(element: XmlElement, table: bytes) -> IntentFilter:
    """Return a filter; Android combines the attributes of all its ``<data>`` elements."""

    def names(tag: str, attribute: str) -> tuple[str, ...]:
        texts = (_text(each, attribute, table) for each in element.all(tag))
        return tuple(dict.fromkeys(text for text in texts if text))

    def patterns(kinds: Mapping[str, PatternKind]) -> tuple[Pattern, ...]:
        return tuple(Pattern(text, kind) for name, kind in kinds.items() for text in names("data", name))

    hosts = ((_text(each, "host", table), _text(each, "port", table)) for each in element.all("data"))
    return IntentFilter(
        actions=names("action", "name"),
        categories=names("category", "name"),
        schemes=names("data", "scheme"),
        authorities=tuple(dict.fromkeys(Authority(host, port) for host, port in hosts if host)),
        paths=patterns(_PATHS),
        ssps=patterns(_SSPS),
        types=names("data", "mimeType"),
        priority=element.number("priority"),
    )


def _text(element: XmlElement, attribute: str, table: bytes) -> str:
    """Return an attribute's text; a reference to a string resource is looked up."""
    value = element.attributes.get(attribute, "")
    if isinstance(value, ResourceReference):
        return resource_string(table, value.resource, "en") or ""
    return str(value)


def _input_methods(application: XmlElement, package: str) -> Iterator[str]:
    for service in application.all("service"):
        actions = (each for entry in service.all("intent-filter") for each in entry.all("action"))
        if any(each.text("name") == _INPUT_METHOD for each in actions):
            name = _qualify(service.text("name"), package)
            short = name[len(package) :] if name.startswith(package + ".") else name
            yield f"{package}/{short}"
