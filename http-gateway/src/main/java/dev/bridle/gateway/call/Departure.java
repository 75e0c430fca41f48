package dev.bridle.gateway.call;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.util.Exceptions;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.error.ProtocolError;
import io.netty.channel.unix.Errors.NativeIoException;

/** Clients that go away before they have their answer, which is no failure of this side. */
final class Departure {
  /** What a request of such a client ends with; only the log sees it. */
  static final ProtocolError ERROR =
      ProtocolError.of(ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, "The client went away.");

  private Departure() {}

  /** Whether the client has gone, or has its answer already. */
  static boolean is(Throwable cause) {
    return Exceptions.isStreamCancelling(cause)
        || cause instanceof ClosedSessionException
        || cause instanceof ResponseCompleteException
        || cause instanceof NativeIoException;
  }
}
