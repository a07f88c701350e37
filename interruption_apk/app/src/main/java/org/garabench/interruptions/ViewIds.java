package org.garabench.interruptions;

/** The resource ids of views, by index or key. */
final class ViewIds {
    private static final int[] STARS = {R.id.star_1, R.id.star_2, R.id.star_3, R.id.star_4, R.id.star_5};
    private static final int[] CHOICES = {
        R.id.choice_1, R.id.choice_2, R.id.choice_3, R.id.choice_4, R.id.choice_5, R.id.choice_6
    };
    private static final int[] FIELDS = {R.id.field_1, R.id.field_2, R.id.field_3};

    private ViewIds() {
    }

    /** The id of a star, by its index. */
    static int star(int index) {
        return STARS[index];
    }

    /** The id of a choice, by its index. */
    static int choice(int index) {
        return CHOICES[index];
    }

    /** The id of a text field, by its index. */
    static int field(int index) {
        return FIELDS[index];
    }

    /** The id of a button; keys without an id of their own share one. */
    static int button(String key) {
        switch (key) {
            case "accept":
                return R.id.button_accept;
            case "dismiss":
                return R.id.button_dismiss;
            case "exit":
                return R.id.button_exit;
            case "close":
                return R.id.button_close;
            case "later":
                return R.id.button_later;
            case "open":
                return R.id.button_open;
            case "skip":
                return R.id.button_skip;
            case "retry":
                return R.id.button_retry;
            case "submit":
                return R.id.button_submit;
            case "register":
                return R.id.button_register;
            case "link":
                return R.id.button_link;
            case "settings":
                return R.id.button_settings;
            case "refresh":
                return R.id.button_refresh;
            default:
                return R.id.button;
        }
    }
}
