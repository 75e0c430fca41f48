package dev.bridle.gateway.kit.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpStatusException;
import dev.bridle.api.v1.ErrorCode;
import org.junit.jupiter.api.Test;

/** Whose fault a failed request is. */
final class FailuresTest {
  @Test
  void whatIsMalformedIsItsSendersFaultAndAnythingElseTheServers() {
    assertThat(Failures.error(HttpStatusException.of(HttpStatus.BAD_REQUEST), "req_1").code())
        .isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
    assertThat(
            Failures.error(HttpStatusException.of(HttpStatus.SERVICE_UNAVAILABLE), "req_1").code())
        .isEqualTo(ErrorCode.ERROR_CODE_INTERNAL_ERROR);
    assertThat(Failures.error(new IllegalStateException("x"), "req_1").code())
        .isEqualTo(ErrorCode.ERROR_CODE_INTERNAL_ERROR);
  }
}
