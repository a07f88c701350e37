package org.garabench.interruptions;

import android.app.Activity;
import android.app.ActivityManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.util.Log;

import java.util.List;

/**
 * The shell's commands, as broadcasts: {@code CLOSE} ends what is shown, in whatever mode; {@code STATE} answers
 * with what is shown, as the result's data; {@code NOTIFY} shows by a notification what {@link Show} would; {@code HEADS_UP}
 * posts a notification at the top of the screen.
 */
public final class Commands extends BroadcastReceiver {
    static final String CLOSE = "org.garabench.interruptions.CLOSE";
    static final String STATE = "org.garabench.interruptions.STATE";
    static final String NOTIFY = "org.garabench.interruptions.NOTIFY";
    static final String HEADS_UP = "org.garabench.interruptions.HEADS_UP";
    /** The notification was swiped away; told by Android. */
    static final String SWIPED = "org.garabench.interruptions.SWIPED";
    /** A button of the notification was pressed, or the notification itself. */
    static final String PRESSED = "org.garabench.interruptions.PRESSED";
    /** The notification's time is over. */
    static final String EXPIRED = "org.garabench.interruptions.EXPIRED";

    @Override
    public void onReceive(Context context, Intent intent) {
        List<Living.Closable> living = Living.all();
        Notice notice = new Notice(context);
        String action = String.valueOf(intent.getAction());
        if (action.equals(CLOSE)) {
            boolean absent = closeAbsent(context, living);
            for (Living.Closable one : living) {
                one.close();
            }
            boolean nothing = !notice.end("close") && living.isEmpty() && !absent;
            answer(nothing ? Activity.RESULT_CANCELED : Activity.RESULT_OK, nothing ? "nothing is shown" : "closed");
        } else if (action.equals(STATE)) {
            StringBuilder all = new StringBuilder("[");
            for (Living.Closable one : living) {
                all.append(all.length() > 1 ? "," : "").append(one.state());
            }
            for (Open.Window one : new Open(context).absent(living)) {
                String state = Line.state(one.kind, one.token, one.template, true);
                all.append(all.length() > 1 ? "," : "").append(state);
            }
            if (notice.state() != null) {
                all.append(all.length() > 1 ? "," : "").append(notice.state());
            }
            answer(Activity.RESULT_OK, all.append("]").toString());
        } else if (action.equals(NOTIFY)) {
            answer(notice.post(intent.getStringExtra("spec"), intent.getStringExtra("token")));
        } else if (action.equals(HEADS_UP)) {
            answer(notice.alert(intent.getStringExtra("spec"), intent.getStringExtra("token")));
        } else if (action.equals(SWIPED)) {
            notice.swiped(intent.getStringExtra("token"));
        } else if (action.equals(PRESSED)) {
            notice.pressed(intent.getStringExtra("token"), intent.getStringExtra("key"));
        } else if (action.equals(EXPIRED)) {
            notice.expired(intent.getStringExtra("token"));
        }
    }

    /**
     * Ends the windows that Android would make anew when they are come back to; returns whether there were any.
     *
     * <p>Android 5 and newer drop them at once; an older one makes them anew, and then they go by themselves.
     */
    private static boolean closeAbsent(Context context, List<Living.Closable> living) {
        Open open = new Open(context);
        List<Open.Window> absent = open.absent(living);
        for (Open.Window one : absent) {
            open.close(one);
            new Teller(context, one.token).tell("dismissed:close");
        }
        if (!absent.isEmpty() && Build.VERSION.SDK_INT >= 21) {
            dropTasks(context);
        }
        return !absent.isEmpty();
    }

    private static void dropTasks(Context context) {
        ActivityManager manager = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        for (ActivityManager.AppTask task : manager.getAppTasks()) {
            try {
                task.finishAndRemoveTask();
            } catch (IllegalArgumentException e) { // it has gone meanwhile
                Log.i(Teller.TAG + "Commands", "a task is gone: " + e.getMessage());
            }
        }
    }

    private void answer(String said) {
        boolean shown = said.equals(Notice.POSTED) || said.equals(Notice.NO_FULL_SCREEN);
        answer(shown ? Activity.RESULT_OK : Activity.RESULT_CANCELED, said);
    }

    private void answer(int code, String data) {
        if (isOrderedBroadcast()) {
            setResultCode(code);
            setResultData(data);
        }
    }
}
