package dev.bridle.cli.console;

import java.time.Duration;

/**
 * How long commands wait, all in one place. The times suit a machine that is ten times slower than
 * an ordinary one: they end a wait that is in vain, and never one that is only slow.
 */
public final class Timeouts {
  /** Opening a TCP connection. */
  public static final Duration CONNECT = Duration.ofSeconds(20);

  /** One attempt of a REST call; the server itself gives up after its {@code --request-timeout}. */
  public static final Duration REST_CALL = Duration.ofSeconds(90);

  /** Repeating a connection that is refused, where the server has not been reached before. */
  public static final Duration FIRST_CONNECTION = Duration.ofSeconds(3);

  /** Repeating a call whose connection broke, which a server that restarts does to all of them. */
  public static final Duration RECONNECT = Duration.ofMinutes(3);

  /** The pause between two attempts. */
  public static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  /** The answer of a running server to whether it is there. */
  public static final Duration PROBE = Duration.ofSeconds(30);

  /** One call of an operator's command. */
  public static final Duration OPERATOR_CALL = Duration.ofMinutes(2);

  /** The start of a server in a process of its own. */
  public static final Duration SERVER_START = Duration.ofMinutes(5);

  /** The end of such a server. */
  public static final Duration SERVER_STOP = Duration.ofMinutes(2);

  /** One step of the demonstration. */
  public static final Duration DEMO_STEP = Duration.ofMinutes(3);

  private Timeouts() {}
}
