"""The system services by name, as the service manager lists them.

Names, interfaces and API levels are those of AOSP: ``SystemServer.java``, ``Context.java``, and the native
services' ``main_*.cpp`` files. Services of hardware that the phone does not have are left out.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

_SERVICES = """\
SurfaceFlinger android.ui.ISurfaceComposer 19
SurfaceFlingerAIDL android.gui.ISurfaceComposer 33
accessibility android.view.accessibility.IAccessibilityManager 19
account android.accounts.IAccountManager 19
activity android.app.IActivityManager 19
activity_task android.app.IActivityTaskManager 29
adb android.debug.IAdbManager 29
alarm android.app.IAlarmManager 19
ambient_context android.app.ambientcontext.IAmbientContextManager 33
android.security.apc android.security.apc.IProtectedConfirmation 31
android.security.authorization android.security.authorization.IKeystoreAuthorization 31
android.security.compat android.security.compat.IKeystoreCompatService 31
android.security.identity android.security.identity.ICredentialStoreFactory 30
android.security.keystore android.security.keystore.IKeystoreService 19-30
android.security.legacykeystore android.security.legacykeystore.ILegacyKeystore 33
android.security.maintenance android.security.maintenance.IKeystoreMaintenance 31
android.security.metrics android.security.metrics.IKeystoreMetrics 33
android.service.gatekeeper.IGateKeeperService android.service.gatekeeper.IGateKeeperService 23
android.system.keystore2.IKeystoreService/default android.system.keystore2.IKeystoreService 31
app_binding - 29
app_hibernation android.apphibernation.IAppHibernationService 31
app_integrity android.content.integrity.IAppIntegrityManager 30
app_prediction android.app.prediction.IPredictionManager 29
app_search android.app.appsearch.aidl.IAppSearchManager 31
appops com.android.internal.app.IAppOpsService 19
appwidget com.android.internal.appwidget.IAppWidgetService 19
attestation_verification android.security.attestationverification.IAttestationVerificationManagerService 33
audio android.media.IAudioService 19
auth android.hardware.biometrics.IAuthService 30
autofill android.view.autofill.IAutoFillManager 26
background_install_control android.content.pm.IBackgroundInstallControlService 34
backup android.app.backup.IBackupManager 19
battery - 19
batteryproperties android.os.IBatteryPropertiesRegistrar 21
batterystats com.android.internal.app.IBatteryStats 19
binder_calls_stats - 28
biometric android.hardware.biometrics.IBiometricService 29
blob_store android.app.blob.IBlobStoreManager 30
bluetooth_manager android.bluetooth.IBluetoothManager 19
bugreport android.os.IDumpstate 26
cacheinfo - 30
carrier_config com.android.internal.telephony.ICarrierConfigLoader 23
clipboard android.content.IClipboard 19
color_display android.hardware.display.IColorDisplayManager 29
commontime_management - 19-22
companiondevice android.companion.ICompanionDeviceManager 26
connectivity android.net.IConnectivityManager 19
connectivity_native android.net.connectivity.aidl.ConnectivityNative 33
connmetrics android.net.IIpConnectivityMetrics 24
consumer_ir android.hardware.IConsumerIrService 19
content android.content.IContentService 19
content_capture android.view.contentcapture.IContentCaptureManager 29
content_suggestions android.app.contentsuggestions.IContentSuggestionsManager 29
country_detector android.location.ICountryDetector 19
cpuinfo - 19
credential android.credentials.ICredentialManager 34
crossprofileapps android.content.pm.ICrossProfileApps 28
dataloader_manager android.content.pm.IDataLoaderManager 30
dbinfo - 19
device_config - 29
device_identifiers android.os.IDeviceIdentifiersPolicyService 26
device_lock android.devicelock.IDeviceLockService 34
device_policy android.app.admin.IDevicePolicyManager 19
device_state android.hardware.devicestate.IDeviceStateManager 31
deviceidle android.os.IDeviceIdleController 23
devicestoragemonitor - 19
diskstats - 19
display android.hardware.display.IDisplayManager 19
dnsresolver android.net.IDnsResolver 29
domain_verification android.content.pm.verify.domain.IDomainVerificationManager 31
dreams android.service.dreams.IDreamManager 19
drm.drmManager drm.IDrmManagerService 19
dropbox com.android.internal.os.IDropBoxManagerService 19
dynamic_system android.os.image.IDynamicSystemService 29
emergency_affordance - 29
entropy - 19-27
ethernet android.net.IEthernetManager 21
external_vibrator_service android.os.IExternalVibratorService 29
file_integrity android.security.IFileIntegrityService 30
fingerprint android.hardware.fingerprint.IFingerprintService 23
font com.android.internal.graphics.fonts.IFontManager 31
game android.app.IGameManagerService 31
gfxinfo - 19
gpu android.graphicsenv.IGpuService 26
grammatical_inflection android.app.IGrammaticalInflectionManager 34
graphicsstats android.view.IGraphicsStats 24
hardware android.os.IHardwareService 19-23
hardware_properties android.os.IHardwarePropertiesManager 24
healthconnect android.health.connect.aidl.IHealthConnectService 34
imms com.android.internal.telephony.IMms 21
incident android.os.IIncidentManager 28
incidentcompanion android.os.IIncidentCompanion 29
incremental android.os.incremental.IIncrementalService 30
input android.hardware.input.IInputManager 19
input_method com.android.internal.view.IInputMethodManager 19
inputflinger android.os.IInputFlinger 21
installd android.os.IInstalld 26
ions com.android.internal.telephony.IOns 30
iphonesubinfo com.android.internal.telephony.IPhoneSubInfo 19
ipsec android.net.IIpSecService 28
isms com.android.internal.telephony.ISms 19
isub com.android.internal.telephony.ISub 21
jobscheduler android.app.job.IJobScheduler 21
launcherapps android.content.pm.ILauncherApps 21
legacy_permission android.permission.ILegacyPermissionManager 31
lights android.hardware.lights.ILightsManager 30
locale android.app.ILocaleManager 33
location android.location.ILocationManager 19
location_time_zone_manager - 31
lock_settings com.android.internal.widget.ILockSettings 19
logcat android.os.logcat.ILogcatManagerService 33
looper_stats - 29
manager android.os.IServiceManager 30
mdns android.net.mdns.aidl.IMDns 33
media.aaudio android.media.IAAudioService 26
media.audio_flinger android.media.IAudioFlingerService 19
media.audio_policy android.media.IAudioPolicyService 19
media.camera android.hardware.ICameraService 19
media.camera.proxy android.hardware.ICameraServiceProxy 23
media.extractor android.IMediaExtractorService 24
media.metrics android.media.IMediaMetricsService 26
media.player android.media.IMediaPlayerService 19
media.resource_manager android.media.IResourceManagerService 23
media.resource_observer android.media.IResourceObserverService 31
media_communication android.media.IMediaCommunicationService 31
media_metrics android.media.metrics.IMediaMetricsManager 31
media_projection android.media.projection.IMediaProjectionManager 21
media_resource_monitor android.media.IMediaResourceMonitor 24
media_router android.media.IMediaRouterService 19
media_session android.media.session.ISessionManager 21
meminfo - 19
memtrack.proxy android.hardware.memtrack.IMemtrack 31
midi android.media.midi.IMidiManager 23
mount android.os.storage.IStorageManager 19
music_recognition android.media.musicrecognition.IMusicRecognitionManager 31
nearby android.nearby.INearbyManager 33
netd android.net.INetd 26
netd_listener android.net.metrics.INetdEventListener 26
netpolicy android.net.INetworkPolicyManager 19
netstats android.net.INetworkStatsService 19
network_management android.os.INetworkManagementService 19
network_score android.net.INetworkScoreService 21
network_stack android.net.INetworkStackConnector 29
network_time_update_service - 21
network_watchlist com.android.internal.net.INetworkWatchlistManager 28
notification android.app.INotificationManager 19
otadexopt android.content.pm.IOtaDexopt 24
overlay android.content.om.IOverlayManager 26
pac_proxy android.net.IPacProxyManager 31
package android.content.pm.IPackageManager 19
package_native android.content.pm.IPackageManagerNative 26
people android.app.people.IPeopleManager 31
performance_hint android.os.IHintManager 31
permission android.os.IPermissionController 19
permission_checker android.permission.IPermissionChecker 31
permissionmgr android.permission.IPermissionManager 30
persistent_data_block android.service.persistentdata.IPersistentDataBlockService 21
phone com.android.internal.telephony.ITelephony 19
pinner - 24
platform_compat com.android.internal.compat.IPlatformCompat 30
platform_compat_native com.android.internal.compat.IPlatformCompatNative 30
power android.os.IPowerManager 19
powerstats android.os.IPowerStatsService 31
print android.print.IPrintManager 19
processinfo android.os.IProcessInfoService 23
procstats com.android.internal.app.procstats.IProcessStats 19
reboot_readiness android.scheduling.IRebootReadinessManager 31
recovery android.os.IRecoverySystem 24
remote_provisioning android.security.rkp.IRemoteProvisioning 34
resources android.content.res.IResourcesManager 33
restrictions android.content.IRestrictionsManager 21
role android.app.role.IRoleManager 29
rollback android.content.rollback.IRollbackManager 29
runtime - 29
safety_center android.safetycenter.ISafetyCenterManager 33
samplingprofiler - 19-23
scheduling_policy android.os.ISchedulingPolicyService 19
sdk_sandbox android.app.sdksandbox.ISdkSandboxManager 33
search android.app.ISearchManager 19
search_ui android.app.search.ISearchUiManager 31
sec_key_att_app_id_provider android.security.keymaster.IKeyAttestationApplicationIdProvider 26
secure_element android.se.omapi.ISecureElementService 28
sensor_privacy android.hardware.ISensorPrivacyManager 29
sensorservice android.gui.SensorServer 19
serial android.hardware.ISerialManager 19
servicediscovery android.net.nsd.INsdManager 19
settings - 24
shortcut android.content.pm.IShortcutService 25
simphonebook com.android.internal.telephony.IIccPhoneBook 19
slice android.app.slice.ISliceManager 28
smartspace android.app.smartspace.ISmartspaceManager 31
soundtrigger com.android.internal.app.ISoundTriggerService 24
soundtrigger_middleware android.media.soundtrigger_middleware.ISoundTriggerMiddlewareService 30
speech_recognition android.speech.IRecognitionServiceManager 31
stats android.os.IStatsd 28
statsbootstrap android.os.IStatsBootstrapAtomService 33
statscompanion android.os.IStatsCompanionService 28
statsmanager android.os.IStatsManagerService 30
statusbar com.android.internal.statusbar.IStatusBarService 19
storaged android.os.IStoraged 28
storaged_pri android.os.storaged.IStoragedPrivate 28
storagestats android.app.usage.IStorageStatsManager 26
suspend_control android.system.suspend.ISuspendControlService 29
suspend_control_internal android.system.suspend.internal.ISuspendControlServiceInternal 31
system_config android.os.ISystemConfig 30
system_server_dumper - 31
system_update android.os.ISystemUpdateManager 29
tare android.app.tare.IEconomyManager 33
telecom com.android.internal.telecom.ITelecomService 21
telephony.registry com.android.internal.telephony.ITelephonyRegistry 19
telephony_ims android.telephony.ims.aidl.IImsRcsController 30
testharness - 29
tethering android.net.ITetheringConnector 30
textclassification android.service.textclassifier.ITextClassifierService 29
textservices com.android.internal.textservice.ITextServicesManager 19
texttospeech android.speech.tts.ITextToSpeechManager 31
thermalservice android.os.IThermalService 29
time_detector android.app.timedetector.ITimeDetectorService 29
time_zone_detector android.app.timezonedetector.ITimeZoneDetectorService 29
tracing.proxy android.tracing.ITracingServiceProxy 31
translation android.view.translation.ITranslationManager 31
transparency com.android.internal.os.IBinaryTransparencyService 33
trust android.app.trust.ITrustManager 21
uimode android.app.IUiModeManager 19
updatelock android.os.IUpdateLock 19
uri_grants android.app.IUriGrantsManager 29
usagestats android.app.usage.IUsageStatsManager 19
usb android.hardware.usb.IUsbManager 19
user android.os.IUserManager 19
vcn_management android.net.vcn.IVcnManagementService 31
vibrator android.os.IVibratorService 19-30
vibrator_manager android.os.IVibratorManagerService 31
virtualdevice android.companion.virtual.IVirtualDeviceManager 33
virtualdevice_native android.companion.virtualnative.IVirtualDeviceManagerNative 34
voiceinteraction com.android.internal.app.IVoiceInteractionManagerService 21
vold android.os.IVold 26
vpn_management android.net.IVpnManager 31
wallpaper android.app.IWallpaperManager 19
wallpaper_effects_generation android.app.wallpapereffectsgeneration.IWallpaperEffectsGenerationManager 33
wearable_sensing android.app.wearable.IWearableSensingManager 34
webviewupdate android.webkit.IWebViewUpdateService 23
wifi android.net.wifi.IWifiManager 19
wifinl80211 android.net.wifi.nl80211.IWificond 30
wifip2p android.net.wifi.p2p.IWifiP2pManager 19
wifiscanner android.net.wifi.IWifiScanner 21
window android.view.IWindowManager 19
"""
"""``NAME INTERFACE FIRST[-LAST]`` (API levels); ``-`` is a service whose binder has no interface."""
_KITKAT = 19
_OLD_INTERFACES: Mapping[str, str] = {
    "media.audio_flinger": "android.media.IAudioFlinger",
    "mount": "IMountService",
    "procstats": "com.android.internal.app.IProcessStats",
    "usagestats": "com.android.internal.app.IUsageStats",
}
"""Interfaces in Android 4.4, where they differ."""


@functools.cache
def services(sdk: int) -> Mapping[str, str]:
    """Return the interfaces of a version's services by name, sorted; empty for one without an interface."""
    found = {}
    for line in _SERVICES.splitlines():
        name, interface, levels = line.split(" ")
        first, _, last = levels.partition("-")
        if int(first) <= sdk <= int(last or sdk):
            found[name] = "" if interface == "-" else interface
    return {**found, **_OLD_INTERFACES} if sdk <= _KITKAT else found
