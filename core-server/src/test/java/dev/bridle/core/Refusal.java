package dev.bridle.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.kernel.error.ErrorMapper;
import io.grpc.Metadata;
import io.grpc.Status;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a caller is told when a call is refused. */
public final class Refusal {
  private Refusal() {}

  /** Runs a call that is expected to be refused. */
  public static ErrorDetail of(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).as("the refusal").isNotNull();
    Metadata trailers = Status.trailersFromThrowable(thrown);
    assertThat(trailers).as("trailers of %s", thrown).isNotNull();
    byte[] detail = trailers.get(ErrorMapper.DETAIL);
    assertThat(detail).as("detail of %s", thrown).isNotNull();
    try {
      return ErrorDetail.parseFrom(detail);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("the detail is damaged", e);
    }
  }

  /** Checks that a call is refused since the server does not do what a parameter asks for. */
  public static void assertUnsupported(String param, ThrowingCallable call) {
    ErrorDetail detail = of(call);
    assertThat(detail.getCode()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
    assertThat(detail.getParam()).isEqualTo(param);
    assertThat(detail.getMessage()).startsWith("is not supported: ");
    assertThat(detail.getDetails().toStringUtf8()).contains("\"reason\":\"unsupported\"");
  }

  /** Checks that a call is refused with a code, and blames a parameter (empty: none). */
  public static void assertRefused(ErrorCode code, String param, ThrowingCallable call) {
    ErrorDetail detail = of(call);
    assertThat(detail.getCode()).as("code of %s", detail).isEqualTo(code);
    assertThat(detail.getParam()).as("param of %s", detail).isEqualTo(param);
  }
}
