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
 * The notification of this app, of which there is at most one. It outlives this process, so its token is kept in a
 * file.
 *
 * <p>It is either the second way to show an interruption, where its window may not be started: a notification with a
 * full-screen intent. Until Android 4.4 the system opens the window at once; a newer one does while the screen is
 * off, and else shows the notification at the top of the screen, where a tap opens the window. Or it is a heads-up
 * notification by itself, with buttons, which ends after a time limit.
 */
final class Notice {
    static final String CHANNEL = "interruptions";
    static final int ID = 1;
    static final String POSTED = "posted";
    static final String OFF = "notifications-off";
    /** Before Android 5.0 nothing is shown at the top of the screen. */
    static final String NO_HEADS_UP = "no-heads-up";
    /** Posted, without its full-screen intent, which Android 14 lets nobody use whose app-op is denied. */
    static final String NO_FULL_SCREEN = "no-full-screen";
    private static final String FULL_SCREEN_KIND = "notification";
    private static final String HEADS_UP_KIND = "heads-up";
    private static final String FILE = "notice";
    private static final String KIND = "kind";
    private static final String TOKEN = "token";
    private static final String TEMPLATE = "template";
    private static final String ENDS_AT = "ends_at";
    private static final int FIRST_ACTION = 2;
    /** Android may tell of the end of a notification's time a little before this clock does. */
    private static final long EARLY_MS = 500;

    private final Context context;

    Notice(Context context) {
        this.context = context.getApplicationContext();
    }

    /**
     * Posts what an intent describes as it does for {@link Show}.
     *
     * @return {@code posted}, or {@code no-full-screen} when it is shown at the top alone; {@code error:<reason>} of
     *     a wrong specification, which is told, too; or {@code notifications-off} where Android would not show it
     */
    String post(String encoded, String given) {
        String token = Line.token(given);
        Spec spec;
        try {
            spec = Spec.parse(encoded);
        } catch (SpecException e) {
            return refused(token, e);
        }
        if (areOff()) {
            return OFF;
        }
        keep(FULL_SCREEN_KIND, token, spec.template.word, 0);
        manager().notify(ID, build(spec, encoded, token));
        new Teller(context, token).tell("posted");
        boolean denied = Build.VERSION.SDK_INT >= 34 && !manager().canUseFullScreenIntent();
        return denied ? NO_FULL_SCREEN : POSTED;
    }

    /**
     * Posts a notification that Android shows at the top of the screen for some seconds, and then in the shade.
     *
     * @return as {@link #post}, or {@code no-heads-up}
     */
    String alert(String encoded, String given) {
        String token = Line.token(given);
        Alert alert;
        try {
            alert = Alert.parse(encoded);
        } catch (SpecException e) {
            return refused(token, e);
        }
        if (Build.VERSION.SDK_INT < 21) {
            return NO_HEADS_UP;
        }
        if (areOff()) {
            return OFF;
        }
        long limit = alert.seconds * 1000L;
        long endsAt = SystemClock.elapsedRealtime() + limit;
        keep(HEADS_UP_KIND, token, "", endsAt);
        alarms().set(AlarmManager.ELAPSED_REALTIME_WAKEUP, endsAt, expiry(token));
        manager().notify(ID, build(alert, token, limit));
        new Teller(context, token).tell("shown");
        return POSTED;
    }

    private String refused(String token, SpecException why) {
        String error = "error:" + why.getMessage();
        new Teller(context, token).tell(error);
        return error;
    }

    private boolean areOff() {
        return Build.VERSION.SDK_INT >= 24 && !manager().areNotificationsEnabled();
    }

    private Notification build(Spec spec, String encoded, String token) {
        Intent window = new Intent(context, Show.class)
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
                .putExtra("spec", encoded)
                .putExtra("token", token);
        PendingIntent open = PendingIntent.getActivity(context, 0, window, flags());
        return builder(spec.title, spec.message, token)
                .setPriority(Notification.PRIORITY_MAX)
                .setContentIntent(open)
                .setFullScreenIntent(open, true)
                .build();
    }

