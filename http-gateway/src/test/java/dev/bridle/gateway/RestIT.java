package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.discovery.v1.HarnAgentCard;
import dev.bridle.discovery.v1.Health;
import dev.bridle.message.v1.Role;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.SessionState;
import dev.bridle.session.v1.UpdateSessionRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Metadata;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Plain requests and answers. */
final class RestIT {

  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new GatewayFixture();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void anOpenMethodNeedsNeitherVersionNorCredentials() {
    fixture.core.answer(
        DiscoveryServiceGrpc.getGetHealthMethod(),
        request -> Health.newBuilder().setOk(true).setStatus("ok").setVersion("1").build());

    var response = fixture.send(fixture.bare("/health"));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"ok\":true,\"status\":\"ok\",\"version\":\"1\"}");
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.headers().firstValue("x-request-id").orElseThrow()).startsWith("req_");
    assertThat(response.headers().firstValue("server")).hasValue("Bridle");
  }

  @Test
  void aSessionIsWrittenWithItsConstantItsNullsAndItsEmptyMetadata() {
    fixture.core.answer(
        SessionServiceGrpc.getGetSessionMethod(),
        request ->
            Session.newBuilder()
                .setId(request.getSessionId())
                .setCreatedAt(Timestamp.newBuilder().setSeconds(1_777_143_600).setNanos(5_000_000))
                .setState(SessionState.SESSION_STATE_ACTIVE)
                .build());

    var response = fixture.get("/v1/sessions/s%20%2F1");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"object\":\"session\",\"id\":\"s /1\",\"created_at\":\"2026-04-25T19:00:00.005Z\","
                + "\"metadata\":{},\"workspace_id\":\"\",\"state\":\"ACTIVE\","
                + "\"persona_id\":null,\"root_session_id\":null,\"parent_session_id\":null,"
                + "\"branch_id\":null,\"last_event_id\":null,\"summary\":null,"
                + "\"expires_at\":null,\"skill_ids\":[],\"memory_ids\":[],\"vault_ids\":[]}");
  }

  @Test
  void aBodyBecomesTheRequestAndFreeFormMembersStayByteForByte() {
    fixture.core.answer(
        TaskServiceGrpc.getSubmitSessionTaskMethod(), request -> Task.newBuilder().build());
    String metadata = "{ \"z\": 9007199254740993,\n \"a\" : 1.0e2 , \"ü\": \"\\u00fc\" }";

    var response =
        fixture.send(
            GatewayFixture.json(
                fixture
                    .request("/v1/sessions/s1/tasks")
                    .header("Idempotency-Key", "k 1")
                    .header("Traceparent", TRACEPARENT),
                "POST",
                "{\"metadata\":"
                    + metadata
                    + ",\"input\":{\"parts\":[{\"visibility\":\"public\",\"text\":\"hi\\n\","
                    + "\"type\":\"text\"}],\"role\":\"user\"}}"));

    assertThat(response.statusCode()).isEqualTo(202);
    var request = fixture.core.request(TaskServiceGrpc.getSubmitSessionTaskMethod());
    assertThat(request.getSessionId()).isEqualTo("s1");
    assertThat(request.getMetadata()).isEqualTo(ByteString.copyFromUtf8(metadata));
    assertThat(request.getInput().getMessage().getRole()).isEqualTo(Role.ROLE_USER);
    assertThat(request.getInput().getMessage().getParts(0).getText().getText()).isEqualTo("hi\n");
    Metadata sent = fixture.core.metadata(TaskServiceGrpc.getSubmitSessionTaskMethod());
    assertThat(text(sent, "authorization")).isEqualTo("Bearer key-1");
    assertThat(text(sent, "idempotency-key")).isEqualTo("k 1");
    assertThat(text(sent, "traceparent")).isEqualTo(TRACEPARENT);
    assertThat(text(sent, "bridle-request-id"))
        .isEqualTo(response.headers().firstValue("x-request-id").orElseThrow());
  }

  @Test
  void anInputWithoutRoleAndPartsIsStructuredInput() {
    fixture.core.answer(
        TaskServiceGrpc.getSubmitTaskMethod(), request -> Task.newBuilder().build());

    fixture.post("/v1/tasks", "{\"session_id\":\"s\",\"input\":{\"role\":\"user\", \"x\":1}}");

    assertThat(fixture.core.request(TaskServiceGrpc.getSubmitTaskMethod()).getInput().getJson())
        .isEqualTo(ByteString.copyFromUtf8("{\"role\":\"user\", \"x\":1}"));
  }

  @Test
  void anUpdateNamesTheMembersOfItsBody() {
    fixture.core.answer(
        SessionServiceGrpc.getUpdateSessionMethod(), request -> Session.getDefaultInstance());

    fixture.send(
        GatewayFixture.json(
            fixture.request("/v1/sessions/s1"),
            "PATCH",
            "{\"summary\":null,\"session_id\":\"s1\"}"));

    UpdateSessionRequest request =
        fixture.core.request(SessionServiceGrpc.getUpdateSessionMethod());
    assertThat(request.getUpdateMask().getPathsList()).containsExactly("summary");
    assertThat(request.hasSummary()).isFalse();
  }

  @Test
  void theCardIsAskedForWithTheGatewaysOwnUrl() {
    fixture.core.answer(
        DiscoveryServiceGrpc.getGetAgentCardMethod(),
        request -> HarnAgentCard.getDefaultInstance());

    var response = fixture.send(fixture.bare("/v1/agent-card"));

    assertThat(response.statusCode()).isEqualTo(200);
    GetAgentCardRequest request =
        fixture.core.request(DiscoveryServiceGrpc.getGetAgentCardMethod());
    assertThat(request.getPublicUrl()).isEqualTo(fixture.gateway.baseUrl().toString());
  }

  @Test
  void queryParametersAreBound() {
    fixture.core.answer(
        SessionServiceGrpc.getListSessionsMethod(),
        request -> ListSessionsResponse.getDefaultInstance());

    var response = fixture.get("/v1/sessions?limit=7&workspace_id=w%2B1");

    assertThat(response.body()).isEqualTo("{\"object\":\"list\",\"data\":[]}");
    var request = fixture.core.request(SessionServiceGrpc.getListSessionsMethod());
    assertThat(request.getLimit()).isEqualTo(7);
    assertThat(request.getWorkspaceId()).isEqualTo("w+1");
    assertThat(request.hasCursor()).isFalse();
  }

  @Test
  void aCommandThatNeedsNoBodyComesWithoutOneOrWithAnEmptyObject() {
    fixture.core.answer(
        SessionServiceGrpc.getCloseSessionMethod(), request -> Session.getDefaultInstance());

    assertThat(fixture.send(fixture.request("/v1/sessions/s1/close").POST(none())).statusCode())
        .isEqualTo(200);
    assertThat(fixture.post("/v1/sessions/s1/close", "{}").statusCode()).isEqualTo(200);
  }

  private static BodyPublisher none() {
    return BodyPublishers.noBody();
  }

  private static String text(Metadata metadata, String key) {
    return metadata.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
  }
}
