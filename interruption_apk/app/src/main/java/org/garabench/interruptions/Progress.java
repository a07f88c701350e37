package org.garabench.interruptions;

import android.app.Activity;
import android.content.Intent;
import android.content.res.Configuration;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;

/** A page with a progress bar that fills in the given time and then goes away. */
public final class Progress extends Activity implements Living.Closable {
    static final long TICK_MS = 500;
    static final int MAX_SECONDS = 600;
    static final String KIND = "progress";
    private static final String TEMPLATE = "page";
    private static final String STARTED = "started";

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable tick = new Runnable() {
        @Override
        public void run() {
            step();
        }
    };
    private Teller teller;
    private Often backs;
    private boolean over;
    /** As {@link Show}'s. */
    private boolean closedBefore;
    private String token = "";
    private String title = "";
    private long started;
    private long total;
    private ProgressPage page;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        Living.add(this);
        begin(getIntent(), saved);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        if (!over) {
            teller.tell("dismissed:replaced");
        }
        setIntent(intent);
        begin(intent, null);
    }

    private void begin(Intent intent, Bundle saved) {
        handler.removeCallbacks(tick);
        token = Line.token(intent.getStringExtra("token"));
        teller = Teller.ofWindow(this, new Open.Window(KIND, token, TEMPLATE));
        backs = new Often();
        closedBefore = new Open(this).begins(KIND, token) && saved != null;
        over = closedBefore;
        if (closedBefore) {
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
        teller.tell(saved == null ? "progress_started" : "resumed");
        handler.postDelayed(tick, TICK_MS);
    }

    private void build() {
        page = new ProgressPage(this, title, getString(R.string.closes_by_itself));
        setContentView(page.root);
        page.set(share());
    }

    private double share() {
        return Math.min(1.0, (SystemClock.elapsedRealtime() - started) / (double) total);
    }

    private void step() {
        page.set(share());
        if (share() < 1) {
            long left = total - (SystemClock.elapsedRealtime() - started);
            handler.postDelayed(tick, Math.max(1, Math.min(TICK_MS, left)));
            return;
        }
        end("progress_done");
    }

    private void end(String event) {
        if (!over) {
            over = true;
            teller.tell(event);
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
        new Open(this).saved(KIND, token, true);
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (closedBefore) {
            finish();
        } else {
            new Open(this).saved(KIND, token, false);
        }
    }

    @Override
    public void onBackPressed() {
        String event = backs.told("back"); // nothing to press: it goes away by itself
        if (event != null && !over) {
            teller.tell(event);
        }
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacks(tick);
        Living.remove(this);
        if (isFinishing()) {
            end("dismissed:destroyed"); // ended by the system
        }
        super.onDestroy();
    }

    @Override
    public void close() {
        end("dismissed:close");
    }

    @Override
    public boolean isOf(String kind, String other) {
        return kind.equals(KIND) && token.equals(other);
    }

    @Override
    public String state() {
        return Line.state(KIND, token, TEMPLATE, !isFinishing());
    }
}
