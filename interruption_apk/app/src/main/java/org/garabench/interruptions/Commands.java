package org.garabench.interruptions;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

import java.util.List;

/**
 * The shell's commands, as broadcasts: {@code CLOSE} ends what is shown, in whatever mode; {@code STATE} answers
 * with what is shown, as the result's data.
 */
public final class Commands extends BroadcastReceiver {
    static final String CLOSE = "org.garabench.interruptions.CLOSE";
    static final String STATE = "org.garabench.interruptions.STATE";

    @Override
    public void onReceive(Context context, Intent intent) {
        List<Living.Closable> living = Living.all();
        String action = String.valueOf(intent.getAction());
        if (action.equals(CLOSE)) {
            for (Living.Closable one : living) {
                one.close();
            }
            answer(living.isEmpty() ? Activity.RESULT_CANCELED : Activity.RESULT_OK,
                    living.isEmpty() ? "nothing is shown" : "closed");
        } else if (action.equals(STATE)) {
            StringBuilder all = new StringBuilder("[");
            for (Living.Closable one : living) {
                all.append(all.length() > 1 ? "," : "").append(one.state());
            }
            answer(Activity.RESULT_OK, all.append("]").toString());
        }
    }

    private void answer(int code, String data) {
        if (isOrderedBroadcast()) {
            setResultCode(code);
            setResultData(data);
        }
    }
}
