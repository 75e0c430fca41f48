package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a daemon's waiting says that it has done what it was sent. */
final class IdleWatchTest {
  private final IdleWatch watch = new IdleWatch();

  @Test
  void theFirstIdleAfterAReportEndsATurn() {
    watch.begin();
    watch.heard();

    assertThat(watch.idle(1)).isTrue();
  }

  @Test
  void aDaemonThatWasSlowToReadItsMessageIsWaitedFor() {
    anEarlierTurn();
    watch.begin();

    assertThat(LongStream.rangeClosed(2, 6).anyMatch(watch::idle)).isFalse();
    watch.heard();
    assertThat(watch.idle(1)).isTrue();
  }

  @Test
  void whatWasSaidOfSomethingElseDoesNotEndATurnWhoseMessageIsUnread() {
    anEarlierTurn();
    watch.begin();
    watch.heard(); // Such as that its skills have changed.

    assertThat(watch.idle(2)).isFalse();
    assertThat(watch.idle(1)).isTrue();
  }

  @Test
  void aDaemonThatBeginsToWaitAnewAndSaysNothingHasNothingToSay() {
    anEarlierTurn();
    watch.begin();

    assertThat(watch.idle(2)).isFalse();
    assertThat(watch.idle(1)).isFalse();
    assertThat(watch.idle(2)).isFalse();
    assertThat(watch.idle(3)).isTrue();
  }

  @Test
  void aDaemonWhoseIterationNeverBeginsAnewIsNotWaitedForForever() {
    anEarlierTurn();
    watch.begin();
    assertThat(LongStream.rangeClosed(2, 10).anyMatch(watch::idle)).isFalse();
    assertThat(watch.idle(11)).isTrue();

    watch.begin();
    watch.heard();
    assertThat(watch.idle(12)).isFalse();
    assertThat(watch.idle(13)).isFalse();
    assertThat(watch.idle(14)).isTrue();
  }

  @Test
  void aDaemonThatDoesNotSayHowOftenItHasWaitedIsCounted() {
    watch.begin();
    assertThat(IntStream.range(0, 2).anyMatch(each -> watch.idle(0))).isFalse();
    assertThat(watch.idle(0)).isTrue();

    watch.begin();
    watch.heard();
    assertThat(watch.idle(0)).isTrue();
  }

  @Test
  void aMessageIntoATurnOutlivesOneIdleThatMayHaveCrossedIt() {
    watch.begin();
    watch.heard();
    watch.said();

    assertThat(watch.idle(1)).isFalse();
    watch.heard();
    assertThat(watch.idle(1)).isTrue();
  }

  private void anEarlierTurn() {
    watch.begin();
    watch.heard();
    assertThat(watch.idle(1)).isTrue();
  }
}
