package dev.bridle.core.kernel.page;

import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/**
 * Cursors of lists: the key position of the last row, with a keyed hash over it, the list, its
 * filter and its caller. So a cursor can't be made up, changed, or used for another list or by
 * another caller.
 */
public final class Cursors {
  private static final int MAC_BYTES = 16;

  private final RequestHash hash;

  public Cursors(RequestHash hash) {
    this.hash = hash;
  }

  /** Formats a cursor. */
  String spell(byte[] position, String binding) {
    byte[] all = Arrays.copyOf(position, position.length + MAC_BYTES);
    System.arraycopy(mac(position, binding), 0, all, position.length, MAC_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** Parses a cursor; {@code invalid_request} if it is not one of this list, filter and caller. */
  byte[] read(String cursor, String binding) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      throw bad();
    }
    if (all.length <= MAC_BYTES
        || !Base64.getUrlEncoder().withoutPadding().encodeToString(all).equals(cursor)) {
      throw bad();
    }
    byte[] position = Arrays.copyOf(all, all.length - MAC_BYTES);
    byte[] mac = Arrays.copyOfRange(all, all.length - MAC_BYTES, all.length);
    if (!MessageDigest.isEqual(mac, mac(position, binding))) {
      throw bad();
    }
    return position;
  }

  private byte[] mac(byte[] position, String binding) {
    byte[] text = binding.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(text, text.length + 1 + position.length);
    System.arraycopy(position, 0, all, text.length + 1, position.length);
    return Arrays.copyOf(hash.of(all), MAC_BYTES);
  }

  private static ProtocolException bad() {
    return ProtocolException.invalid(
        "cursor", "is no cursor of this list with this filter; begin again without one");
  }
}
