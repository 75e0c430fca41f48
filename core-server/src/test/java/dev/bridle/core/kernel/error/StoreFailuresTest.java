package dev.bridle.core.kernel.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.fault.QuietLog;
import dev.bridle.storage.StoreException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(QuietLog.class)
final class StoreFailuresTest {

  @ParameterizedTest
  @MethodSource
  void aFailureThatARetryMayMendTellsTheCallerToTryAgain(StoreException failure) {
    assertThat(ErrorMapper.detail(failure, "request").getCode())
        .isIn(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE);
  }

  static Stream<StoreException> aFailureThatARetryMayMendTellsTheCallerToTryAgain() {
    return Arrays.stream(StoreException.Code.values())
        .map(code -> new StoreException(code, "Made up by the test: " + code))
        .filter(failure -> failure.retriable() || failure.outcomeUnknown());
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMED_OUT", "CONFLICT", "COMMIT_UNKNOWN", "STORE_CLOSED"})
  void onlyOfAWriteIsItSaidThatItMayHaveBeenApplied(StoreException.Code code) {
    StoreException failure = new StoreException(code, "Made up by the test.");

    assertThat(ErrorMapper.detail(failure, "request", true).getMessage())
        .endsWith("try again with the same idempotency key.");
    assertThat(ErrorMapper.detail(failure, "request", false).getMessage())
        .endsWith("; try again.")
        .doesNotContain("idempotency");
  }

  @Test
  void oneThatDidNotAnswerInTimeSaysWhenToTryAgain() {
    StoreException late = new StoreException(StoreException.Code.TIMED_OUT, "Made up by the test.");

    assertThat(ErrorMapper.detail(late, "request", false).getRetryAfterSeconds()).isPositive();
  }
}
