package dev.bridle.core.kernel.command;

import dev.bridle.core.kernel.error.ProtocolException;

/** The form of idempotency keys that clients choose (protocol section "Idempotency"). */
final class IdempotencyKey {
  private static final int LONGEST = 255;

  private IdempotencyKey() {}

  /** Returns a key; {@code invalid_request} if it is none. */
  static String checked(String key) {
    boolean printable = key.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    if (key.isEmpty() || key.length() > LONGEST || !printable) {
      throw ProtocolException.invalid(
          "Idempotency-Key", "must be 1 to 255 printable ASCII characters");
    }
    return key;
  }
}
