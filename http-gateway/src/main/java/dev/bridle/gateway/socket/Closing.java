package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import dev.bridle.gateway.error.ErrorTable;
import dev.bridle.gateway.error.ProtocolError;

/** The statuses that the gateway closes with, beside those of the WebSocket protocol itself. */
final class Closing {

  // Statuses from here on are for programs to agree on.
  private static final int OWN = 4_000;

  /** All that there was to say has been said: a task has ended. */
  static final WebSocketCloseStatus DONE = WebSocketCloseStatus.NORMAL_CLOSURE;

  /** The server stops. */
  static final WebSocketCloseStatus STOPPING = WebSocketCloseStatus.ENDPOINT_UNAVAILABLE;

  /** The client has not answered pings. */
  static final WebSocketCloseStatus SILENT =
      WebSocketCloseStatus.ofPrivateUse(OWN + 408, "no_sign_of_life");

  private Closing() {}

  /** The stream can't go on: 4000 and the HTTP status of the error, whose code is the reason. */
  static WebSocketCloseStatus of(ProtocolError error) {
    return WebSocketCloseStatus.ofPrivateUse(
        OWN + error.status(), ErrorTable.spelling(error.code()));
  }
}
