package org.garabench.interruptions;

/** Resource ids by keys. */
final class Keys {
    private static final int[] STARS = {R.id.star_1, R.id.star_2, R.id.star_3, R.id.star_4, R.id.star_5};
    private static final int[] CHOICES = {
        R.id.choice_1, R.id.choice_2, R.id.choice_3, R.id.choice_4, R.id.choice_5, R.id.choice_6
    };
    private static final int[] FIELDS = {R.id.field_1, R.id.field_2, R.id.field_3};

    private Keys() {
    }

    /** The id of a star, by its place from 0. */
    static int star(int place) {
        return STARS[place];
    }

    /** The id of an answer, by its place from 0. */
    static int choice(int place) {
        return CHOICES[place];
    }

    /** The id of a text field, by its place from 0. */
    static int field(int place) {
        return FIELDS[place];
    }

    /** The id of a button; keys that the resources do not name share one. */
    static int id(String key) {
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
