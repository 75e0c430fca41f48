package dev.bridle.core.operations.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.util.Durations;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.ListTenantsRequest;
import dev.bridle.admin.v1.Retention;
import dev.bridle.admin.v1.SetRetentionRequest;
import dev.bridle.admin.v1.Tenant;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RetentionTest {
  private static final String TENANT = "default";

  @TempDir Path directory;
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
  private KeyValueStore store;
  private CoreOver core;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
  }

  @AfterEach
  void stop() {
    core.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void eventsBeyondTheCountDropFromTheOldestOnAndCursorsBeforeThemExpire() {
    String session = session(TENANT);
    for (int i = 0; i < 20; i++) {
      endedTask(session);
    }
    List<Event> before = events(session);

    keep(Retention.newBuilder().setMaxEvents(10).build());

    await().untilAsserted(() -> assertThat(tenantEvents()).hasSize(10));
    List<Event> after = events(session);
    assertThat(ids(after))
        .isEqualTo(ids(before.subList(before.size() - after.size(), before.size())));
    assertThat(after).hasSizeBetween(9, 10);
    assertThatThrownBy(() -> eventsAfter(session, before.get(0).getId()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("older than what is retained");
    Event newestDropped = before.get(before.size() - after.size() - 1);
    assertThat(ids(eventsAfter(session, newestDropped.getId()))).isEqualTo(ids(after));
  }

  @Test
  void eventsDropOnceTheyAreOlderThanTheAge() {
    String session = session(TENANT);
    Task old = endedTask(session);
    now.updateAndGet(at -> at.plus(Duration.ofDays(2)));
    Task young = endedTask(session);

    keep(Retention.newBuilder().setMaxAge(Durations.fromDays(1)).build());

    await().untilAsserted(() -> assertThat(ofTask(old)).isEmpty());
    assertThat(ofTask(young)).isNotEmpty().extracting(Event::getSequence).startsWith(0L);
    assertThat(events(session))
        .filteredOn(event -> event.getTaskId().equals(young.getId()))
        .isEqualTo(ofTask(young));
    assertThat(events(session)).noneMatch(event -> event.getTaskId().equals(old.getId()));
  }

  @Test
  void aTaskThatHasNotEndedKeepsItsEventsAndAllThatFollowInItsSession() {
    String busy = session(TENANT);
    endedTask(busy);
    Task live = task(busy);
    Task behind = endedTask(busy);
    String idle = session(TENANT);
    endedTask(idle);
    List<Event> kept = events(busy);

    keep(Retention.newBuilder().setMaxEvents(1).build());

    await().untilAsserted(() -> assertThat(events(idle)).hasSize(1));
    await().untilAsserted(() -> assertThat(ids(events(busy))).startsWith(ids(ofTask(live)).get(0)));
    assertThat(ids(kept)).endsWith(ids(events(busy)).toArray(String[]::new));
    assertThat(ofTask(behind)).extracting(Event::getSequence).startsWith(0L);

    cancel(live);
    await().untilAsserted(() -> assertThat(tenantEvents()).hasSize(1));
  }

  @Test
  void twoProcessesThatDropAtOnceWhileOthersAppendLeaveAWholeLog() {
    keep(Retention.newBuilder().setMaxEvents(5).build());
    try (CoreOver other = CoreOver.start(store, clock)) {
      String session = session(TENANT);
      Task last = endedTask(session);
      for (int i = 0; i < 100; i++) {
        last = cancel(taskAt(i % 2 == 0 ? core : other, session));
      }
      List<Event> ofLast = ofTask(last);
      assertThat(ofLast).extracting(Event::getSequence).isSorted();
      await().untilAsserted(() -> assertThat(tenantEvents()).hasSize(5));
      assertThat(events(session)).isEqualTo(tenantEvents());
    }
  }

  @Test
  void aRetentionIsShownAndTakenBack() {
    Retention week = Retention.newBuilder().setMaxAge(Durations.fromDays(7)).build();
    assertThat(keep(week).getRetention()).isEqualTo(week);
    assertThat(admin().listTenants(ListTenantsRequest.getDefaultInstance()).getTenantsList())
        .extracting(Tenant::getId, Tenant::getRetention)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(TENANT, week));
    assertThat(keep(Retention.getDefaultInstance()).hasRetention()).isFalse();
  }

  @Test
  void aDeletedTenantLeavesItsEraAloneAndEndsItsKeys() {
    String secret = newTenant("acme");
    String session = session("acme");
    task("acme", session);
    Event last = events("acme", session).get(0);

    delete("acme");

    assertThat(keysOf("acme")).hasSize(1);
    assertThat(rowsNaming("acme")).isEqualTo(1);
    assertThatThrownBy(
            () ->
                SessionServiceGrpc.newBlockingStub(core.as(secret))
                    .listSessions(ListSessionsRequest.getDefaultInstance()))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThatThrownBy(() -> session("acme")).hasMessageContaining("NOT_FOUND");
    assertThatThrownBy(() -> delete("acme")).hasMessageContaining("NOT_FOUND");
    assertThat(session(TENANT)).isNotEmpty();

    newTenant("acme");
    Event first = events("acme", session("acme")).get(0);
    assertThat(first.getId()).isGreaterThan(last.getId());
  }

  @Test
  void aDeletionThatACrashCutShortIsEndedByTheNextProcess() {
    newTenant("acme");
    task("acme", session("acme"));
    core.close();
    Installation installation = new Installation(KeyLayout.root());
    EventLog log = EventLog.open(store, KeyLayout.root());
    store.transact(
        tr -> {
          installation.putTenant(
              tr, "acme", TenantRecord.newBuilder().setDeletingAt(1).build().toByteArray());
          log.close(tr, "acme");
          return true;
        });

    core = CoreOver.start(store, clock);

    await().untilAsserted(() -> assertThat(rowsNaming("acme")).isEqualTo(1));
  }

  private static List<String> ids(List<Event> events) {
    return events.stream().map(Event::getId).toList();
  }

  private TenantServiceGrpc.TenantServiceBlockingStub admin() {
    return TenantServiceGrpc.newBlockingStub(core.operator());
  }

  private Tenant keep(Retention retention) {
    return admin()
        .setRetention(
            SetRetentionRequest.newBuilder().setTenantId(TENANT).setRetention(retention).build())
        .getTenant();
  }

  private void delete(String tenant) {
    assertThat(admin().deleteTenant(DeleteTenantRequest.newBuilder().setTenantId(tenant).build()))
        .isNotNull();
  }

  private String newTenant(String tenant) {
    return AdminServiceGrpc.newBlockingStub(core.operator())
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
        .getSecret();
  }

  private String session(String tenant) {
    return SessionServiceGrpc.newBlockingStub(core.of(tenant))
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  private Task task(String session) {
    return task(TENANT, session);
  }

  private Task task(String tenant, String session) {
    return TaskServiceGrpc.newBlockingStub(core.of(tenant))
        .submitSessionTask(TestCore.submission(session));
  }

  private static Task taskAt(CoreOver where, String session) {
    return TaskServiceGrpc.newBlockingStub(where.of(TENANT))
        .submitSessionTask(TestCore.submission(session));
  }

  private Task endedTask(String session) {
    return cancel(task(session));
  }

  private Task cancel(Task task) {
    return TaskServiceGrpc.newBlockingStub(core.of(TENANT))
        .cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
  }

  private List<Event> events(String session) {
    return events(TENANT, session);
  }

  private List<Event> events(String tenant, String session) {
    return EventServiceGrpc.newBlockingStub(core.of(tenant))
        .listSessionEvents(
            ListSessionEventsRequest.newBuilder().setSessionId(session).setLimit(200).build())
        .getDataList();
  }

  private List<Event> eventsAfter(String session, String cursor) {
    return EventServiceGrpc.newBlockingStub(core.of(TENANT))
        .listSessionEvents(
            ListSessionEventsRequest.newBuilder()
                .setSessionId(session)
                .setAfterEventId(cursor)
                .setLimit(200)
                .build())
        .getDataList();
  }

  private List<Event> ofTask(Task task) {
    return EventServiceGrpc.newBlockingStub(core.of(TENANT))
        .listTaskEvents(
            ListTaskEventsRequest.newBuilder().setTaskId(task.getId()).setLimit(200).build())
        .getDataList();
  }

  private List<Event> tenantEvents() {
    return EventServiceGrpc.newBlockingStub(core.of(TENANT))
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList();
  }

  private List<byte[]> keysOf(String tenant) {
    var range = com.apple.foundationdb.tuple.Tuple.from(1, tenant).range();
    return store.read(tr -> tr.getRange(new KeyRange(range.begin, range.end), 1000)).stream()
        .map(row -> row.key())
        .toList();
  }

  /** Returns how many keys of the whole store name a tenant. */
  private long rowsNaming(String tenant) {
    return store
        .read(tr -> tr.getRange(new KeyRange(new byte[0], new byte[] {(byte) 0xFF}), 10_000))
        .stream()
        .filter(row -> new String(row.key(), StandardCharsets.ISO_8859_1).contains(tenant))
        .count();
  }
}
