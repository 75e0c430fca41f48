package dev.bridle.gateway.error;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a failed call of the core means. The core tells it in its trailers; a call that never
 * reached it, or that failed below it, has a status alone.
 */
public final class CoreFailures {

  /** The trailer that carries an {@link ErrorDetail}. */
  public static final Metadata.Key<byte[]> DETAIL =
      Metadata.Key.of("bridle-error-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static final Logger log = LoggerFactory.getLogger(CoreFailures.class);

  private CoreFailures() {}

  /**
   * Reads a failure; what nobody foresaw is logged with the request's id and told without its
   * cause.
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
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server can't be reached just now.");
      case DEADLINE_EXCEEDED ->
          ProtocolError.of(
              ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "The request took longer than is allowed.");
      case CANCELLED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, "The request was canceled.");
      case UNAUTHENTICATED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The credentials are not valid.");
      case PERMISSION_DENIED ->
          ProtocolError.of(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The caller may not do this.");
      case RESOURCE_EXHAUSTED ->
          // gRPC itself answers so where a message is above its size limit.
          description.contains("maximum")
              ? ProtocolError.of(
                  ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The message is too large.")
              : ProtocolError.of(
                  ErrorCode.ERROR_CODE_RATE_LIMITED, "The server has too much to do just now.");
      default -> {
        log.error("Request {}: {} failed with {}", requestId, method, status, status.getCause());
        yield ProtocolError.of(
            ErrorCode.ERROR_CODE_INTERNAL_ERROR,
            "Something unexpected went wrong; the server's log tells more under request id "
                + requestId
                + ".");
      }
    };
  }
}
