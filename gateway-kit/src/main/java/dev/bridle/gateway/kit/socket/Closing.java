package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import dev.bridle.gateway.kit.error.ErrorTable;
import dev.bridle.gateway.kit.error.ProtocolError;

/** A gateway's own close statuses of WebSockets. */
public final class Closing {

  // Statuses from 4000 on are for private use.
  private static final int OWN = 4_000;

  /** The stream is complete: its task has ended. */
  public static final WebSocketCloseStatus DONE = WebSocketCloseStatus.NORMAL_CLOSURE;

  /** The server is stopping. */
  public static final WebSocketCloseStatus STOPPING = WebSocketCloseStatus.ENDPOINT_UNAVAILABLE;

  /** The client did not answer pings. */
  public static final WebSocketCloseStatus SILENT =
      WebSocketCloseStatus.ofPrivateUse(OWN + 408, "no_sign_of_life");

  /** The client did not send the rest of a message in time. */
  public static final WebSocketCloseStatus UNFINISHED =
      WebSocketCloseStatus.ofPrivateUse(OWN + 408, "message_timeout");

  private Closing() {}

  /**
   * Returns the status for an error of the stream: 4000 plus the HTTP status, with the error code
   * as the reason.
   */
  public static WebSocketCloseStatus of(ProtocolError error) {
    return WebSocketCloseStatus.ofPrivateUse(
        OWN + error.status(), ErrorTable.spelling(error.code()));
  }
}
