package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.WakeKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept for readers that accept nothing, counted. */
final class BlockedReadersTest {
  private static final String TENANT = CoreFixture.TENANT;
  private static final Caller ADA = new Caller(TENANT, "ada", Set.of("*"), Set.of(), false);
  private static final int PAYLOAD = 10_000;

  /** The events of two or three readers with a page each have room. */
  private static final long ROOM = 600_000;

  private static final int EVENTS = 20;
  private static final int READERS = 8;

  @RegisterExtension final CoreFixture fixture = new CoreFixture();
  private final Jobs jobs = new Jobs();
  private final ReadAhead readAhead = new ReadAhead(2 * ROOM, ROOM);
  private final List<Reader> readers = new ArrayList<>();
  private final List<EventSubscription> subscriptions = new ArrayList<>();
  private CoreContext context;
  private EventTail tail;
  private EventStreams streams;
  private int number;

  @BeforeEach
  void start() {
    context = fixture.context();
    streams =
        new EventStreams(
            context,
            Duration.ofSeconds(30),
            new StreamSlots(10, 10, System::nanoTime),
            new CredentialWatch(Duration.ofSeconds(1), jobs),
            readAhead);
    tail =
        new EventTail(
            context.store(),
            context.log(),
            new EventReader(context.log()),
            new WakeKeys(context.layout()),
            TENANT,
            jobs,
            () -> {});
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPageWithoutRoomIsReadAgainWhereTheReaderReadsOn(boolean ofSession) {
    append(EVENTS);
    for (int i = 0; i < READERS; i++) {
      open(ofSession, i);
    }
    jobs.run();

    assertThat(readers).allSatisfy(reader -> assertThat(reader.ready()).isFalse());
    assertThat(readAhead.taken()).isBetween(1L, ROOM);
    assertAllRead(EVENTS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void liveEventsWithoutRoomAreReadFromTheLog(boolean ofSession) throws Exception {
    append(1);
    for (int i = 0; i < READERS; i++) {
      open(ofSession, 2);
    }
    jobs.run();
    append(EVENTS - 1);
    tail.poke();
    jobs.awaitAndRun();

    assertThat(readers).allSatisfy(reader -> assertThat(reader.ready()).isFalse());
    assertThat(readAhead.taken()).isBetween(1L, ROOM);
    assertAllRead(EVENTS);
  }

  @Test
  void aStreamThatEndsLeavesNothingBehind() {
    append(EVENTS);
    for (int i = 0; i < READERS; i++) {
      open(true, 1);
    }
    jobs.run();

    subscriptions.forEach(
        subscription ->
            subscription.refuse(ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, "A test.")));
    jobs.run();

    assertThat(readAhead.taken()).isZero();
  }

  @Test
  void oneTenantLeavesRoomForAnother() {
    ReadAhead room = new ReadAhead(100, 60);
    assertThat(room.take("a", 60)).isTrue();
    assertThat(room.take("a", 1)).isFalse();
    assertThat(room.take("b", 41)).isFalse();
    assertThat(room.take("b", 40)).isTrue();

    room.release("a", 60);

    assertThat(room.taken()).isEqualTo(40);
    assertThat(room.take("c", 60)).isTrue();
  }

  private void assertAllRead(int events) {
    for (Reader reader : readers) {
      reader.accept(Integer.MAX_VALUE);
      reader.becomeReady();
    }
    jobs.run();
    List<Long> all = LongStream.range(0, events).boxed().toList();
    assertThat(readers).allSatisfy(reader -> assertThat(reader.sequences()).isEqualTo(all));
    assertThat(readAhead.taken()).isZero();
  }

  /** Opens a stream whose reader accepts some frames. */
  private void open(boolean ofSession, int accepted) {
    Reader reader = new Reader();
    reader.accept(accepted);
    readers.add(reader);
    Optional<String> session = ofSession ? Optional.of("one") : Optional.empty();
    EventSubscription subscription =
        new EventSubscription(
            inBackground(),
            new TaskStore(context.layout()),
            tail,
            new EventScope(ADA, Optional.empty(), session, Optional.empty()),
            Optional.empty(),
            reader,
            streams);
    subscriptions.add(subscription);
    subscription.follow();
    subscription.start();
  }

  /** Returns the context with these jobs as its background. */
  private CoreContext inBackground() {
    return new CoreContext(
        context.store(),
        context.layout(),
        context.log(),
        context.commands(),
        context.events(),
        context.pages(),
        context.due(),
        context.configurations(),
        context.mint(),
        context.installation(),
        context.seals(),
        context.settings(),
        CoreEnvironment.real(context.clock(), jobs, true));
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      byte[] record =
          EventRecord.newBuilder()
              .setEvent("vendor.bridle.test")
              .setResourceObject("session")
              .setResourceId("one")
              .setSequence(number++)
              .setSessionId("one")
              .setWorkspaceId(CoreFixture.WORKSPACE)
              .setPayload(ByteString.copyFromUtf8("{\"a\":\"" + "x".repeat(PAYLOAD) + "\"}"))
              .build()
              .toByteArray();
      context
          .store()
          .transact(
              tr -> {
                var appender = context.log().appender(tr, TENANT);
                appender.append("one", record);
                appender.finish();
                return true;
              });
    }
  }
}
