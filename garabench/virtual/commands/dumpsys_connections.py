"""``dumpsys`` of networks and of telephony, in the forms of AOSP's ``dump`` methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_files import moved_bytes
from garabench.virtual.android.system_properties import OPERATOR, OPERATOR_NUMERIC
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.commands.network import ADDRESS

Dump = Callable[[Phone, list[str]], str]
_READ_SHARE, _RECEIVED_PACKET, _SENT_PACKET = 3, 900, 1200
"""Received bytes for each sent one, and the mean sizes of packets, as in ``/proc/net/dev``."""
_SSID, _BSSID, _MAC = "VirtualWifi", "02:00:00:00:00:00", "02:00:00:00:00:00"
_GATEWAY = "192.168.1.1"
_MOBILE_ADDRESS, _MOBILE_GATEWAY = "10.0.2.15", "10.0.2.2"
_HANDLE = 0xCAFED00D
"""The lower half of each network's handle (``Network.getNetworkHandle``)."""
_ADDRESS_SDK = 30
"""The last API level (Android 11) whose ``WifiInfo`` prints no address."""
_TRANSPORTS = {"wlan0": 1, "rmnet0": 0}
"""``ConnectivityManager.TYPE_…`` by interface."""


def _flag(value: bool) -> str:
    return str(value).lower()


def _interface(phone: Phone) -> str:
    """Return the interface of the default network; empty without one."""
    if not phone.network.online:
        return ""
    return "wlan0" if phone.network.wifi else "rmnet0"


def _identity(name: str) -> str:
    network = f'wifiNetworkKey="{_SSID}"' if name == "wlan0" else "subscriberId=310260..."
    return (
        f"[{{type={_TRANSPORTS[name]}, ratType=COMBINED, {network}, metered={_flag(name != 'wlan0')}, "
        "defaultNetwork=true, oemManaged=OEM_NONE, subId=1}]"
    )


def netstats(phone: Phone, args: list[str]) -> str:
    """The bytes of each interface since boot (``NetworkStatsService.dump``)."""
    name = _interface(phone)
    active = f"  iface={name} ident={_identity(name)}\n" if name else ""
    start = int(phone.clock.boot_wall().timestamp()) // 3600 * 3600
    history = "".join(
        f"  ident={_identity(each)} uid=-1 set=ALL tag=0x0\n    NetworkStatsHistory: bucketDuration=3600\n"
        f"      st={start} rb={count} rp={count // _RECEIVED_PACKET} tb={count // _READ_SHARE} "
        f"tp={count // _SENT_PACKET} op=0\n"
        for each, count in moved_bytes(phone).items()
        if each in _TRANSPORTS and count
    )
    tables = "".join(
        f"{title} stats:\n  Pending bytes: 0\n  Complete history:\n{history}" for title in ("Dev", "Xt")
    )
    return f"Active interfaces:\n{active}Active UID interfaces:\n{active}{tables}UID stats:\nUID tag stats:\n"


def netpolicy(phone: Phone, args: list[str]) -> str:
    """The data saver, and the rules of apps in the foreground (``NetworkPolicyManagerService.dump``)."""
    top = phone.activities.resumed
    uid = phone.packages.get(top.app.package) if top else None
    states = f"  UID={uid.uid} state={{procState=TOP,seq=0}}\n" if uid else ""
    return (
        f"System ready: true\nRestrict background: false\nRestrict power: {_flag(phone.battery.saver)}\n"
        f"Device idle: {_flag(phone.services.idle[0] == 'IDLE')}\nRestricted networking mode: false\n"
        f"Low Power Standby mode: false\nMetered ifaces: {{{'' if phone.network.wifi else 'rmnet0'}}}\n\n"
        "Network policies:\n\nSubscription plans:\n\nMerged subscriptions:\n\nPolicy for UIDs:\n"
        f"Power save whitelist (except idle) app ids:\n  UID=2000: true\nUid procState states:\n{states}"
        "Status for all known UIDs:\nAdmin restricted uids for metered data:\n"
    )


def network_management(phone: Phone, args: list[str]) -> str:
    """The firewall and the data saver (``NetworkManagementService.dump``)."""
    return (
        "Flags:\nData saver mode: false\nUid rule: quota: {}\nUid firewall : rules\n"
        f"Firewall enabled: false\nFirewall chain dozable enabled: "
        f"{_flag(phone.services.idle[0] == 'IDLE')}\n"
        f"Firewall chain powersave enabled: {_flag(phone.battery.saver)}\n"
    )


