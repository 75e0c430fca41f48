package dev.bridle.gateway.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header {@code Prefer} (RFC 7240). */
final class HandlingPreferenceTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "handling=lenient",
        "Handling = LENIENT",
        "handling=\"lenient\"",
        "respond-async, wait=10, handling=lenient;foo=\"a,b\"",
        "note=\"x, handling=strict, \\\" y\",handling=lenient",
        ", handling=lenient, handling=strict"
      })
  void lenientHandlingIsPreferred(String prefer) {
    assertThat(HandlingPreference.isLenient(headers(prefer))).isTrue();
    assertThat(HandlingPreference.normalized(prefer)).isEqualTo("handling=lenient");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "handling=strict",
        "handling=strict, handling=lenient",
        "handling=lenient2",
        "lenient",
        "handling",
        "note=\"x, handling=lenient, y\"",
        "note=\"handling=lenient",
        "no-handling=lenient"
      })
  void strictHandlingIsTheDefault(String prefer) {
    assertThat(HandlingPreference.isLenient(headers(prefer))).isFalse();
    assertThat(HandlingPreference.normalized(prefer)).isEqualTo("handling=strict");
  }

  @Test
  void theFirstOfSeveralHeadersCounts() {
    assertThat(HandlingPreference.isLenient(headers("wait=1", "handling=lenient"))).isTrue();
    assertThat(HandlingPreference.isLenient(headers("handling=strict", "handling=lenient")))
        .isFalse();
    assertThat(HandlingPreference.isLenient(headers())).isFalse();
  }

  private static RequestHeaders headers(String... prefer) {
    return RequestHeaders.builder(HttpMethod.GET, "/")
        .add(HandlingPreference.PREFER, prefer)
        .build();
  }
}
