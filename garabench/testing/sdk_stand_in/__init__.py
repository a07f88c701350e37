"""A stand-in for the Android SDK: its tools' documented command lines, with virtual phones as emulators.

The folder for ``ANDROID_HOME`` has ``sdkmanager``, ``avdmanager`` and ``emulator``, which run this package
and refuse unknown options; downloads, skins and the state in snapshots are not simulated, so an emulator that
starts from a snapshot is a new phone. It imports only itself and the standard library: a virtual phone is
another process. Start with `install.install_stand_in`, which writes the folder, then `__main__`.
"""
