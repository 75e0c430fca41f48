package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.host.acp.SessionPhase.Event;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may happen in each phase of a session, and nothing else. */
final class SessionPhaseTest {
  @ParameterizedTest
  @CsvSource({
    "OPENING, OPENED, IDLE",
    "OPENING, REPLAYED, LOADED",
    "OPENING, ENDED, CLOSED",
    "LOADED, PROMPTED, PROMPTING",
    "LOADED, ENDED, CLOSED",
    "IDLE, PROMPTED, PROMPTING",
    "IDLE, ENDED, CLOSED",
    "PROMPTING, CANCELLED, CANCELLING",
    "PROMPTING, TURN_ENDED, IDLE",
    "PROMPTING, ENDED, CLOSED",
    "PROMPTING, WAITS, WAITING",
    "CANCELLING, TURN_ENDED, IDLE",
    "CANCELLING, WAITS, WAITING",
    "CANCELLING, ENDED, CLOSED",
    "WAITING, PROMPTED, PROMPTING",
    "WAITING, TURN_ENDED, IDLE",
    "WAITING, ENDED, CLOSED",
  })
  void aPhaseFollows(SessionPhase from, Event event, SessionPhase to) {
    assertThat(from.after(event)).contains(to);
  }

  @Test
  void nothingElseMayHappen() {
    long possible = 0;
    for (SessionPhase phase : SessionPhase.values()) {
      for (Event event : Event.values()) {
        Optional<SessionPhase> next = phase.after(event);
        possible += next.isPresent() ? 1 : 0;
      }
    }
    assertThat(possible).isEqualTo(17);
    for (Event event : Event.values()) {
      assertThat(SessionPhase.CLOSED.after(event)).isEmpty();
    }
  }
}
