package dev.bridle.core.kernel.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.fault.QuietLog;
import dev.bridle.storage.StoreException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
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
}
