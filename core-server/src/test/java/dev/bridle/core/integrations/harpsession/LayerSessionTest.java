package dev.bridle.core.integrations.harpsession;

import static dev.bridle.core.integrations.harpsession.SampleSessions.end;
import static dev.bridle.core.integrations.harpsession.SampleSessions.get;
import static dev.bridle.core.integrations.harpsession.SampleSessions.post;
import static dev.bridle.core.integrations.harpsession.SampleSessions.snapshot;
import static dev.bridle.core.integrations.harpsession.SampleSessions.status;
import static dev.bridle.core.integrations.harpsession.SampleSessions.types;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.prompt.SamplePrompts;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of other hosts, and of the core, at a core whose clock is set. */
final class LayerSessionTest {
  private static final ErrorCode CONFLICT = ErrorCode.ERROR_CODE_CONFLICT;
  private static final String STATE = "HARP_SESSION_ERR_INVALID_STATE";
  private static final String CLOSED = "HARP_SESSION_ERR_SESSION_CLOSED";
  private static final String S = "01J2V8V3M2YF0KX9Q0Z7E6H9R1";

  @TempDir private Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:25Z");
  private KeyValueStore store;
  private CoreOver core;
  private Channel ada;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    ada = core.of("default");
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

  private Channel keyOf(String tenant, String actor, String... workspaces) {
    return core.as(
        AdminServiceGrpc.newBlockingStub(core.operator())
            .createApiKey(
                CreateApiKeyRequest.newBuilder()
                    .setTenantId(tenant)
                    .setActor(actor)
                    .addScopes("*")
                    .addAllWorkspaceIds(List.of(workspaces))
                    .build())
            .getSecret());
  }

  private Instant now(int seconds) {
    return clock.instant().plusSeconds(seconds);
  }

  private static void refused(ErrorCode code, String harp, String reason, ThrowingCallable call) {
    ErrorDetail detail = Refusal.of(call);
    assertThat(detail.getCode()).as(detail.toString()).isEqualTo(code);
    assertThat(detail.getDetails().toStringUtf8())
        .contains("\"harp_code\":\"" + harp + "\"", "\"reason\":\"" + reason + "\"");
  }

