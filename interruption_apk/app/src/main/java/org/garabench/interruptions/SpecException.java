package org.garabench.interruptions;

/** An invalid specification; the message is the reported reason, short and in kebab case. */
final class SpecException extends Exception {
    private static final long serialVersionUID = 1L;

    SpecException(String reason) {
        super(reason);
    }
}
