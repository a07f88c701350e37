package org.garabench.interruptions;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Build;

/**
 * The second way to show an interruption, where its window may not be started: a notification with a full-screen
 * intent. Until Android 4.4 the system opens the window at once; a newer one does while the screen is off, and else
 * shows the notification at the top of the screen, where a tap opens the window.
 *
 * <p>There is at most one. It outlives this process, so its token is kept in a file.
 */
final class Notice {
    static final String CHANNEL = "interruptions";
    static final int ID = 1;
    private static final String FILE = "notice";
    private static final String TOKEN = "token";
    private static final String TEMPLATE = "template";

    private final Context context;

    Notice(Context context) {
        this.context = context.getApplicationContext();
    }

    /**
     * Posts what an intent describes as it does for {@link Show}.
     *
     * @return {@code posted}; {@code error:<reason>} of a wrong specification, which is told, too; or
     *     {@code notifications-off} where Android would not show it
     */
    String post(String encoded, String given) {
        String token = Line.token(given);
        Spec spec;
        try {
            spec = Spec.parse(encoded);
        } catch (SpecException e) {
            String error = "error:" + e.getMessage();
            new Teller(context, token).tell(error);
            return error;
        }
        NotificationManager manager = manager();
        if (Build.VERSION.SDK_INT >= 24 && !manager.areNotificationsEnabled()) {
            return "notifications-off";
        }
        end("replaced");
        kept().edit().putString(TOKEN, token).putString(TEMPLATE, spec.template.word).commit();
        manager.notify(ID, build(spec, encoded, token));
        new Teller(context, token).tell("posted");
        return "posted";
    }

    private Notification build(Spec spec, String encoded, String token) {
        Intent window = new Intent(context, Show.class)
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
                .putExtra("spec", encoded)
                .putExtra("token", token);
        Intent swiped = new Intent(context, Commands.class).setAction(Commands.SWIPED).putExtra("token", token);
        PendingIntent open = PendingIntent.getActivity(context, 0, window, flags());
        Notification.Builder builder = builder()
                .setSmallIcon(android.R.drawable.ic_dialog_info)
                .setContentTitle(spec.title)
                .setContentText(spec.message)
                .setStyle(new Notification.BigTextStyle().bigText(spec.message))
                .setPriority(Notification.PRIORITY_MAX)
                .setAutoCancel(true)
                .setContentIntent(open)
                .setFullScreenIntent(open, true)
                .setDeleteIntent(PendingIntent.getBroadcast(context, 0, swiped, flags()));
        return builder.build();
    }

    private Notification.Builder builder() {
        if (Build.VERSION.SDK_INT < 26) {
            return new Notification.Builder(context);
        }
        NotificationChannel channel = new NotificationChannel(
                CHANNEL, context.getString(R.string.app_name), NotificationManager.IMPORTANCE_HIGH);
        channel.setSound(null, null);
        manager().createNotificationChannel(channel);
        return new Notification.Builder(context, CHANNEL);
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
        String token = token();
        if (token == null) {
            return false;
        }
        forget();
        new Teller(context, token).tell("dismissed:" + reason);
        return true;
    }

    /** What waits, as one line of JSON; null when nothing does. */
    String state() {
        String token = token();
        return token == null ? null : Line.state("notification", token, kept().getString(TEMPLATE, ""), true);
    }

    private String token() {
        return kept().getString(TOKEN, null);
    }

    private void forget() {
        kept().edit().clear().commit();
        manager().cancel(ID);
    }

    private SharedPreferences kept() {
        return context.getSharedPreferences(FILE, Context.MODE_PRIVATE);
    }

    private NotificationManager manager() {
        return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    }
}
