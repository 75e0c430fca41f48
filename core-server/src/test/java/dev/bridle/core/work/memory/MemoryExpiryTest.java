package dev.bridle.core.work.memory;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.GetMemoryRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.memory.v1.MemoryServiceGrpc.MemoryServiceBlockingStub;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryExpiryTest {
  private static final String TENANT = "default";
  private static final String EXPIRY = "2026-11-21T11:00:00Z";

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:00Z");
  private KeyValueStore store;
  private CoreOver core;
  private MemoryServiceBlockingStub memories;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    memories = MemoryServiceGrpc.newBlockingStub(core.of(TENANT));
  }

  @AfterEach
  void stop() {
    core.close();
    try {
      assertThat(check(false).findings()).isEmpty();
    } finally {
      store.close();
    }
  }

  @Test
  void aMemoryIsThereUntilItExpiresAndThenFromNoReadOn() {
    Memory memory = make(EXPIRY);
    assertThat(memory.getExpiresAt()).isEqualTo(Timestamps.fromMillis(millis(EXPIRY)));
    clock.set("2026-11-21T10:59:59Z");
    assertThat(get(memory)).isEqualTo(memory);
    assertThat(session(memory)).isNotEmpty();

    clock.set(EXPIRY);

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(memory));
    assertThat(memories.listMemories(ListMemoriesRequest.getDefaultInstance()).getDataList())
        .isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "memory_ids[0]", () -> session(memory));
  }

  @Test
  void whatAnExpiredMemorySaysIsDeletedAndTheEventNamesTheReason() {
    Memory memory = make(EXPIRY);

    clock.set(EXPIRY);

    await().until(() -> stored(memory).getDeletedAt() != 0);
    assertThat(stored(memory).toString()).doesNotContain("Friday");
    assertThat(dueAt(memory)).isFalse();
  }

  @Test
  void aMemoryThatIsDeletedBeforeIsNotLookedAtAgain() {
    Memory memory = make(EXPIRY);
    assertThat(dueAt(memory)).isTrue();

    var unused =
        memories.deleteMemory(DeleteMemoryRequest.newBuilder().setMemoryId(memory.getId()).build());

    assertThat(dueAt(memory)).isFalse();
  }

  @Test
  void anExpiryThatHasPassedIsRefused() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "expires_at", () -> make("2026-11-21T10:00:00Z"));
  }

  @Test
  void theCheckerFindsAnExpiryThatNobodyLooksAtAndMendsIt() {
    Memory memory = make(EXPIRY);
    store.transact(
        tr -> {
          new DueIndex(KeyLayout.root()).cancel(tr, entry(memory));
          return true;
        });

    assertThat(check(true).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FaultKind.DUE_MISSING));
    assertThat(dueAt(memory)).isTrue();
  }

  private CheckReport check(boolean repair) {
    StorageChecker checker = new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG);
    return repair ? checker.repair(CheckProgress.SILENT) : checker.check(CheckProgress.SILENT);
  }

  private Memory make(String expiresAt) {
    return memories.createMemory(
        CreateMemoryRequest.newBuilder()
            .setScope(MemoryScope.MEMORY_SCOPE_WORKSPACE)
            .setOwnerId("default")
            .setContent(MemoryContent.newBuilder().setText("the launch is on Friday"))
            .setProvenance(ByteString.copyFromUtf8("{\"actor\":\"ada\"}"))
            .setExpiresAt(Timestamps.fromMillis(millis(expiresAt)))
            .build());
  }

  private Memory get(Memory memory) {
    return memories.getMemory(GetMemoryRequest.newBuilder().setMemoryId(memory.getId()).build());
  }

  private String session(Memory memory) {
    return SessionServiceGrpc.newBlockingStub(core.of(TENANT))
        .createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId("default")
                .addMemoryIds(memory.getId())
                .build())
        .getId();
  }

  private MemoryRecord stored(Memory memory) {
    return store
        .read(tr -> MemoryStore.MEMORY.store(KeyLayout.root()).get(tr, TENANT, memory.getId()))
        .orElseThrow();
  }

  private boolean dueAt(Memory memory) {
    return store.read(tr -> new DueIndex(KeyLayout.root()).contains(tr, entry(memory)));
  }

  private static DueEntry entry(Memory memory) {
    return new DueEntry(millis(EXPIRY), DueKind.MEMORY, TENANT, memory.getId());
  }

  private static long millis(String time) {
    return Instant.parse(time).toEpochMilli();
  }
}