def tethering(phone: Phone, args: list[str]) -> str:
    """No device is tethered (``Tethering.dump``)."""
    name = _interface(phone)
    return (
        "Tethering:\n  Configuration:\n    tetherableUsbRegexs: [usb\\d, rndis\\d]\n"
        "    tetherableWifiRegexs: [wlan\\d, softap\\d]\n    tetherableBluetoothRegexs: [bt-pan]\n"
        "  Entitlement:\n  Tether state:\n"
        f"  Upstream wanted: false\n  Current upstream interface(s): {'[' + name + ']' if name else 'null'}\n"
    )


def dnsresolver(phone: Phone, args: list[str]) -> str:
    """The name server of the default network (``DnsResolverService::dump``)."""
    name = _interface(phone)
    if not name:
        return ""
    mode = phone.settings.get("global", "private_dns_mode") or "opportunistic"
    server = _GATEWAY if name == "wlan0" else _MOBILE_GATEWAY
    return (
        f"NetId: {100 if name == 'wlan0' else 101}\n  DnsEvent subsampling map: default:8 0:400 2:110 7:110\n"
        "  DNS servers: # IP (total, successes, errors, timeouts, internal errors, RTT avg, last sample)\n"
        f"    {server} <no data>\n  search domains: \n  DNS parameters: sample validity = 1800s, success "
        f"threshold = 25%, samples (min, max) = (8, 64)\n  Private DNS mode: {mode.upper()}\n"
    )


def wifip2p(phone: Phone, args: list[str]) -> str:
    """Wi-Fi Direct, in which no group is formed (``WifiP2pServiceImpl.dump``)."""
    on = phone.network.wifi
    state = "InactiveState" if on else "P2pDisabledState"
    return (
        "WifiP2pService:\n total records=0\n"
        f"curState={state}\nmAutonomousGroup false\nmJoinExistingGroup false\nmDiscoveryStarted false\n"
        f"mNetworkInfo [type: WIFI_P2P[], state: {'DISCONNECTED' if on else 'UNKNOWN'}/"
        f"{'DISCONNECTED' if on else 'IDLE'}, reason: (unspecified), extra: (none), failover: false, "
        "available: true, roaming: false]\nmTemporarilyDisconnectedWifi false\nmServiceTransactionId 0\n"
    )


def wifiscanner(phone: Phone, args: list[str]) -> str:
    """The networks in reach (``WifiScanningServiceImpl.dump``)."""
    rows = f"{_BSSID}       2412    -50    3.210   {_SSID}   [WPA2-PSK-CCMP][ESS]\n"
    head = "    BSSID              Frequency      RSSI           Age(sec)     SSID                 Flags\n"
    return (
        "WifiScanningService - Log Begin ----\n total records=0\nWifiScanningService - Log End ----\n"
        "clients:\nlisteners:\nactive scan requests:\nBackgroundScanScheduler:\nLatest native scan results:\n"
        f"{head}{rows if phone.network.wifi else ''}"
    )


def _wifi_info(phone: Phone) -> str:
    """Return ``WifiInfo.toString``."""
    on, sdk = phone.network.wifi, phone.profile.sdk
    name = _SSID if sdk <= KITKAT else f'"{_SSID}"'
    parts = [f"SSID: {name if on else '<none>' if sdk <= KITKAT else '<unknown ssid>'}"]
    parts += [f"BSSID: {_BSSID if on else '<none>'}", f"MAC: {_MAC}"]
    if sdk > _ADDRESS_SDK:
        parts += [f"IP: {'/' + ADDRESS if on else 'null'}", f"Security type: {2 if on else -1}"]
    parts.append(f"Supplicant state: {'COMPLETED' if on else 'DISCONNECTED'}")
    if sdk > KITKAT:
        parts.append(f"Wi-Fi standard: {'11n' if on and sdk > _ADDRESS_SDK else 4 if on else 'unknown'}")
    unit = "Mbps" if sdk > KITKAT else ""
    parts += [f"RSSI: {-50 if on else -127}", f"Link speed: {65 if on else -1}{unit}"]
    if sdk > KITKAT:
        parts += [f"Tx Link speed: {65 if on else -1}Mbps", f"Rx Link speed: {65 if on else -1}Mbps"]
        parts.append(f"Frequency: {2412 if on else -1}MHz")
    parts += [f"Net ID: {0 if on else -1}", "Metered hint: false"]
    return ", ".join([*parts, f"score: {60 if on else 0}"] if sdk > KITKAT else parts)


