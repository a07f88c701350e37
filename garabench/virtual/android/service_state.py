"""What the shell sets in system services that have no other place on the phone, lost on reset."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class ServiceState:
    """The state of services.

    Attributes:
        idle: The state of the device's idle mode (``deviceidle``): deep, and light.
        forced_idle: Whether the shell forces the idle mode.
        buckets: Standby buckets by package, as ``am set-standby-bucket`` sets them.
        inactive: Packages that are app-standby idle.
        idle_exempt: Packages that the shell exempted from the idle mode.
        overlays: Whether a resource overlay is enabled, by name.
        roles: The holders of roles that differ from the default.
        frames_since: The number of the screen's changes at which ``gfxinfo`` began to count, by package.
        flags: The flags of ``device_config``, as ``namespace/name``.
        running: The pids of started services, by component.
        profiled: The file of a running profile; empty without one.
        thermal: The thermal status that the shell forces: 0 none to 6 shutdown.
        permissive: Whether SELinux only warns.
        verity: Whether the system's partitions are verified, and so read-only even for root.
        verity_after_boot: The same from the next boot on.
        framework_stopped: Whether root has stopped the zygote, and with it all services and apps.
    """

    idle: list[str] = field(default_factory=lambda: ["ACTIVE", "ACTIVE"])
    forced_idle: bool = False
    buckets: dict[str, int] = field(default_factory=dict)
    inactive: set[str] = field(default_factory=set)
    idle_exempt: set[str] = field(default_factory=set)
    overlays: dict[str, bool] = field(default_factory=dict)
    roles: dict[str, list[str]] = field(default_factory=dict)
    frames_since: dict[str, int] = field(default_factory=dict)
    flags: dict[str, str] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)
    profiled: str = ""
    thermal: int = 0
    permissive: bool = False
    verity: bool = True
    verity_after_boot: bool = True
    framework_stopped: bool = False
