package org.garabench.interruptions;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Build;
import android.os.SystemClock;

/**
 * The app's notification; there is at most one. It survives this process, so its token is stored in a file.
 *
 * <p>It is of one of two kinds. A notification with a full-screen intent shows a window where the app may not start
 * one: Android 4.4 opens the window at once; newer versions do so while the screen is off, and otherwise show the
 * notification at the top of the screen, where a tap opens the window. A heads-up notification stands alone, has
 * buttons, and expires after a timeout.
 */
final class InterruptionNotification {
    static final String CHANNEL = "interruptions";
    static final int ID = 1;
    static final String POSTED = "posted";
    static final String OFF = "notifications-off";
    /** Before Android 5.0 there are no heads-up notifications. */
    static final String NO_HEADS_UP = "no-heads-up";
    /** Posted, but Android 14 ignores the full-screen intent because the app-op is denied. */
    static final String NO_FULL_SCREEN = "no-full-screen";
    private static final String FULL_SCREEN_KIND = "notification";
    private static final String HEADS_UP_KIND = "heads-up";
    private static final String FILE = "notice";
    private static final String KIND = "kind";
    private static final String TOKEN = "token";
    private static final String TEMPLATE = "template";
    private static final String EXPIRES_AT = "ends_at";
    private static final int FIRST_ACTION_REQUEST = 2;
    /** Android may remove an expired notification up to this long before the timeout by this clock. */
    private static final long EARLY_MS = 500;

    private final Context context;

    InterruptionNotification(Context context) {
        this.context = context.getApplicationContext();
    }

    /**
     * Posts a notification with a full-screen intent, which opens the window of {@link Show}.
     *
     * @param encoded the window's specification
     * @param given the token
     * @return {@code posted}; {@code no-full-screen} if the notification will not open the window by itself;
     *     {@code error:<reason>} for an invalid specification, which is also reported as an event; or
     *     {@code notifications-off} if Android would not show it
     */
    String post(String encoded, String given) {
        String token = WireFormat.token(given);
        Spec spec;
        try {
            spec = Spec.parse(encoded);
        } catch (SpecException e) {
            return rejected(token, e);
        }
        if (areNotificationsOff()) {
            return OFF;
        }
        store(FULL_SCREEN_KIND, token, spec.template.value, 0);
        manager().notify(ID, build(spec, encoded, token));
        new EventLogger(context, token).write("posted");
        boolean denied = Build.VERSION.SDK_INT >= 34 && !manager().canUseFullScreenIntent();
        return denied ? NO_FULL_SCREEN : POSTED;
    }

    /**
     * Posts a heads-up notification: at the top of the screen for some seconds, then in the shade.
     *
     * @param encoded the notification's specification
     * @param given the token
     * @return {@code posted}, {@code error:<reason>}, {@code notifications-off} or {@code no-heads-up}
     */
    String postHeadsUp(String encoded, String given) {
        String token = WireFormat.token(given);
        HeadsUpSpec spec;
        try {
            spec = HeadsUpSpec.parse(encoded);
        } catch (SpecException e) {
            return rejected(token, e);
        }
        if (Build.VERSION.SDK_INT < 21) {
            return NO_HEADS_UP;
        }
        if (areNotificationsOff()) {
            return OFF;
        }
        long timeout = spec.seconds * 1000L;
        long expiresAt = SystemClock.elapsedRealtime() + timeout;
        store(HEADS_UP_KIND, token, "", expiresAt);
        alarms().set(AlarmManager.ELAPSED_REALTIME_WAKEUP, expiresAt, expiryIntent(token));
        manager().notify(ID, build(spec, token, timeout));
        new EventLogger(context, token).write("shown");
        return POSTED;
    }

    private String rejected(String token, SpecException reason) {
        String error = "error:" + reason.getMessage();
        new EventLogger(context, token).write(error);
        return error;
    }

    private boolean areNotificationsOff() {
        return Build.VERSION.SDK_INT >= 24 && !manager().areNotificationsEnabled();
    }

    private Notification build(Spec spec, String encoded, String token) {
        Intent window = new Intent(context, Show.class)
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
                .putExtra("spec", encoded)
                .putExtra("token", token);
        PendingIntent openWindow = PendingIntent.getActivity(context, 0, window, flags());
        return builder(spec.title, spec.message, token)
                .setPriority(Notification.PRIORITY_MAX)
                .setContentIntent(openWindow)
                .setFullScreenIntent(openWindow, true)
                .build();
    }

