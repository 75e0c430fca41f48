package dev.bridle.host.acp;

import java.time.Duration;

/**
 * How long an agent has for an answer.
 *
 * @param initialize its introduction, for which it may have to load itself, or a launcher such as
 *     npx to fetch it first
 * @param login a person may be part of it
 * @param open a session, with all its history where one is loaded
 * @param setting a mode or an option
 * @param prompt a whole turn
 */
public record AcpTimeouts(
    Duration initialize, Duration login, Duration open, Duration setting, Duration prompt) {
  /** 2 min, 10 min, 2 min, 30 s, and 7 days. */
  public static final AcpTimeouts DEFAULT =
      new AcpTimeouts(
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(2),
          Duration.ofSeconds(30),
          Duration.ofDays(7));
}
