package dev.bridle.harp.pairing;

import dev.bridle.harp.error.HarpException;
import java.security.SecureRandom;

/**
 * The code by which a device finds a pairing at the relay: 8 characters of Crockford's base32, 40
 * random bits. It opens the pairing while that is pending, so its {@link #toString} does not show
 * it.
 *
 * @param text the 8 characters in upper case, the same however the code was typed
 */
public record PairingCode(String text) {
  /** The number of characters. */
  public static final int LENGTH = 8;

  private static final int BYTES = 5;

  /** Rejects what is not the one spelling of a code. */
  public PairingCode {
    Crockford.requireSpelling(text, LENGTH);
  }

  /** Creates a random code. */
  public static PairingCode create(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new PairingCode(Crockford.encode(bytes));
  }

  /**
   * Parses a typed code. Case, hyphens and spaces don't matter; O is read as 0, I and L as 1.
   *
   * @throws HarpException {@code TRANSPORT} if it is no such code
   */
  public static PairingCode parse(String typed) throws HarpException {
    return new PairingCode(Crockford.parse(typed, LENGTH));
  }

  /** Returns the code as it is shown to people: two groups of four. */
  public String grouped() {
    return Crockford.group(text);
  }

  @Override
  public String toString() {
    return "PairingCode[...]";
  }
}