    /** Before Android 8 only what makes a sound or vibrates is shown at the top: it vibrates for no time at all. */
    private Notification build(Alert alert, String token, long limit) {
        Notification.Builder builder = builder(alert.title, alert.message, token)
                .setPriority(Notification.PRIORITY_HIGH)
                .setTicker(alert.title)
                .setVibrate(new long[] {0})
                .setContentIntent(own(Commands.PRESSED, token, Alert.OPEN, 1));
        int number = FIRST_ACTION;
        for (Spec.Button button : alert.buttons) {
            builder.addAction(0, button.label, own(Commands.PRESSED, token, button.key, number++));
        }
        if (Build.VERSION.SDK_INT >= 26) {
            builder.setTimeoutAfter(limit); // an alarm may be late
        }
        return builder.build();
    }

    private Notification.Builder builder(String title, String message, String token) {
        return channeled()
                .setSmallIcon(android.R.drawable.ic_dialog_info)
                .setContentTitle(title)
                .setContentText(message)
                .setStyle(new Notification.BigTextStyle().bigText(message))
                .setAutoCancel(true)
                .setDeleteIntent(own(Commands.SWIPED, token, null, 0));
    }

    private Notification.Builder channeled() {
        if (Build.VERSION.SDK_INT < 26) {
            return new Notification.Builder(context);
        }
        NotificationChannel channel = new NotificationChannel(
                CHANNEL, context.getString(R.string.app_name), NotificationManager.IMPORTANCE_HIGH);
        channel.setSound(null, null);
        manager().createNotificationChannel(channel);
        return new Notification.Builder(context, CHANNEL);
    }

    private PendingIntent own(String action, String token, String key, int number) {
        Intent intent = new Intent(context, Commands.class).setAction(action).putExtra("token", token);
        if (key != null) {
            intent.putExtra("key", key);
        }
        return PendingIntent.getBroadcast(context, number, intent, flags());
    }

    private PendingIntent expiry(String token) {
        return own(Commands.EXPIRED, token, null, 0);
    }

    private static int flags() {
        int update = PendingIntent.FLAG_UPDATE_CURRENT;
        return Build.VERSION.SDK_INT >= 23 ? update | PendingIntent.FLAG_IMMUTABLE : update;
    }

    /** The window of a token is there: its notification has done its work, another's gives way to it. */
    void opened(String token) {
        if (token.equals(token())) {
            forget();
        } else {
            end("replaced");
        }
    }

    /** Takes the notification away, telling why; returns whether there was one. */
    boolean end(String reason) {
        return lastWord("dismissed:" + reason, token());
    }

    /** A person has taken it away, or Android has at the end of its time. */
    void swiped(String token) {
        boolean over = endsAt() > 0 && SystemClock.elapsedRealtime() >= endsAt() - EARLY_MS;
        lastWord(over ? "dismissed:timeout" : "dismissed:swiped", token);
    }

    /** A button of it was pressed, or what lies beside the buttons. */
    void pressed(String token, String key) {
        if (key != null) {
            lastWord("pressed:" + key, token);
        }
    }

    /** Its time may be over. */
    void expired(String token) {
        if (endsAt() > 0 && SystemClock.elapsedRealtime() >= endsAt()) {
            lastWord("dismissed:timeout", token);
        }
    }

    private boolean lastWord(String event, String token) {
        if (token == null || !token.equals(token())) {
            return false;
        }
        forget();
        new Teller(context, token).tell(event);
        return true;
    }

    /** What waits, as one line of JSON; null when nothing does. */
    String state() {
        String token = token();
        String kind = kept().getString(KIND, FULL_SCREEN_KIND);
        return token == null ? null : Line.state(kind, token, kept().getString(TEMPLATE, ""), true);
    }

    private String token() {
        return kept().getString(TOKEN, null);
    }

    private long endsAt() {
        return kept().getLong(ENDS_AT, 0);
    }

    private void keep(String kind, String token, String template, long endsAt) {
        end("replaced");
        kept().edit()
                .putString(KIND, kind)
                .putString(TOKEN, token)
                .putString(TEMPLATE, template)
                .putLong(ENDS_AT, endsAt)
                .commit();
    }

    private void forget() {
        if (endsAt() > 0) {
            alarms().cancel(expiry(token()));
        }
        kept().edit().clear().commit();
        manager().cancel(ID);
    }

    private SharedPreferences kept() {
        return context.getSharedPreferences(FILE, Context.MODE_PRIVATE);
    }

    private AlarmManager alarms() {
        return (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
    }

    private NotificationManager manager() {
        return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    }
}