def wifi(phone: Phone, args: list[str]) -> str:
    """The Wi-Fi's state and network (``WifiServiceImpl.dump``, ``ClientModeImpl.dump``)."""
    on = phone.network.wifi
    state = "CONNECTED/CONNECTED" if on else "DISCONNECTED/DISCONNECTED"
    connected = "ConnectedState" if phone.profile.sdk <= _ADDRESS_SDK else "L3ConnectedState"
    saved = f'ID: 0 SSID: "{_SSID}" PROVIDER-NAME: null BSSID: null FQDN: null PRIO: 0 HIDDEN: false\n'
    return (
        f"Wi-Fi is {'enabled' if on else 'disabled'}\nVerbose logging is off\nStay-awake conditions: 0\n"
        f"mInIdleMode false\nmScanPending false\ncurState={connected if on else 'DisconnectedState'}\n"
        f"mLinkProperties {_link_properties('wlan0') if on else '{}'}\nmWifiInfo {_wifi_info(phone)}\n"
        f"mNetworkInfo [type: WIFI[], state: {state}, reason: (unspecified), extra: (none), failover: false, "
        f"available: {_flag(on)}, roaming: false]\nmLastSignalLevel {4 if on else -1}\n"
        f"mLastBssid {_BSSID if on else 'null'}\nmLastNetworkId {0 if on else -1}\nmOperationalMode 1\n"
        f"WifiConfigManager - Configured networks Begin ----\n{saved}"
        "WifiConfigManager - Configured networks End ----\n"
    )


def _link_properties(name: str) -> str:
    """Return ``LinkProperties.toString``."""
    address, gateway = (ADDRESS, _GATEWAY) if name == "wlan0" else (_MOBILE_ADDRESS, _MOBILE_GATEWAY)
    network = f"{address.rpartition('.')[0]}.0"
    return (
        f"{{InterfaceName: {name} LinkAddresses: [ {address}/24 ] DnsAddresses: [ /{gateway} ] Domains: null "
        f"MTU: 0 TcpBufferSizes: 524288,1048576,2097152,262144,524288,1048576 Routes: [ {network}/24 "
        f"-> 0.0.0.0 {name} mtu 0,0.0.0.0/0 -> {gateway} {name} mtu 0 ]}}"
    )


def connectivity(phone: Phone, args: list[str]) -> str:
    """The networks (``ConnectivityService.dump``, ``NetworkAgentInfo.toString``)."""
    name = _interface(phone)
    if not name:
        return "Active default network: none\n\nCurrent network preferences:\n\nCurrent Networks:\n"
    number, kind = (100, "WIFI") if name == "wlan0" else (101, "MOBILE")
    subtype, transport = ("", "WIFI") if name == "wlan0" else ("LTE", "CELLULAR")
    if phone.profile.sdk > _ADDRESS_SDK:  # NetworkInfo.toShortString, since Android 12
        info = f"{kind}{f'[{subtype}]' if subtype else ''} CONNECTED"
        score = "Score(Policies : TRANSPORT_PRIMARY&EVER_VALIDATED&IS_VALIDATED ; KeepConnected : 0)"
    else:
        info = (
            f"[type: {kind}[{subtype}], state: CONNECTED/CONNECTED, reason: (unspecified), extra: , "
            "failover: false, available: true, roaming: false]"
        )
        score = f"Score{{{60 if name == 'wlan0' else 50}}}  everValidated lastValidated"
    metered = "NOT_METERED&" if name == "wlan0" else ""
    able = (
        f"[ Transports: {transport} Capabilities: {metered}INTERNET&NOT_RESTRICTED&TRUSTED&NOT_VPN&VALIDATED&"
        "NOT_ROAMING&FOREGROUND&NOT_CONGESTED&NOT_SUSPENDED LinkUpBandwidth>=12000Kbps "
        "LinkDnBandwidth>=60000Kbps SignalStrength: -50]"
    )
    return (
        f"Active default network: {number}\n\nCurrent network preferences:\n\nCurrent Networks:\n"
        f"  NetworkAgentInfo{{network{{{number}}}  handle{{{(number << 32) | _HANDLE}}}  ni{{{info}}} "
        f"{score} lp{{{_link_properties(name)}}}  nc{{{able}}}}}\n    Requests: REQUEST:1 LISTEN:4 "
        "BACKGROUND_REQUEST:0 total:5\n"
    )


def ethernet(phone: Phone, args: list[str]) -> str:
    """The phone has no cable (``EthernetServiceImpl.dump``)."""
    return (
        "Current Ethernet state: \n  Ethernet Tracker\n  Ethernet State: enabled\n  Ethernet interface name "
        "filter: eth\\d\n  Interface used for tethering: null\n  Tethering interface mode: 1\n"
        "  Tethered interface requests: 0\n  IP Configurations:\n  Handler:\n"
    )


