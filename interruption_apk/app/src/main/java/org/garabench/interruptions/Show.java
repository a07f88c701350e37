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

/** Shows an interruption's window over the app in the foreground. */
public final class Show extends Activity implements LiveActivities.CloseableActivity {
    /** A forced window closes by itself after this time, so that none can lock the phone forever. */
    static final long FORCED_LIMIT_MS = 10 * 60 * 1000;

    static final String KIND = "show";
    private static final String CLOSES_AT = "ends_at";

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable timeout = new Runnable() {
        @Override
        public void run() {
            end("timeout");
        }
    };
    private final Runnable showCloseButton = new Runnable() {
        @Override
        public void run() {
            input.closable = true;
            Object reveal = findViewById(R.id.dialog_root).getTag();
            if (reveal instanceof Runnable) {
                ((Runnable) reveal).run();
            }
        }
    };
    private Spec spec;
    private InputState input;
    private WindowLifecycle lifecycle;
    private String token = "";
    private long closesAt;
    /** Whether the window was closed before Android recreated it: it finishes unless a new intent follows. */
    private boolean closedWhileAbsent;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        LiveActivities.add(this);
        begin(getIntent(), saved);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        if (lifecycle != null) {
            lifecycle.dismissed("replaced");
        }
        setIntent(intent);
        begin(intent, null);
    }

    private void begin(Intent intent, Bundle saved) {
        handler.removeCallbacks(timeout);
        handler.removeCallbacks(showCloseButton);
        token = WireFormat.token(intent.getStringExtra("token"));
        closedWhileAbsent = new OpenWindows(this).start(KIND, token) && saved != null;
        if (closedWhileAbsent) {
            return; // the command that closed it has reported the final event
        }
        try {
            spec = Spec.parse(intent.getStringExtra("spec"));
        } catch (SpecException e) {
            spec = null;
            lifecycle = null;
            new EventLogger(this, token).write("error:" + e.getMessage());
            finish();
            return;
        }
        EventLogger logger = EventLogger.forWindow(this, new OpenWindows.Window(KIND, token, spec.template.value));
        new InterruptionNotification(this).windowOpened(token);
        lifecycle = new WindowLifecycle(logger, spec.cancelable);
        lifecycle.rotated(rotationDegrees());
        input = new InputState(spec.elements);
        long now = SystemClock.elapsedRealtime();
        closesAt = saved == null ? now + FORCED_LIMIT_MS : saved.getLong(CLOSES_AT, now + FORCED_LIMIT_MS);
        build();
        if (saved == null) {
            lifecycle.shown();
        } else {
            logger.write("resumed"); // OpenWindows has reported the death of the previous process
        }
        if (!input.closable) {
            handler.postDelayed(showCloseButton, spec.elements.close.after * 1000L);
        }
        if (!spec.cancelable) {
            handler.postDelayed(timeout, Math.max(0, closesAt - now));
        }
    }

    private void build() {
        setContentView(WindowLayout.build(this, spec, input, new ViewFactory.Callbacks() {
            @Override
            public void onPress(String key) {
                if (lifecycle.pressed(key)) {
                    finish();
                }
            }

            @Override
            public void onPuzzleMissed() {
                lifecycle.puzzleMissed();
            }

            @Override
            public void onTouchOutside() {
                if (lifecycle.touchedOutside()) {
                    finish();
                }
            }
        }));
    }

    @Override
    public void onConfigurationChanged(Configuration changed) {
        super.onConfigurationChanged(changed);
        if (spec != null) {
            lifecycle.rotated(rotationDegrees());
            build(); // the rotation, dark theme, font scale or language has changed
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        out.putLong(CLOSES_AT, closesAt);
        new OpenWindows(this).setSaved(KIND, token, true);
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (closedWhileAbsent) {
            // Not earlier: onNewIntent runs before this, and Android would drop the intent that brought the task back.
            finish();
        } else if (lifecycle != null) {
            new OpenWindows(this).setSaved(KIND, token, false);
            lifecycle.resumed();
        }
    }

    @Override
    protected void onPause() {
        super.onPause();
        if (lifecycle != null && !isFinishing()) {
            lifecycle.hidden(!isScreenOn());
        }
    }

    @Override
    public void onBackPressed() {
        if (lifecycle == null || lifecycle.backPressed()) {
            finish();
        }
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacks(timeout);
        handler.removeCallbacks(showCloseButton);
        LiveActivities.remove(this);
        if (lifecycle != null && isFinishing()) {
            lifecycle.dismissed("destroyed"); // swiped from the recent apps, or destroyed by the system
        }
        super.onDestroy();
    }

    @Override
    public void close() {
        end("close");
    }

    @Override
    public boolean matches(String kind, String other) {
        return kind.equals(KIND) && token.equals(other);
    }

    @Override
    public String state() {
        return WireFormat.state(KIND, token, spec == null ? "" : spec.template.value,
                lifecycle != null && !lifecycle.isEnded());
    }

    /** The rotation of the screen from the phone's natural orientation. */
    @SuppressWarnings("deprecation") // its successor needs Android 11
    private int rotationDegrees() {
        return getWindowManager().getDefaultDisplay().getRotation() * 90;
    }

    @SuppressWarnings("deprecation") // its successor needs Android 5
    private boolean isScreenOn() {
        return ((PowerManager) getSystemService(POWER_SERVICE)).isScreenOn();
    }

    private void end(String reason) {
        if (lifecycle != null) {
            lifecycle.dismissed(reason);
        }
        finish();
    }
}
