"""A stand-in for the Android SDK: its tools' documented command lines, with virtual phones as emulators.

`install.install_stand_in` writes a folder for ``ANDROID_HOME``, whose ``sdkmanager``, ``avdmanager`` and
``emulator`` run this package. It imports only itself and the standard library: a virtual phone is another
process. Unknown options are errors, as with the real tools. Start with `install`, then `__main__`.

What it does not play: downloads, skins, and the state in snapshots. An emulator that starts from a snapshot
is a new phone.
"""
