package dev.bridle.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.worker.v1.HandlerDeterminism;
import org.junit.jupiter.api.Test;

final class HandlerFactsTest {
  private static final String DIGEST = "sha256:" + "0f".repeat(32);

  @Test
  void factsAreSentAsTheyWereDeclared() {
    var info =
        HandlerFacts.of("greeter", "1.0")
            .withBuildDigest(DIGEST)
            .withAllRecorded()
            .withAllSideEffectsReported()
            .info();

    assertThat(info.getName()).isEqualTo("greeter");
    assertThat(info.getVersion()).isEqualTo("1.0");
    assertThat(info.getBuildDigest()).isEqualTo(DIGEST);
    assertThat(info.getDeterminism()).isEqualTo(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED);
    assertThat(info.getReportsSideEffects()).isTrue();
  }

  @Test
  void aHandlerDeclaresNoMoreThanItsAuthorHasSaid() {
    var info = HandlerFacts.of("greeter", "").info();

    assertThat(info.getDeterminism()).isEqualTo(HandlerDeterminism.HANDLER_DETERMINISM_PARTIAL);
    assertThat(info.getReportsSideEffects()).isFalse();
    assertThat(info.getBuildDigest()).isEmpty();
  }

  @Test
  void aValueOfAnotherFormIsRejectedWithWhatWasExpected() {
    assertThatThrownBy(() -> HandlerFacts.of("", "1.0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name");
    assertThatThrownBy(() -> HandlerFacts.of("greeter", "\u00e4"))
        .hasMessageContaining("version is `\u00e4`");
    HandlerFacts facts = HandlerFacts.of("greeter", "1.0");
    assertThatThrownBy(() -> facts.withBuildDigest("0f"))
        .hasMessageContaining("expected to match (sha256:");
  }
}
