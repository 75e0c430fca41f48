package dev.bridle.gateway.kit.error;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps failed calls of the core to protocol errors. Errors of the core have trailers; a call that
 * never reached the core, or failed in the transport, has only a status.
 */
public final class CoreFailures {

  /** The trailer with an {@link ErrorDetail}. */
  public static final Metadata.Key<byte[]> DETAIL =
      Metadata.Key.of("bridle-error-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static final Logger log = LoggerFactory.getLogger(CoreFailures.class);

  private CoreFailures() {}

  /**
   * Returns the error for a failure. Logs an unexpected failure with the request's id and omits its
   * cause from the error.
   */
  public static ProtocolError error(
      Status status, Metadata trailers, String method, String requestId) {
    return detail(trailers)
        .map(ProtocolError::of)
        .orElseGet(() -> ofStatus(status, method, requestId));
  }

  private static Optional<ErrorDetail> detail(Metadata trailers) {
    byte[] bytes = trailers == null ? null : trailers.get(DETAIL);
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(ErrorDetail.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      log.warn("The core sent an error detail that can't be read.", e);
      return Optional.empty();
    }
  }

  private static ProtocolError ofStatus(Status status, String method, String requestId) {
    String description = Optional.ofNullable(status.getDescription()).orElse("");
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
              "The server can't be reached at the moment.");
      case DEADLINE_EXCEEDED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "The request timed out.");
      case CANCELLED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, "The request was canceled.");
      case UNAUTHENTICATED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The credentials are not valid.");
      case PERMISSION_DENIED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The caller may not do this.");
      case RESOURCE_EXHAUSTED ->
          // gRPC's own status for a message above its size limit.
          description.contains("maximum")
              ? ProtocolError.of(
                  ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The message is too large.")
              : ProtocolError.of(ErrorCode.ERROR_CODE_RATE_LIMITED, "The server is overloaded.");
      default -> {
        log.error("Request {}: {} failed with {}", requestId, method, status, status.getCause());
        yield ProtocolError.of(
            ErrorCode.ERROR_CODE_INTERNAL_ERROR,
            "An unexpected error occurred; see the server's log for request id " + requestId + ".");
      }
    };
  }
}
