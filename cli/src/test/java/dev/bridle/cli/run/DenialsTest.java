package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.fixtures.client.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When all that was asked for was denied. */
final class DenialsTest {
  @ParameterizedTest
  @CsvSource({
    "tool.denied, true",
    "tool.denied tool.denied, true",
    "'', false",
    "tool.denied tool.approved, false",
    "tool.denied vendor.bridle.permission_used, false",
    "tool.denied vendor.bridle.permission_expired:timed_out, false",
    "tool.denied vendor.bridle.permission_expired:withdrawn, true",
    "vendor.bridle.permission_expired:timed_out, false",
  })
  void allIsDeniedWhereNothingWasAllowedOrLeftUnanswered(String events, boolean all) {
    Denials denials = new Denials();
    for (String event : events.split(" ", -1)) {
      String[] kind = event.split(":", 2);
      String reason = kind.length > 1 ? kind[1] : "";
      denials.take(
          new StreamEvent(
              "1", kind[0], Json.parse("{\"payload\":{\"reason\":\"" + reason + "\"}}")));
    }

    assertThat(denials.isAll()).isEqualTo(all);
  }
}
