package org.garabench.interruptions;

import android.app.Activity;
import android.content.Intent;
import android.content.res.Configuration;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.PowerManager;
import android.os.SystemClock;
import android.view.View;

/** An interruption over whatever is on the screen. */
public final class Show extends Activity implements Living.Closable {
    /** A forced interruption ends by itself after this, so that nothing can lock the phone for good. */
    static final long FORCED_LIMIT_MS = 10 * 60 * 1000;

    static final String KIND = "show";
    private static final String ENDS_AT = "ends_at";

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable timeout = new Runnable() {
        @Override
        public void run() {
            end("timeout");
        }
    };
    private final Runnable closable = new Runnable() {
        @Override
        public void run() {
            entered.closable = true;
            Object appear = findViewById(R.id.dialog_root).getTag();
            if (appear instanceof Runnable) {
                ((Runnable) appear).run();
            }
        }
    };
    private Spec spec;
    private Entered entered;
    private Life life;
    private String token = "";
    private long endsAt;
    /** It was ended before it was made anew: it goes as soon as it is clear that nothing else is to be shown in it. */
    private boolean closedBefore;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        Living.add(this);
        begin(getIntent(), saved);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        if (life != null) {
            life.dismissed("replaced");
        }
        setIntent(intent);
        begin(intent, null);
    }

    private void begin(Intent intent, Bundle saved) {
        handler.removeCallbacks(timeout);
        handler.removeCallbacks(closable);
        token = Line.token(intent.getStringExtra("token"));
        closedBefore = new Open(this).begins(KIND, token) && saved != null;
        if (closedBefore) {
            return; // the command that ended it has told its last word
        }
        try {
            spec = Spec.parse(intent.getStringExtra("spec"));
        } catch (SpecException e) {
            spec = null;
            life = null;
            new Teller(this, token).tell("error:" + e.getMessage());
            finish();
            return;
        }
        Teller teller = Teller.ofWindow(this, new Open.Window(KIND, token, spec.template.word));
        new Notice(this).opened(token);
        life = new Life(teller, spec.cancelable);
        life.stands(degrees());
        entered = new Entered(spec.elements);
        long now = SystemClock.elapsedRealtime();
        endsAt = saved == null ? now + FORCED_LIMIT_MS : saved.getLong(ENDS_AT, now + FORCED_LIMIT_MS);
        build();
        if (saved == null) {
            life.shown();
        } else {
            teller.tell("resumed"); // the process had died with the window behind it, which Open has told
        }
        if (!entered.closable) {
            handler.postDelayed(closable, spec.elements.close.after * 1000L);
        }
        if (!spec.cancelable) {
            handler.postDelayed(timeout, Math.max(0, endsAt - now));
        }
    }

    private void build() {
        View all = Look.of(this, spec, entered, new Parts.Press() {
            @Override
            public void press(String key) {
                if (life.pressed(key)) {
                    finish();
                }
            }

            @Override
            public void wrong() {
                life.wrong();
            }

            @Override
            public void outside() {
                if (life.outside()) {
                    finish();
                }
            }
        });
        setContentView(all);
    }

    @Override
    public void onConfigurationChanged(Configuration changed) {
        super.onConfigurationChanged(changed);
        if (spec != null) {
            life.stands(degrees());
            build(); // turned, by night, with larger letters or in another language
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        out.putLong(ENDS_AT, endsAt);
        new Open(this).saved(KIND, token, true);
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (closedBefore) {
            finish(); // not sooner: Android would drop an intent that has made it come back, as onNewIntent comes before
        } else if (life != null) {
            new Open(this).saved(KIND, token, false);
            life.resumed();
        }
    }

    @Override
    protected void onPause() {
        super.onPause();
        if (life != null && !isFinishing()) {
            life.hidden(!isScreenOn());
        }
    }

    @Override
    public void onBackPressed() {
        if (life == null || life.back()) {
            finish();
        }
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacks(timeout);
        handler.removeCallbacks(closable);
        Living.remove(this);
        if (life != null && isFinishing()) {
            life.dismissed("destroyed"); // swiped away, or ended by the system
        }
        super.onDestroy();
    }

    @Override
    public void close() {
        end("close");
    }

    @Override
    public boolean isOf(String kind, String other) {
        return kind.equals(KIND) && token.equals(other);
    }

    @Override
    public String state() {
        return Line.state(KIND, token, spec == null ? "" : spec.template.word, life != null && !life.isOver());
    }

    /** How the screen is turned from how the phone stands by itself. */
    @SuppressWarnings("deprecation") // its successor needs Android 11
    private int degrees() {
        return getWindowManager().getDefaultDisplay().getRotation() * 90;
    }

    @SuppressWarnings("deprecation") // its successor needs Android 5
    private boolean isScreenOn() {
        return ((PowerManager) getSystemService(POWER_SERVICE)).isScreenOn();
    }

    private void end(String reason) {
        if (life != null) {
            life.dismissed(reason);
        }
        finish();
    }
}
