package org.garabench.interruptions;

import android.app.Activity;
import android.app.ActivityManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.text.TextUtils;
import android.util.Log;

import java.util.ArrayList;
import java.util.List;

/**
 * The shell's commands, as broadcasts: {@code CLOSE} closes whatever is open, in any mode; {@code STATE} returns
 * what is open as the result's data; {@code NOTIFY} shows a window of {@link Show} by a notification;
 * {@code HEADS_UP} posts a heads-up notification.
 */
public final class Commands extends BroadcastReceiver {
    static final String CLOSE = "org.garabench.interruptions.CLOSE";
    static final String STATE = "org.garabench.interruptions.STATE";
    static final String NOTIFY = "org.garabench.interruptions.NOTIFY";
    static final String HEADS_UP = "org.garabench.interruptions.HEADS_UP";
    /** The notification was swiped away; sent by Android. */
    static final String SWIPED = "org.garabench.interruptions.SWIPED";
    /** A button of the notification was pressed, or the notification itself. */
    static final String PRESSED = "org.garabench.interruptions.PRESSED";
    /** The notification has expired. */
    static final String EXPIRED = "org.garabench.interruptions.EXPIRED";

    @Override
    public void onReceive(Context context, Intent intent) {
        List<LiveActivities.CloseableActivity> live = LiveActivities.all();
        InterruptionNotification notification = new InterruptionNotification(context);
        String action = String.valueOf(intent.getAction());
        if (action.equals(CLOSE)) {
            boolean absent = closeAbsent(context, live);
            for (LiveActivities.CloseableActivity activity : live) {
                activity.close();
            }
            boolean nothing = !notification.dismiss("close") && live.isEmpty() && !absent;
            answer(nothing ? Activity.RESULT_CANCELED : Activity.RESULT_OK, nothing ? "nothing is shown" : "closed");
        } else if (action.equals(STATE)) {
            List<String> states = new ArrayList<>();
            for (LiveActivities.CloseableActivity activity : live) {
                states.add(activity.state());
            }
            for (OpenWindows.Window window : new OpenWindows(context).absent(live)) {
                states.add(WireFormat.state(window.kind, window.token, window.template, true));
            }
            if (notification.state() != null) {
                states.add(notification.state());
            }
            answer(Activity.RESULT_OK, "[" + TextUtils.join(",", states) + "]");
        } else if (action.equals(NOTIFY)) {
            answer(notification.post(intent.getStringExtra("spec"), intent.getStringExtra("token")));
        } else if (action.equals(HEADS_UP)) {
            answer(notification.postHeadsUp(intent.getStringExtra("spec"), intent.getStringExtra("token")));
        } else if (action.equals(SWIPED)) {
            notification.swiped(intent.getStringExtra("token"));
        } else if (action.equals(PRESSED)) {
            notification.pressed(intent.getStringExtra("token"), intent.getStringExtra("key"));
        } else if (action.equals(EXPIRED)) {
            notification.expired(intent.getStringExtra("token"));
        }
    }

    /**
     * Closes the windows that have no activity now but that Android would recreate; returns whether there were any.
     *
     * <p>From Android 5 on their tasks are removed at once. Older versions recreate them, and then they finish.
     */
    private static boolean closeAbsent(Context context, List<LiveActivities.CloseableActivity> live) {
        OpenWindows openWindows = new OpenWindows(context);
        List<OpenWindows.Window> absent = openWindows.absent(live);
        for (OpenWindows.Window window : absent) {
            openWindows.close(window);
            new EventLogger(context, window.token).write("dismissed:close");
        }
        if (!absent.isEmpty() && Build.VERSION.SDK_INT >= 21) {
            removeTasks(context);
        }
        return !absent.isEmpty();
    }

    private static void removeTasks(Context context) {
        ActivityManager manager = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        for (ActivityManager.AppTask task : manager.getAppTasks()) {
            try {
                task.finishAndRemoveTask();
            } catch (IllegalArgumentException e) {
                Log.i(EventLogger.TAG + "Commands", "a task no longer exists: " + e.getMessage());
            }
        }
    }

    private void answer(String result) {
        boolean posted = result.equals(InterruptionNotification.POSTED)
                || result.equals(InterruptionNotification.NO_FULL_SCREEN);
        answer(posted ? Activity.RESULT_OK : Activity.RESULT_CANCELED, result);
    }

    private void answer(int code, String data) {
        if (isOrderedBroadcast()) {
            setResultCode(code);
            setResultData(data);
        }
    }
}
