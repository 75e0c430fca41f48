package dev.bridle.core.kernel.signing;

/**
 * How a key takes the place of another one.
 *
 * @param now when, in Unix milliseconds
 * @param endsAt when the old keys stop verifying, in Unix milliseconds
 * @param successor has the old key vouch for the new one
 */
record KeyReplacement(long now, long endsAt, SuccessionSigner successor) {
  /**
   * Returns the same at a later time, where a clock was set back. Keys that end at once do so
   * whatever the clock said before.
   */
  KeyReplacement notBefore(long at) {
    long later = Math.max(0, at - now);
    return new KeyReplacement(now + later, endsAt > now ? endsAt + later : endsAt, successor);
  }
}
