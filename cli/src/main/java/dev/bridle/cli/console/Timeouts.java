package dev.bridle.cli.console;

import java.time.Duration;

/**
 * The timeouts of all commands. They are generous enough for a machine that is ten times slower
 * than usual, so that they end only waits that can't succeed.
 */
public final class Timeouts {
  /** Opening a TCP connection. */
  public static final Duration CONNECT = Duration.ofSeconds(20);

  /** One attempt of a REST call; the server itself gives up after its {@code --request-timeout}. */
  public static final Duration REST_CALL = Duration.ofSeconds(90);

  /** Retrying a refused connection to a server that has not been reached before. */
  public static final Duration FIRST_CONNECTION = Duration.ofSeconds(3);

  /** Retrying a call whose connection was lost, as happens when a server restarts. */
  public static final Duration RECONNECT = Duration.ofMinutes(3);

  /** The pause between two attempts. */
  public static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  /** The liveness check of a running server. */
  public static final Duration PROBE = Duration.ofSeconds(30);

  /** One call of an admin command. */
  public static final Duration OPERATOR_CALL = Duration.ofMinutes(2);

  /** The start of a server in a process of its own. */
  public static final Duration SERVER_START = Duration.ofMinutes(5);

  /** The stop of such a server. */
  public static final Duration SERVER_STOP = Duration.ofMinutes(2);

  /** The answers to requests under way, at the end of an editor's input. */
  public static final Duration LAST_ANSWERS = Duration.ofMinutes(1);

  /** One step of the demonstration. */
  public static final Duration DEMO_STEP = Duration.ofMinutes(3);

  private Timeouts() {}
}
