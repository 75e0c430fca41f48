package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.command.EarlierRecords;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Idempotency keys in a core, stored by this release and by earlier ones. */
class EarlierKeysTest {
  private static final String TENANT = "default";
  private static final Duration DAY = Duration.ofMillis(IdempotencyStore.RETENTION_MILLIS);
  private static final Duration TWO_GENERATIONS =
      Duration.ofMillis(2 * IdempotencyStore.GENERATION_MILLIS);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
  private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
  private final KeyValueStore store = InMemoryStore.openOnOneThread(StoreImage.EMPTY);
  private final SteppedCore core = start(1);
  private final String session =
      SessionServiceGrpc.newBlockingStub(core.owner())
          .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(TENANT).build())
          .getId();

  @AfterEach
  void close() {
    core.close();
    store.close();
  }

  @Test
  void aKeyOfAnEarlierReleaseIsAnsweredAgainUntilItsDueEntryDeletesIt() {
    Task first = submit();
    assertThat(EarlierRecords.restoreAll(store, TENANT)).isEqualTo(1);
    assertThat(check().findings()).isEmpty();

    pass(DAY.minusMillis(1));
    core.tick();
    assertThat(submit()).isEqualTo(first);
    assertThat(rows(TenantSpace.KEYED_COMMAND)).isZero();

    pass(Duration.ofMillis(1));
    core.tick();
    assertThat(rows(TenantSpace.IDEMPOTENCY)).isZero();
    assertThat(dueEntries()).isEmpty();
    assertThat(submit().getId()).isNotEqualTo(first.getId());
    assertThat(check().findings()).isEmpty();
  }

  @Test
  void aLostDueEntryOfAnEarlierReleaseIsRepaired() {
    Task first = submit();
    EarlierRecords.restoreAll(store, TENANT);
    DueEntry entry = dueEntries().get(0);
    store.transact(
        tr -> {
          new DueIndex(KeyLayout.root()).cancel(tr, entry);
          return true;
        });

    CheckReport repaired = checker().repair(CheckProgress.SILENT);

    assertThat(repaired.repairs()).isEqualTo(1);
    assertThat(dueEntries()).containsExactly(entry);
    assertThat(submit()).isEqualTo(first);
  }

  @Test
  void aKeyLeavesNoDueEntryAndGoesWithItsGenerationWhoeverDeletesIt() {
    Task first = submit();
    assertThat(dueEntries()).isEmpty();
    assertThat(rows(TenantSpace.IDEMPOTENCY)).isZero();

    try (SteppedCore other = start(2)) {
      pass(DAY);
      core.tick();
      other.tick();
      assertThat(submit()).isEqualTo(first);

      pass(TWO_GENERATIONS.minus(DAY));
      core.tick();
      other.tick();
    }

    assertThat(rows(TenantSpace.KEYED_COMMAND)).isZero();
    assertThat(submit().getId()).isNotEqualTo(first.getId());
    assertThat(check().findings()).isEmpty();
  }

  private SteppedCore start(long seed) {
    return new SteppedCore(store, clock, () -> 0, new Random(seed));
  }

  private void pass(Duration time) {
    now.updateAndGet(at -> at.plus(time));
  }

  private Task submit() {
    return TaskServiceGrpc.newBlockingStub(core.withKey("key"))
        .submitSessionTask(TestCore.submission(session));
  }

  private CheckReport check() {
    return checker().check(CheckProgress.SILENT);
  }

  private StorageChecker checker() {
    return new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG);
  }

  private int rows(TenantSpace space) {
    KeyRange all = new Rows(KeyLayout.root()).below(TENANT, space);
    return store.read(tr -> tr.getRange(all, 100)).size();
  }

  private List<DueEntry> dueEntries() {
    DueIndex due = new DueIndex(KeyLayout.root());
    return store.read(
        tr ->
            IntStream.range(0, DueIndex.SHARDS)
                .boxed()
                .flatMap(shard -> due.scan(tr, shard, List.of(), 100).stream())
                .filter(entry -> entry.kind() == DueKind.IDEMPOTENCY)
                .toList());
  }
}
