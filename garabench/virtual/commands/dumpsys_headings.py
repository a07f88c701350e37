"""``dumpsys`` of services that nothing on the phone uses: what AOSP's ``dump`` methods print then.

A service that has no ``dump`` method, or whose dump is empty while nothing uses it, prints nothing on Android
either; those are not listed here.
"""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, str] = {
    "app_binding": "App Binding Service\n",
    "app_hibernation": "App Hibernation Service\n\nUser Level Hibernation States, user: 0\n",
    "app_prediction": "sDebug: false sVerbose: false\nNo temporary services\n",
    "binder_calls_stats": "Start time: 1970-01-01 00:00:00\nOn battery time (ms): 0\nSampling interval "
    "period: 1000\nPer-UID raw data (package/uid, worksource, call_desc, screen_interactive, cpu_time_micros)"
    ":\n",
    "blob_store": "mCurrentMaxSessionId: 0\nmRandom: 0\n",
    "companiondevice": "Companion Device Associations: <empty>\nCompanion Device Present: <empty>\n",
    "content_capture": "Number of users: 0\nsDebug: false sVerbose: false\nService: null\n",
    "content_suggestions": "sDebug: false sVerbose: false\n",
    "credential": "sDebug: false sVerbose: false\n",
    "emergency_affordance": "EmergencyAffordance (dumpsys emergency_affordance) state:\n"
    "mEmergencyAffordanceNeeded=false\nmVoiceCapable=true\nmAnyNetworkNeedsEmergencyAffordance=false\n",
    "external_vibrator_service": "ExternalVibratorService:\n  isUnderExternalControl=false\n",
    "font": "Updatable Font Feature is disabled.\n",
    "game": "*Dump GameManagerService*\n",
    "installd": "installd is happy!\n",
    "ipsec": "IpSecService dump:\n\nNETD set MTU: []\nmUserResourceTracker:\n",
    "location_time_zone_manager": "LocationTimeZoneManagerService:\n"
    "  mLocationTimeZoneDetectorController=null\n",
    "looper_stats": "Start time: 1970-01-01 00:00:00\nOn battery time (ms): 0\n"
    "work_source_uid,thread_name,handler_class,message_name,is_interactive,message_count\n",
    "media.aaudio": "AAudio Service:\n  not active\n",
    "media.audio_policy": "\nAudioPolicyManager: 0x7c1e00\n Primary Output I/O handle: 13\n"
    " Phone state: AUDIO_MODE_NORMAL\n",
    "media.extractor": "Recent extractors, most recent first:\n",
    "media.metrics": "MediaMetricsService:\n Total records: 0\n",
    "media.player": " Client\n  pid(398)\n Track\n",
    "media.resource_manager": "ResourceManagerService: 0x7c2000\n  Policies:\n"
    "    SupportsMultipleSecureCodecs: 1\n    SupportsSecureWithNonSecureCodec: 1\n"
    "  Processes:\n  Process Pid override:\n",
    "media_projection": "MEDIA PROJECTION MANAGER (dumpsys media_projection)\nMedia Projection: \nnull\n",
    "midi": "MIDI Manager State:\n  Devices:\n  Clients:\n",
    "music_recognition": "sDebug: false sVerbose: false\n",
    "netd": "NetdNativeService\n",
    "performance_hint": "HintSessionPreferredRate: 16666666\nHAL Support: false\nActive Sessions:\n",
    "persistent_data_block": "mDataBlockFile: /dev/block/by-name/frp\nmIsRunningDSU: false\n"
    "mInitDoneSignal: 0\nmAllowedUid: 1000\nmBlockDeviceSize: 524288\nmIsWritable: true\n",
    "platform_compat": "ChangeId(132649864; name=FORCE_ENABLE_SCOPED_STORAGE; disabled)\n",
    "powerstats": "PowerStatsService dumpsys: available PowerEntities\n\n"
    "PowerStatsService dumpsys: available Channels\n",
    "print": "PRINT MANAGER STATE (dumpsys print)\nuser_states={\n  user_id=0\n  installed_services=[\n  ]\n"
    "  disabled_services=[\n  ]\n  actives_services=[\n  ]\n  print_jobs=[\n  ]\n}\n",
    "reboot_readiness": "Interaction is idle: false\n",
    "search_ui": "sDebug: false sVerbose: false\n",
    "secure_element": "Secure Element Service\n  Terminals:\n",
    "smartspace": "sDebug: false sVerbose: false\n",
    "speech_recognition": "sDebug: false sVerbose: false\n",
    "system_update": "No update information.\n",
    "telephony_ims": "ImsResolver:\n  Configurations:\n    Device: MMTEL=, RCS=\n",
    "textclassification": "Text classifier service: null\n",
    "texttospeech": "sDebug: false sVerbose: false\n",
    "translation": "sDebug: false sVerbose: false\n",
    "updatelock": "Current Update Lock state: unlocked\n",
    "uri_grants": "URI GRANTS (dumpsys uri_grants)\n",
    "vcn_management": "VcnManagementService dump:\n\nmNetworkProvider:\n\nmLastSnapshot: null\n",
    "virtualdevice": "Created virtual devices: \n",
    "vold": "vold is happy!\n",
    "wearable_sensing": "sDebug: false sVerbose: false\n",
}
"""What each prints."""
