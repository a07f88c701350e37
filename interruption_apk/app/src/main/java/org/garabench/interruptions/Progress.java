package org.garabench.interruptions;

import android.app.Activity;
import android.content.Intent;
import android.content.res.Configuration;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;

/** A page with a progress bar that fills in the given time and then closes. */
public final class Progress extends Activity implements LiveActivities.CloseableActivity {
    static final long TICK_MS = 500;
    static final int MAX_SECONDS = 600;
    static final String KIND = "progress";
    private static final String TEMPLATE = "page";
    private static final String STARTED = "started";

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable tick = new Runnable() {
        @Override
        public void run() {
            update();
        }
    };
    private EventLogger logger;
    private SampledEvents blockedBacks;
    private boolean ended;
    /** Whether the page was closed before Android recreated it. */
    private boolean closedWhileAbsent;
    private String token = "";
    private String title = "";
    private long started;
    private long total;
    private ProgressPage page;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        LiveActivities.add(this);
        begin(getIntent(), saved);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        if (!ended) {
            logger.write("dismissed:replaced");
        }
        setIntent(intent);
        begin(intent, null);
    }

    private void begin(Intent intent, Bundle saved) {
        handler.removeCallbacks(tick);
        token = WireFormat.token(intent.getStringExtra("token"));
        logger = EventLogger.forWindow(this, new OpenWindows.Window(KIND, token, TEMPLATE));
        blockedBacks = new SampledEvents();
        closedWhileAbsent = new OpenWindows(this).start(KIND, token) && saved != null;
        ended = closedWhileAbsent;
        if (closedWhileAbsent) {
            return;
        }
        int seconds = intent.getIntExtra("seconds", 0);
        String given = intent.getStringExtra("title");
        title = given == null || given.isEmpty() ? getString(R.string.updating) : given;
        if (seconds < 1 || seconds > MAX_SECONDS) {
            end("error:bad-seconds");
            return;
        }
        total = seconds * 1000L;
        long now = SystemClock.elapsedRealtime();
        started = saved == null ? now : saved.getLong(STARTED, now);
        build();
        logger.write(saved == null ? "progress_started" : "resumed");
        handler.postDelayed(tick, TICK_MS);
    }

    private void build() {
        page = new ProgressPage(this, title, getString(R.string.closes_by_itself));
        setContentView(page.root);
        page.setProgress(progress());
    }

    private double progress() {
        return Math.min(1.0, (SystemClock.elapsedRealtime() - started) / (double) total);
    }

    private void update() {
        page.setProgress(progress());
        if (progress() < 1) {
            long remaining = total - (SystemClock.elapsedRealtime() - started);
            handler.postDelayed(tick, Math.max(1, Math.min(TICK_MS, remaining)));
            return;
        }
        end("progress_done");
    }

    private void end(String event) {
        if (!ended) {
            ended = true;
            logger.write(event);
        }
        finish();
    }

    @Override
    public void onConfigurationChanged(Configuration changed) {
        super.onConfigurationChanged(changed);
        if (page != null) {
            build();
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        out.putLong(STARTED, started);
        new OpenWindows(this).setSaved(KIND, token, true);
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (closedWhileAbsent) {
            finish();
        } else {
            new OpenWindows(this).setSaved(KIND, token, false);
        }
    }

    @Override
    public void onBackPressed() {
        String event = blockedBacks.count("back"); // blocked: the page closes by itself
        if (event != null && !ended) {
            logger.write(event);
        }
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacks(tick);
        LiveActivities.remove(this);
        if (isFinishing()) {
            end("dismissed:destroyed"); // destroyed by the system
        }
        super.onDestroy();
    }

    @Override
    public void close() {
        end("dismissed:close");
    }

    @Override
    public boolean matches(String kind, String other) {
        return kind.equals(KIND) && token.equals(other);
    }

    @Override
    public String state() {
        return WireFormat.state(KIND, token, TEMPLATE, !isFinishing());
    }
}
