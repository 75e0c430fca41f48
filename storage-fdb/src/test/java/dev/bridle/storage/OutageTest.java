package dev.bridle.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutageTest {
  private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());
  private final Outage outage =
      new Outage(Clock.fixed(Instant.parse("2026-11-21T10:00:30Z"), ZoneOffset.UTC), nanos::get);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(Outage.class);

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stop() {
    log.detachAppender(lines);
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private static StoreException timedOut() {
    return new StoreException(StoreException.Code.TIMED_OUT, "It ran out of its time.");
  }

  private void pass(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  /** Returns when a transaction began that ends now. */
  private long passed(long seconds) {
    long began = nanos.get();
    pass(seconds);
    return began;
  }

  @Test
  void itsBeginAndItsEndAreSaidOnceEach() {
    pass(1);
    for (int i = 0; i < 50; i++) {
      outage.failed(timedOut(), passed(10));
    }
    assertThat(said())
        .singleElement()
        .asString()
        .contains("does not answer since 2026-11-21T10:00:20Z")
        .contains("It ran out of its time.");

    outage.answered();
    outage.answered();
    assertThat(said()).hasSize(2).last().asString().contains("answers again, after 500 s");

    pass(1);
    outage.failed(timedOut(), passed(10));
    assertThat(said()).as("the next one").hasSize(3);
  }

  @Test
  void aTransactionThatRunsOutOfTimeBesideOthersThatSucceedIsNone() {
    long began = passed(5);
    outage.answered();
    pass(5);
    outage.failed(timedOut(), began);

    assertThat(said()).isEmpty();
  }

  @Test
  void otherFailuresAreNone() {
    pass(1);
    outage.failed(
        new StoreException(StoreException.Code.VALUE_TOO_LARGE, "It is too large."), passed(10));

    assertThat(said()).isEmpty();
  }
}
