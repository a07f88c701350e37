package org.garabench.interruptions;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

import java.util.List;

/**
 * The shell's commands, as broadcasts: {@code CLOSE} ends what is shown, in whatever mode; {@code STATE} answers
 * with what is shown, as the result's data; {@code NOTIFY} shows by a notification what {@link Show} would.
 */
public final class Commands extends BroadcastReceiver {
    static final String CLOSE = "org.garabench.interruptions.CLOSE";
    static final String STATE = "org.garabench.interruptions.STATE";
    static final String NOTIFY = "org.garabench.interruptions.NOTIFY";
    /** The notification was swiped away; told by Android. */
    static final String SWIPED = "org.garabench.interruptions.SWIPED";

    @Override
    public void onReceive(Context context, Intent intent) {
        List<Living.Closable> living = Living.all();
        Notice notice = new Notice(context);
        String action = String.valueOf(intent.getAction());
        if (action.equals(CLOSE)) {
            for (Living.Closable one : living) {
                one.close();
            }
            boolean nothing = !notice.end("close") && living.isEmpty();
            answer(nothing ? Activity.RESULT_CANCELED : Activity.RESULT_OK, nothing ? "nothing is shown" : "closed");
        } else if (action.equals(STATE)) {
            StringBuilder all = new StringBuilder("[");
            for (Living.Closable one : living) {
                all.append(all.length() > 1 ? "," : "").append(one.state());
            }
            if (notice.state() != null) {
                all.append(all.length() > 1 ? "," : "").append(notice.state());
            }
            answer(Activity.RESULT_OK, all.append("]").toString());
        } else if (action.equals(NOTIFY)) {
            String said = notice.post(intent.getStringExtra("spec"), intent.getStringExtra("token"));
            answer(said.equals("posted") ? Activity.RESULT_OK : Activity.RESULT_CANCELED, said);
        } else if (action.equals(SWIPED)) {
            notice.end("swiped");
        }
    }

    private void answer(int code, String data) {
        if (isOrderedBroadcast()) {
            setResultCode(code);
            setResultData(data);
        }
    }
}
