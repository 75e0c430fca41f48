package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.util.Exceptions;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import io.netty.channel.unix.Errors.NativeIoException;

/**
 * Detects clients that disconnect before they have received the response, which is not a server
 * error.
 */
final class ClientDisconnects {
  /** The error of such a request, which appears only in the log. */
  static final ProtocolError ERROR =
      ProtocolError.of(ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, "The client disconnected.");

  private ClientDisconnects() {}

  /** Returns whether the client has disconnected, or has already received the response. */
  static boolean is(Throwable cause) {
    return Exceptions.isStreamCancelling(cause)
        || cause instanceof ClosedSessionException
        || cause instanceof ResponseCompleteException
        || cause instanceof NativeIoException;
  }
}
