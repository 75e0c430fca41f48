package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Pins the payload bytes of every event of every scenario: commitments and receipts are made of
 * them, so they may not change by accident. A change that is meant writes the file anew:
 *
 * <pre>
 * ./mvnw -pl core-server -am test -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dtest='GoldenEventsTest#writeTheFile' -Dbridle.write-golden=true
 * </pre>
 */
@ExtendWith(QuietLog.class)
final class GoldenEventsTest {
  private static final String TENANT = "default";
  private static final String FILE = "event-payloads.txt";

  @Test
  void thePayloadsOfAllStoriesAreTheBytesThatTheyWere() throws IOException {
    try (InputStream golden = GoldenEventsTest.class.getResourceAsStream(FILE)) {
      assertThat(golden).as(FILE).isNotNull();
      List<String> lines =
          new String(golden.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(lines).hasSizeGreaterThan(100);
      assertThat(played()).containsExactlyElementsOf(lines);
    }
  }

  @Test
  @EnabledIfSystemProperty(
      named = "bridle.write-golden",
      matches = "true",
      disabledReason = "writes a file of the sources; see the class's comment")
  void writeTheFile() throws IOException {
    Path file = Path.of("src/test/resources/dev/bridle/core/fault").resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.write(file, played());
    assertThat(file).isNotEmptyFile();
  }

  private static List<String> played() {
    List<String> lines = new ArrayList<>();
    for (Scenarios scenario : Scenarios.values()) {
      lines.add("== " + scenario.name());
      try (InMemoryStore store = InMemoryStore.openOnOneThread(StoreImage.EMPTY)) {
        Scene scene = Scenes.prepare(store);
        assertThat(World.play(scene, FaultPlan.NONE, scenario)).as("faults").isZero();
        EventLog log = EventLog.open(store, KeyLayout.root());
        lines.addAll(store.read(tr -> events(tr, log)));
      }
    }
    return lines;
  }

  private static List<String> events(ReadTransaction tr, EventLog log) {
    List<String> lines = new ArrayList<>();
    for (int partition = 0; partition < log.partitions(); partition++) {
      var entries = log.readFeed(tr, TENANT, partition, java.util.Optional.empty(), 10_000);
      for (StoredEvent stored : log.readBodies(tr, TENANT, entries)) {
        lines.add(line(stored));
      }
    }
    return lines;
  }

  private static String line(StoredEvent stored) {
    try {
      EventRecord event = EventRecord.parseFrom(stored.body());
      return event.getEvent()
          + " "
          + event.getResourceObject()
          + " "
          + event.getSequence()
          + " "
          + event.getPayload().toStringUtf8();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("an event can't be parsed", e);
    }
  }
}
