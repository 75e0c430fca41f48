package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/** A call that may work a moment later: no connection, a broken one, or a server that restarts. */
final class BrokenCall extends CommandFailed {
  private static final long serialVersionUID = 1L;

  private final boolean connected;

  private BrokenCall(int exitCode, String message, boolean connected, Throwable cause) {
    super(exitCode, message, cause);
    this.connected = connected;
  }

  /**
   * Describes what broke a call.
   *
   * @param base the server's URL
   * @param repeatable whether a call that may have been applied may be sent again
   */
  static BrokenCall of(String base, boolean repeatable, IOException cause) {
    if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
      return new BrokenCall(
          ExitCodes.UNREACHABLE,
          "No server answers at "
              + base
              + "; start one with 'bridle up', or name another with --url.",
          false,
          cause);
    }
    String broken = "The connection to " + base + " broke before the answer came (" + cause + "). ";
    return new BrokenCall(
        ExitCodes.FAILED,
        broken
            + (repeatable
                ? "It was tried again in vain. Where the command changes something, the outcome is"
                    + " unknown: see with 'list' or 'get' what is there before you run it again."
                : "Whether the server did it is unknown, and it can't be sent again unseen: see"
                    + " with 'list' or 'get' what is there, and run the command again if it was"
                    + " not done."),
        true,
        cause);
  }

  /** Describes a stream that ended with something that passes. */
  static BrokenCall ofStream(String message) {
    return new BrokenCall(ExitCodes.FAILED, message, true, null);
  }

  /** Returns the failure of a server that doesn't speak HTTP, which stays. */
  static CommandFailed ofOtherProtocol(String base, IOException cause) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "What listens at "
            + base
            + " does not speak HTTP; name the port of REST with --url, not the one of gRPC.",
        cause);
  }

  /** Returns the failure of a server that doesn't speak TLS as it should, which stays. */
  static CommandFailed untrusted(String base, IOException cause) {
    return new CommandFailed(
        ExitCodes.UNREACHABLE,
        "No safe connection to " + base + " can be made: " + cause.getMessage() + ".",
        cause);
  }

  /** Returns whether a connection was there. */
  boolean isConnected() {
    return connected;
  }
}
