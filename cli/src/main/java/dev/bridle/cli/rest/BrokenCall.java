package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/**
 * A transient failure of a call: connection refused, connection lost, or a server that restarts.
 */
final class BrokenCall extends CommandFailed {
  private static final long serialVersionUID = 1L;

  private final boolean connected;

  private BrokenCall(int exitCode, String message, boolean connected, Throwable cause) {
    super(exitCode, message, cause);
    this.connected = connected;
  }

  /**
   * Returns the failure of a call with a connection error.
   *
   * @param base the server's URL
   * @param repeatable whether a call that may have been applied may be sent again
   */
  static BrokenCall of(String base, boolean repeatable, IOException cause) {
    if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
      return new BrokenCall(
          ExitCodes.UNREACHABLE,
          "No server responds at "
              + base
              + ". Start one with 'bridle up', or select another with --url.",
          false,
          cause);
    }
    String broken =
        "The connection to " + base + " was lost before the response arrived (" + cause + "). ";
    return new BrokenCall(
        ExitCodes.FAILED,
        broken
            + (repeatable
                ? "All retries failed. If the command changes data, its outcome is"
                    + " unknown: check with 'list' or 'get' before you run it again."
                : "It is unknown whether the server applied the call, and the call is not safe"
                    + " to retry: check"
                    + " with 'list' or 'get', and run the command again if it was"
                    + " not applied."),
        true,
        cause);
  }

  /** Returns the failure of a stream that ended with a transient error. */
  static BrokenCall ofStream(String message) {
    return new BrokenCall(ExitCodes.FAILED, message, true, null);
  }

  /** Returns the permanent failure of a server that doesn't speak HTTP. */
  static CommandFailed ofOtherProtocol(String base, IOException cause) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The server at "
            + base
            + " does not speak HTTP. Use the REST port in --url, not the gRPC port.",
        cause);
  }

  /** Returns the permanent failure of a server whose TLS handshake fails. */
  static CommandFailed untrusted(String base, IOException cause) {
    return new CommandFailed(
        ExitCodes.UNREACHABLE,
        "No secure connection to "
            + base
            + " could be established: "
            + cause.getMessage()
            + ". If the server's certificate is of a CA of your own, name its file with --ca-cert.",
        cause);
  }

  /** Returns whether the connection had been established. */
  boolean isConnected() {
    return connected;
  }
}
