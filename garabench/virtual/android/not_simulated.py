"""Code that the phone cannot run: it answers as Android does without that code, and says so in the log."""

from __future__ import annotations

from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.system_processes import SHELL_UID

TAG = "garabench"
_LIBRARIES = "nativeLibraryDirectories=[/system/lib64, /system_ext/lib64]"


def missing_class(name: str, archive: str) -> str:
    """Return the exception of a class loader that does not find a class in an archive."""
    path = f'DexPathList[[zip file "{archive}"],{_LIBRARIES}]'
    return f'java.lang.ClassNotFoundException: Didn\'t find class "{name}" on path: {path}'


def say(phone: PhoneInterface, what: str) -> None:
    """Write to the log that some code does not run on this phone."""
    phone.logcat.write("W", TAG, f"{what}: not simulated, its code does not run here", pid=SHELL_UID)