  private void absent(Channel caller, String session) {
    refused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "HARP_ERR_TRANSPORT",
        "not_found",
        () -> get(caller, session, 50));
  }

  @Test
  void eventsOfAnotherHostAreShownInTheOrderOfTheirTimesHoweverTheyArrive() {
    ObjectNode began = SampleSessions.start(S, now(-60));
    post(ada, began);
    post(ada, status(S, "executing", now(-20)));
    post(ada, snapshot(S, "snap-1", "Planned", now(-30)));
    post(ada, status(S, "planning", now(-50)));

    JsonNode session = get(ada, S, 50);

    assertThat(types(session)).containsExactly("start", "status", "snapshot", "status");
    assertThat(session.at("/events/0")).isEqualTo(began);
    assertThat(session.at("/events/1/state").asText()).isEqualTo("planning");
    assertThat(session.path("state").asText()).isEqualTo("open");
    assertThat(get(ada, S, 1)).as("page by page").isEqualTo(session);
  }

  @Test
  void theSameEventAgainIsStoredOnce() {
    List<ObjectNode> events =
        List.of(
            SampleSessions.start(S, now(-60)),
            status(S, "editing", now(-40)),
            snapshot(S, "snap-1", "Edited", now(-30)),
            end(S, now(-10)));
    events.forEach(event -> post(ada, event));
    events.forEach(
        event -> assertThat(post(ada, event).path("status").asText()).isEqualTo("accepted"));

    assertThat(types(get(ada, S, 50))).containsExactly("start", "status", "snapshot", "end");
    refused(
        CONFLICT,
        "HARP_SESSION_ERR_DUPLICATE_SNAPSHOT",
        "another_hash",
        () -> post(ada, snapshot(S, "snap-1", "Something else", now(-30))));
  }

  @Test
  void aSessionBeginsOnceAndEndsOnce() {
    refused(CONFLICT, STATE, "not_started", () -> post(ada, status(S, "idle", now(0))));
    post(ada, SampleSessions.start(S, now(-60)));
    refused(CONFLICT, STATE, "started", () -> post(ada, SampleSessions.start(S, now(-50))));
    refused(CONFLICT, STATE, "before_start", () -> post(ada, end(S, now(-61))));
    post(ada, end(S, now(0)));
    assertThat(get(ada, S, 50).path("state").asText()).isEqualTo("ended");
    refused(CONFLICT, CLOSED, "closed", () -> post(ada, end(S, now(-1))));
    refused(CONFLICT, CLOSED, "closed", () -> post(ada, status(S, "idle", now(1))));
  }

  @Test
  void whatCameLateIsAcceptedForTenMinutesAfterTheEnd() {
    post(ada, SampleSessions.start(S, now(-60)));
    Instant ended = now(0);
    post(ada, end(S, ended));
    clock.pass(Duration.ofMinutes(10));
    post(ada, status(S, "editing", ended.minusSeconds(5)));
    refused(CONFLICT, CLOSED, "closed", () -> post(ada, status(S, "idle", ended.plusSeconds(1))));
    clock.pass(Duration.ofSeconds(1));
    refused(CONFLICT, CLOSED, "closed", () -> post(ada, status(S, "idle", ended.minusSeconds(1))));
    post(ada, status(S, "editing", ended.minusSeconds(5)));

    assertThat(types(get(ada, S, 50))).containsExactly("start", "status", "end");
  }

  @Test
  void aSessionIsThatOfItsActorAndItsTenant() {
    post(ada, SampleSessions.start(S, now(-60)));
    Channel ben = keyOf("default", "ben", "default");
    refused(CONFLICT, STATE, "not_started", () -> post(ben, status(S, "idle", now(0))));
    refused(CONFLICT, STATE, "taken", () -> post(ben, SampleSessions.start(S, now(-60))));
    absent(ben, S);
    Channel other = keyOf("other", "ada");
    absent(other, S);
    post(other, SampleSessions.start(S, now(-30)));
    assertThat(types(get(other, S, 50))).containsExactly("start");
    assertThat(types(get(keyOf("default", "cleo"), S, 50)))
        .as("whoever reaches the whole tenant")
        .containsExactly("start");

    SamplePrompts.map(ada, session());
    post(ada, SampleSessions.start("of-repo", now(0)).put("repoRef", SamplePrompts.REPO));
    assertThat(types(get(ben, "of-repo", 50))).containsExactly("start");
  }

  private String session() {
    return SessionServiceGrpc.newBlockingStub(ada)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  @Test
  void aSessionOfTheCoreIsShownOnceItsWorkspaceIsMapped() {
    String session = session();
    absent(ada, session);
    refused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "HARP_ERR_TRANSPORT",
        "not_found",
        () -> post(ada, SampleSessions.start(session, now(0))));
    SamplePrompts.map(ada, session);

    JsonNode shown = get(ada, session, 50);
    assertThat(types(shown)).containsExactly("start", "status");
    assertThat(shown.at("/events/0/repoRef").asText()).isEqualTo(SamplePrompts.REPO);
    assertThat(shown.at("/events/1/state").asText()).isEqualTo("idle");
    refused(CONFLICT, STATE, "mirrored", () -> post(ada, status(session, "idle", now(0))));
    refused(CONFLICT, STATE, "mirrored", () -> post(ada, end(session, now(0))));
    clock.pass(Duration.ofSeconds(10));
    post(ada, snapshot(session, "snap-1", "Planned", now(0)));
    post(ada, snapshot(session, "snap-1", "Planned", now(0)));
    clock.pass(Duration.ofSeconds(10));
    close(session);

    assertThat(types(get(ada, session, 1))).containsExactly("start", "snapshot", "end");
    assertThat(get(ada, session, 50).at("/events/2/reason").asText()).isEqualTo("user_end");
    refused(
        CONFLICT, CLOSED, "closed", () -> post(ada, snapshot(session, "snap-2", "Late", now(1))));
    post(ada, snapshot(session, "snap-3", "Before", now(-1)));
    absent(keyOf("other", "ada"), session);
  }

  private void close(String session) {
    var unused =
        SessionServiceGrpc.newBlockingStub(ada)
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
  }

  @Test
  void whatIsNoEventIsRefusedWithHarpsCode() {
    post(ada, SampleSessions.start(S, now(-60)));
    ErrorCode invalid = ErrorCode.ERROR_CODE_INVALID_REQUEST;
    ObjectNode changed = snapshot(S, "snap-1", "Planned", now(0));
    changed.withObject("/payload").put("summary", "Something else");
    refused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_HASH_MISMATCH",
        "hash",
        () -> post(ada, changed));
    refused(
        invalid,
        "HARP_ERR_TRANSPORT",
        "schema",
        () -> post(ada, status(S, "idle", now(0)).put("more", "than")));
    refused(
        invalid,
        "HARP_ERR_UNSUPPORTED",
        "unknown_event_type",
        () -> post(ada, status(S, "idle", now(0)).put("eventType", "session.pause")));
    refused(CONFLICT, STATE, "unknown_state", () -> post(ada, status(S, "dancing", now(0))));
    refused(
        invalid,
        "HARP_ERR_TRANSPORT",
        "created_in_the_future",
        () -> post(ada, status(S, "idle", now(61))));
    refused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "HARP_ERR_TRANSPORT",
        "too_large",
        () -> post(ada, snapshot(S, "snap-1", "x".repeat(5_000_000), now(0))));
  }

  @Test
  void aLargeSnapshotIsStoredAndShownByItself() {
    post(ada, SampleSessions.start(S, now(-60)));
    post(ada, snapshot(S, "snap-1", "x".repeat(4_900_000), now(-30)));
    post(ada, status(S, "idle", now(0)));

    assertThat(types(get(ada, S, 50))).containsExactly("start", "snapshot", "status");
  }

  @Test
  void anEventInAnEnvelopeIsAnsweredInOne() {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "session.start")
            .put("requestId", "r1")
            .put("createdAt", clock.instant().toString());
    envelope.putObject("sender").put("enforcerId", "ci");
    envelope.set("body", SampleSessions.start(S, now(0)));

    JsonNode answer = post(ada, envelope);

    assertThat(answer.path("msgType").asText()).isEqualTo("session.event.accepted");
    assertThat(answer.path("requestId").asText()).isEqualTo("r1");
    assertThat(answer.at("/body/sessionId").asText()).isEqualTo(S);
    refused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "HARP_ERR_UNSUPPORTED",
        "type",
        () -> post(ada, envelope.put("msgType", "session.end")));
  }

  @Test
  void sevenDaysAfterItsLastEventNothingOfASessionIsLeft() {
    post(ada, SampleSessions.start(S, now(-60)));
    for (int i = 0; i < 250; i++) {
      post(ada, snapshot(S, "snap-" + i, "Planned", now(-30)));
    }
    clock.pass(Duration.ofDays(7));

    await().untilAsserted(() -> absent(ada, S));
    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(post(ada, SampleSessions.start(S, now(0))).path("status").asText())
                    .isEqualTo("accepted"));
    assertThat(types(get(ada, S, 50))).containsExactly("start");
  }
}
