package org.garabench.interruptions;

import android.content.res.Resources;

/** The colours and the icon of a style, for the current light or dark theme. */
final class Palette {
    final String icon;
    final int accent;
    final int tint;
    final int surface;
    final int ink;
    final int body;
    final int link;
    final int tonalInk;
    final int outline;
    final int faint;
    final int hint;
    final int scrim;

    Palette(Resources resources, Spec.Style style, String icon) {
        String defaultIcon;
        int accentId;
        int tintId;
        switch (style) {
            case PERMISSION:
                defaultIcon = "location";
                accentId = R.color.permission_accent;
                tintId = R.color.permission_tint;
                break;
            case BATTERY:
                defaultIcon = "battery";
                accentId = R.color.battery_accent;
                tintId = R.color.battery_tint;
                break;
            case NETWORK:
                defaultIcon = "wifi";
                accentId = R.color.network_accent;
                tintId = R.color.network_tint;
                break;
            case UPDATE:
                defaultIcon = "download";
                accentId = R.color.update_accent;
                tintId = R.color.update_tint;
                break;
            case CRASH:
                defaultIcon = "warning";
                accentId = R.color.crash_accent;
                tintId = R.color.crash_tint;
                break;
            case NOT_RESPONDING:
                defaultIcon = "clock";
                accentId = R.color.not_responding_accent;
                tintId = R.color.not_responding_tint;
                break;
            case STORAGE:
                defaultIcon = "folder";
                accentId = R.color.storage_accent;
                tintId = R.color.storage_tint;
                break;
            case NOTIFICATION:
                defaultIcon = "bell";
                accentId = R.color.notification_accent;
                tintId = R.color.notification_tint;
                break;
            case LOGIN:
                defaultIcon = "person";
                accentId = R.color.login_accent;
                tintId = R.color.login_tint;
                break;
            case COOKIE:
                defaultIcon = "cookie";
                accentId = R.color.cookie_accent;
                tintId = R.color.cookie_tint;
                break;
            case SURVEY:
                defaultIcon = "clipboard";
                accentId = R.color.survey_accent;
                tintId = R.color.survey_tint;
                break;
            case CAPTCHA:
                defaultIcon = "shield";
                accentId = R.color.captcha_accent;
                tintId = R.color.captcha_tint;
                break;
            case ADVERT:
                defaultIcon = "gift";
                accentId = R.color.advert_accent;
                tintId = R.color.advert_tint;
                break;
            default:
                defaultIcon = "star";
                accentId = R.color.prompt_accent;
                tintId = R.color.prompt_tint;
                break;
        }
        this.icon = icon.isEmpty() ? defaultIcon : icon;
        this.accent = resources.getColor(accentId);
        this.tint = resources.getColor(tintId);
        this.surface = resources.getColor(R.color.surface);
        this.ink = resources.getColor(R.color.ink);
        this.body = resources.getColor(R.color.body);
        this.link = resources.getColor(R.color.link);
        this.tonalInk = resources.getColor(R.color.tonal_ink);
        this.outline = resources.getColor(R.color.outline);
        this.faint = resources.getColor(R.color.faint);
        this.hint = resources.getColor(R.color.hint);
        this.scrim = resources.getColor(R.color.scrim);
    }
}
