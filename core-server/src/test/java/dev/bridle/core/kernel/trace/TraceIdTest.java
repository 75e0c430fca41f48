package dev.bridle.core.kernel.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdTest {
  private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + ID + "-" + PARENT + "-01",
        " 00-" + ID + "-" + PARENT + "-00 ",
        "01-" + ID + "-" + PARENT + "-01",
        "cc-" + ID + "-" + PARENT + "-01-what-comes-later"
      })
  void aTraceparentNamesItsTrace(String header) {
    assertThat(TraceId.ofTraceparent(header)).contains(new TraceId(ID));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        ID,
        "00-" + ID + "-" + PARENT,
        "00-" + ID + "-" + PARENT + "-1",
        "00-" + ID + "-" + PARENT + "-01-more",
        "ff-" + ID + "-" + PARENT + "-01",
        "00-00000000000000000000000000000000-" + PARENT + "-01",
        "00-" + ID + "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + PARENT + "-01",
        "00-" + ID + "x-" + PARENT + "-01"
      })
  void aMalformedTraceparentNamesNone(String header) {
    assertThat(TraceId.ofTraceparent(header)).isEmpty();
  }

  @Test
  void theIdOfANewTraceFollowsFromAUniqueId() {
    TraceId made = TraceId.of("task_1");
    assertThat(made.hex()).matches("[0-9a-f]{32}");
    assertThat(TraceId.of("task_1")).isEqualTo(made);
    assertThat(TraceId.of("task_2")).isNotEqualTo(made);
  }
}
