package dev.bridle.harp.document;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.schema.Rfc3339;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

/** Times of documents, which are signed as they were spelled. */
public final class Times {
  private Times() {}

  /** Returns a time as this library spells it: in whole seconds of UTC. */
  public static String spell(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Returns the whole seconds of a time as RFC 3339 spells it.
   *
   * @throws HarpException {@code TRANSPORT} if it is none
   */
  public static Instant parse(String text) throws HarpException {
    OptionalLong seconds = Rfc3339.epochSecond(text);
    if (seconds.isEmpty()) {
      throw new HarpException(HarpErrorCode.TRANSPORT, "schema", "A time is not one of RFC 3339.");
    }
    return Instant.ofEpochSecond(seconds.getAsLong());
  }
}