def connmetrics(phone: Phone, args: list[str]) -> str:
    """The default network's history (``IpConnectivityMetrics.dump``)."""
    name = _interface(phone)
    row = "DefaultNetworkEvent(netId=100, transports=WIFI, validated)\n" if name == "wlan0" else ""
    return f"default network events:\n{row}dns/connect events:\nwakeup events:\npacket trace: 0 events\n"


def isub(phone: Phone, args: list[str]) -> str:
    """The SIM (``SubscriptionManagerService.dump``)."""
    return (
        "SubscriptionManagerService:\n  Active modem count=1\n  Logical SIM slot sub id mapping:\n"
        "    Logical SIM slot 0: subId=1\n  Default SIM slot=0, default subId=1\n"
        "  defaultDataSubId=1\n  defaultVoiceSubId=1\n  defaultSmsSubId=1\n  Active subscriptions:\n"
        f"    [SubscriptionInfoInternal: id=1 iccId=89860[****] simSlotIndex=0 portIndex=0 isEmbedded=0 "
        f"displayName={OPERATOR} carrierName={OPERATOR} isOpportunistic=0 mcc={OPERATOR_NUMERIC[:3]} "
        f"mnc={OPERATOR_NUMERIC[3:]} "
        f"dataRoaming={phone.settings.get('global', 'data_roaming') or '0'}]\n"
    )


def iphonesubinfo(phone: Phone, args: list[str]) -> str:
    """The kind of phone; identifiers are not shown (``PhoneSubInfoController.dump``)."""
    return "Phone Subscriber Info:\n  Phone Type = GSM\n  Device ID = null\n"


def isms(phone: Phone, args: list[str]) -> str:
    """The app for messages (``SmsController.dump``)."""
    return (
        "SmsManager:\n  mSmsDispatchersController: GSM\n"
        f"  Default SMS app: {phone.settings.get('secure', 'sms_default_application') or 'null'}\n"
    )


def carrier_config(phone: Phone, args: list[str]) -> str:
    """The operator's configuration, which is the default (``CarrierConfigLoader.dump``)."""
    return (
        "CarrierConfigLoader: 1\nPhone Id = 0\nConfigFromDefaultApp : null\nConfigFromCarrierApp : null\n"
        "PersistentConfigFromCarrierApp : null\nCarrierId : 1\nDefault Values from CarrierConfigManager :\n"
        "  carrier_volte_available_bool = false\n  carrier_wfc_ims_available_bool = false\n"
    )


def servicediscovery(phone: Phone, args: list[str]) -> str:
    """No app looks for services on the network (``NsdService.dump``)."""
    return "  NsdStateMachine:\n   total records=0\n  curState=EnabledState\nLogs:\n"


def network_score(phone: Phone, args: list[str]) -> str:
    """No app scores networks (``NetworkScoreService.dump``)."""
    return "Scorer is disabled.\n"


def network_time_update_service(phone: Phone, args: list[str]) -> str:
    """The time server (``NetworkTimeUpdateService.dump``)."""
    server = phone.settings.get("global", "ntp_server") or "time.android.com"
    return (
        f"mDefaultNetwork={100 if phone.network.wifi else 101 if phone.network.online else 'null'}\n"
        f"NTP server: ntp://{server}\nmNormalPollingIntervalMillis=PT24H\nmShortPollingIntervalMillis=PT1M\n"
        "mTryAgainTimesMax=3\nmTryAgainCounter=0\nNTP result log:\n"
    )


def vpn_management(phone: Phone, args: list[str]) -> str:
    """No VPN runs (``VpnManagerService.dump``)."""
    lockdown = phone.settings.get("secure", "always_on_vpn_lockdown") == "1"
    return f"VPNs:\n  0: null\n  Lockdown mode: {_flag(lockdown)}\n"


def dumps(phone: Phone) -> Mapping[str, Callable[[list[str]], str]]:
    """Return the dumps by service."""
    each: dict[str, Dump] = {
        "carrier_config": carrier_config,
        "connectivity": connectivity,
        "connmetrics": connmetrics,
        "dnsresolver": dnsresolver,
        "ethernet": ethernet,
        "iphonesubinfo": iphonesubinfo,
        "isms": isms,
        "isub": isub,
        "netpolicy": netpolicy,
        "netstats": netstats,
        "network_management": network_management,
        "network_score": network_score,
        "network_time_update_service": network_time_update_service,
        "servicediscovery": servicediscovery,
        "tethering": tethering,
        "vpn_management": vpn_management,
        "wifi": wifi,
        "wifip2p": wifip2p,
        "wifiscanner": wifiscanner,
    }
    return {name: partial(dump, phone) for name, dump in each.items()}