    /** Before Android 8 only notifications with sound or vibration are heads-up: this one vibrates for 0 ms. */
    private Notification build(HeadsUpSpec spec, String token, long timeout) {
        Notification.Builder builder = builder(spec.title, spec.message, token)
                .setPriority(Notification.PRIORITY_HIGH)
                .setTicker(spec.title)
                .setVibrate(new long[] {0})
                .setContentIntent(broadcastTo(Commands.PRESSED, token, HeadsUpSpec.OPEN, 1));
        int requestCode = FIRST_ACTION_REQUEST;
        for (Spec.Button button : spec.buttons) {
            builder.addAction(0, button.label, broadcastTo(Commands.PRESSED, token, button.key, requestCode++));
        }
        if (Build.VERSION.SDK_INT >= 26) {
            builder.setTimeoutAfter(timeout); // in case the alarm is late
        }
        return builder.build();
    }

    private Notification.Builder builder(String title, String message, String token) {
        return builderWithChannel()
                .setSmallIcon(android.R.drawable.ic_dialog_info)
                .setContentTitle(title)
                .setContentText(message)
                .setStyle(new Notification.BigTextStyle().bigText(message))
                .setAutoCancel(true)
                .setDeleteIntent(broadcastTo(Commands.SWIPED, token, null, 0));
    }

    private Notification.Builder builderWithChannel() {
        if (Build.VERSION.SDK_INT < 26) {
            return new Notification.Builder(context);
        }
        NotificationChannel channel = new NotificationChannel(
                CHANNEL, context.getString(R.string.app_name), NotificationManager.IMPORTANCE_HIGH);
        channel.setSound(null, null);
        manager().createNotificationChannel(channel);
        return new Notification.Builder(context, CHANNEL);
    }

    private PendingIntent broadcastTo(String action, String token, String key, int requestCode) {
        Intent intent = new Intent(context, Commands.class).setAction(action).putExtra("token", token);
        if (key != null) {
            intent.putExtra("key", key);
        }
        return PendingIntent.getBroadcast(context, requestCode, intent, flags());
    }

    private PendingIntent expiryIntent(String token) {
        return broadcastTo(Commands.EXPIRED, token, null, 0);
    }

    private static int flags() {
        int update = PendingIntent.FLAG_UPDATE_CURRENT;
        return Build.VERSION.SDK_INT >= 23 ? update | PendingIntent.FLAG_IMMUTABLE : update;
    }

    /** Removes the notification because a window opened; reports {@code replaced} if it has another token. */
    void windowOpened(String token) {
        if (token.equals(token())) {
            remove();
        } else {
            dismiss("replaced");
        }
    }

    /** Removes the notification and reports the reason; returns whether there was one. */
    boolean dismiss(String reason) {
        return end("dismissed:" + reason, token());
    }

    /** The user swiped the notification away, or Android removed it when it expired. */
    void swiped(String token) {
        boolean expired = expiresAt() > 0 && SystemClock.elapsedRealtime() >= expiresAt() - EARLY_MS;
        end(expired ? "dismissed:timeout" : "dismissed:swiped", token);
    }

    /** A button of the notification was pressed, or the notification outside its buttons. */
    void pressed(String token, String key) {
        if (key != null) {
            end("pressed:" + key, token);
        }
    }

    /** The alarm went off; it may be that of an earlier notification. */
    void expired(String token) {
        if (expiresAt() > 0 && SystemClock.elapsedRealtime() >= expiresAt()) {
            end("dismissed:timeout", token);
        }
    }

    private boolean end(String event, String token) {
        if (token == null || !token.equals(token())) {
            return false;
        }
        remove();
        new EventLogger(context, token).write(event);
        return true;
    }

    /** The notification's entry in the result of the {@code STATE} broadcast, or null if there is none. */
    String state() {
        String token = token();
        String kind = stored().getString(KIND, FULL_SCREEN_KIND);
        return token == null ? null : WireFormat.state(kind, token, stored().getString(TEMPLATE, ""), true);
    }

    private String token() {
        return stored().getString(TOKEN, null);
    }

    private long expiresAt() {
        return stored().getLong(EXPIRES_AT, 0);
    }

    private void store(String kind, String token, String template, long expiresAt) {
        dismiss("replaced");
        stored().edit()
                .putString(KIND, kind)
                .putString(TOKEN, token)
                .putString(TEMPLATE, template)
                .putLong(EXPIRES_AT, expiresAt)
                .commit();
    }

    private void remove() {
        if (expiresAt() > 0) {
            alarms().cancel(expiryIntent(token()));
        }
        stored().edit().clear().commit();
        manager().cancel(ID);
    }

    private SharedPreferences stored() {
        return context.getSharedPreferences(FILE, Context.MODE_PRIVATE);
    }

    private AlarmManager alarms() {
        return (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
    }

    private NotificationManager manager() {
        return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    }
}
