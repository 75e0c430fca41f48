package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Status;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are refused: with which code, in which order, and with the envelope each time. */
final class RefusalIT {

  private static final String GOOD_TASK = "{\"input\":{\"a\":1}}";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withMaxJsonBytes(20_000)
                    .withListener(on -> on.withRequestTimeout(Duration.ofMillis(1500))));
    fixture.core.answer(
        SessionServiceGrpc.getGetSessionMethod(), request -> Session.getDefaultInstance());
    fixture.core.answer(
        TaskServiceGrpc.getSubmitSessionTaskMethod(), request -> Task.getDefaultInstance());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//",
        "/v2",
        "/v1/nothing",
        "/v1/sessions/",
        "/v1/sessions//tasks",
        "/v1/sessions/%ff"
      })
  void anUnknownPathIsNotFoundBeforeAnythingElse(String path) {
    var response = fixture.send(fixture.bare(path));

    expect(response, 404, "resource_not_found", "not_found_error");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/sessions, 'GET, HEAD, POST', DELETE",
    "/v1/sessions/s1, 'GET, HEAD, PATCH', PUT",
    "/v1/events/stream, 'GET, HEAD', POST",
    "/health, 'GET, HEAD', OPTIONS",
    "/v1/tasks/t/cancel, POST, GET"
  })
  void anotherMethodIsRefusedWithTheAllowedOnes(String path, String allowed, String method) {
    var response = fixture.send(fixture.bare(path).method(method, BodyPublishers.noBody()));

    expect(response, 405, "invalid_request", "request_error");
    assertThat(response.headers().firstValue("allow")).hasValue(allowed);
  }

  @Test
  void aHeadRequestIsAnotherMethodWhereThereIsNothingToGet() {
    var response =
        fixture.send(fixture.bare("/v1/tasks/t/cancel").method("HEAD", BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("allow")).hasValue("POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "agents-protocol-2020-01-01", "AGENTS-PROTOCOL-2026-04-25"})
  void aVersionThatIsNotServedIsRefusedBeforeCredentialsAreLookedAt(String version) {
    HttpRequest.Builder request = fixture.bare("/v1/sessions/s1");
    if (!version.isEmpty()) {
      request.header("Harn-Agents-Protocol-Version", version);
    }

    var response = fixture.send(request);

    expect(response, 426, "unsupported_protocol_version", "request_error");
    assertThat(GatewayFixture.error(response).get("details").get("supported_versions").get(0))
        .hasToString("\"" + GatewayFixture.VERSION + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "key-1", "Basic a2V5", "Bearer", "Bearer a b"})
  void missingOrOddCredentialsAreRefusedBeforeTheBodyIsRead(String authorization) {
    HttpRequest.Builder request =
        fixture
            .bare("/v1/sessions/s1/tasks")
            .header("Harn-Agents-Protocol-Version", GatewayFixture.VERSION)
            .POST(BodyPublishers.ofByteArray(new byte[30_000]));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }

    var response = fixture.send(request);

    expect(response, 401, "unauthenticated", "auth_error");
    assertThat(response.headers().firstValue("www-authenticate")).hasValue("Bearer");
  }

  @Test
  void credentialsThatTheCoreRefusesComeBeforeTheFaultsOfTheBody() {
    HttpRequest.Builder request =
        fixture
            .bare("/v1/sessions/s1/tasks")
            .header("Harn-Agents-Protocol-Version", GatewayFixture.VERSION)
            .header("Authorization", "Bearer bad");

    expect(
        fixture.send(GatewayFixture.json(request, "POST", "{nonsense")),
        401,
        "unauthenticated",
        "auth_error");
    expect(
        fixture.send(request.POST(BodyPublishers.ofByteArray(new byte[30_000]))),
        401,
        "unauthenticated",
        "auth_error");
  }

  @Test
  void aBodyAboveTheLimitIsRefusedWithAndWithoutItsLength() {
    byte[] large = new byte[20_001];
    HttpRequest.Builder request =
        fixture.request("/v1/sessions/s1/tasks").header("Content-Type", "text/plain");

    var known = fixture.send(request.POST(BodyPublishers.ofByteArray(large)));
    var unknown =
        fixture.send(request.POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(large))));

    expect(known, 413, "payload_too_large", "request_error");
    expect(unknown, 413, "payload_too_large", "request_error");
    assertThat(GatewayFixture.error(unknown).get("details").get("max_bytes").intValue())
        .isEqualTo(20_000);
  }

  @Test
  void aBodyAtTheLimitIsTaken() {
    String json = "{\"input\":{\"a\":\"" + "x".repeat(20_000 - 19) + "\"}}";
    assertThat(json).hasSize(20_000 - 1);

    assertThat(fixture.post("/v1/sessions/s1/tasks", json + " ").statusCode()).isEqualTo(202);
    assertThat(fixture.post("/v1/sessions/s1/tasks", json + "  ").statusCode()).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1"
      })
  void aBodyThatIsNotJsonIsRefusedByItsType(String type) {
    var response =
        fixture.send(
            fixture
                .request("/v1/sessions/s1/tasks")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(GOOD_TASK)));

    expect(response, 415, "invalid_request", "request_error");
    assertThat(GatewayFixture.error(response).get("param").textValue()).isEqualTo("Content-Type");
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Encoding, gzip, 415",
    "If-Match, \"x\", 412",
    "If-Match, *, 412",
    "If-None-Match, *, 412",
    "If-Unmodified-Since, 'Mon, 30 Nov 2026 00:00:00 GMT', 412",
  })
  void aHeaderThatWouldHaveToCountIsRefusedByName(String header, String value, int status) {
    var response =
        fixture.send(
            fixture
                .request("/v1/sessions/s1/tasks")
                .header(header, value)
                .POST(BodyPublishers.ofString(GOOD_TASK)));

    expect(response, status, "invalid_request", "request_error");
    assertThat(GatewayFixture.error(response).get("param").textValue())
        .isEqualToIgnoringCase(header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json; charset=UTF-8", "application/merge-patch+json"})
  void otherSpellingsOfTheJsonTypeAreTaken(String type) {
    var response =
        fixture.send(
            fixture
                .request("/v1/sessions/s1/tasks")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(GOOD_TASK)));

    assertThat(response.statusCode()).isEqualTo(202);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''",
        "' '|''",
        "[]|''",
        "\"x\"|''",
        "{\"input\":{}}x|''",
        "{\"input\":|''",
        "{\"metadata\":[]}|metadata",
        "{\"metadata\":null}|metadata",
        "{\"input\":null}|input",
        "{\"input\":7}|input",
        "{\"persona_id\":7}|persona_id",
        "{\"session_id\":\"s2\"}|session_id",
        "{\"session_id\":1}|session_id",
        "{\"input\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":{}}]}}"
            + "|input.parts[0].text",
        "{\"input\":{\"role\":\"villain\",\"parts\":[]}}|input.role",
        "{\"input\":{\"role\":\"user\",\"parts\":[{\"text\":\"x\"}]}}|input.parts[0].type",
        "{\"input\":{\"role\":\"user\",\"parts\":[{\"type\":\"video\"}]}}|input.parts[0].type",
        "{\"input\":{\"role\":\"user\",\"parts\":[null]}}|input.parts[0]",
        "{\"input\":{},\"input\":{}}|input",
        "{\"x\":{\"b\":1,\"a\":[0,{\"c\":1,\"c\":2}]}}|x.a[1].c",
      })
  void aBodyWithAFaultIsRefusedWithThePathOfTheFault(String body, String param) {
    var response = fixture.post("/v1/sessions/s1/tasks", body);

    expect(response, 400, "invalid_request", "request_error");
    assertThat(GatewayFixture.error(response).get("param").asText("").replace("null", ""))
        .isEqualTo(param);
  }

  @Test
  void whatCameAndWhatIsExpectedIsSaid() {
    assertThat(message("{\"persona_id\":7}"))
        .isEqualTo("The value must be a string, but is a whole number.");
    assertThat(message("{\"input\":{\"role\":\"villain\",\"parts\":[]}}"))
        .isEqualTo(
            "The value \"villain\" is unknown; expected one of user, assistant, system, tool,"
                + " agent.");
    assertThat(message("{\n \"a\": tru }")).contains("line 2, column ").hasSizeLessThan(240);
  }

  @Test
  void aBodyThatNestsTooDeepIsRefused() {
    String fits = "{\"input\":{\"a\":" + "[".repeat(62) + "]".repeat(62) + "}}";
    String tooDeep = "{\"input\":{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}}";

    assertThat(fixture.post("/v1/sessions/s1/tasks", fits).statusCode()).isEqualTo(202);
    expect(fixture.post("/v1/sessions/s1/tasks", tooDeep), 400, "invalid_request", "request_error");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/sessions?limit=, limit",
    "/v1/sessions?limit=abc, limit",
    "/v1/sessions?limit=1.5, limit",
    "/v1/sessions?limit=2147483648, limit",
    "/v1/sessions?limit=99999999999999999999999, limit",
    "/v1/sessions?limit=1&limit=2, limit"
  })
  void aQueryParameterWithAFaultIsRefused(String path, String param) {
    var response = fixture.get(path);

    expect(response, 400, "invalid_request", "request_error");
    assertThat(GatewayFixture.error(response).get("param").textValue()).isEqualTo(param);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "256", "a\tb"})
  void anIdempotencyKeyMustBePrintableAndShort(String key) {
    var response =
        fixture.send(
            GatewayFixture.json(
                fixture
                    .request("/v1/sessions/s1/tasks")
                    .header("Idempotency-Key", key.equals("256") ? "x".repeat(256) : key),
                "POST",
                GOOD_TASK));

    expect(response, 400, "invalid_request", "request_error");
    assertThat(GatewayFixture.error(response).get("param").textValue())
        .isEqualTo("Idempotency-Key");
  }

  @Test
  void anErrorOfTheCoreIsToldWhole() {
    fixture.core.answer(
        TaskServiceGrpc.getGetTaskMethod(),
        request -> {
          throw FakeCore.failure(
              ErrorDetail.newBuilder()
                  .setCode(ErrorCode.ERROR_CODE_RESOURCE_LOCKED)
                  .setMessage("Locked by a worker.")
                  .setParam("task_id")
                  .setDetails(ByteString.copyFromUtf8("{\"lease\": 9007199254740993}"))
                  .build(),
              Status.ABORTED);
        });

    var response = fixture.send(fixture.request("/v1/tasks/t1").header("X-Request-Id", "mine-7"));

    assertThat(response.statusCode()).isEqualTo(423);
    assertThat(response.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"resource_locked\",\"message\":\"Locked by a worker.\","
                + "\"type\":\"conflict_error\",\"param\":\"task_id\",\"request_id\":\"mine-7\","
                + "\"details\":{\"lease\": 9007199254740993}}}");
    assertThat(response.headers().firstValue("x-request-id")).hasValue("mine-7");
  }

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE, 503, service_unavailable, server_error",
    "DEADLINE_EXCEEDED, 504, deadline_exceeded, server_error",
    "RESOURCE_EXHAUSTED, 429, rate_limited, rate_limit_error",
    "CANCELLED, 499, client_closed_request, request_error",
    "INTERNAL, 500, internal_error, server_error",
    "UNKNOWN, 500, internal_error, server_error",
    "UNIMPLEMENTED, 500, internal_error, server_error"
  })
  void aFailureBelowTheCoreIsToldWithoutItsCause(
      Status.Code status, int http, String code, String type) {
    fixture.core.answer(
        TaskServiceGrpc.getGetTaskMethod(),
        request -> {
          throw Status.fromCode(status).withDescription("secret").asRuntimeException();
        });

    var response = fixture.get("/v1/tasks/t1");

    expect(response, http, code, type);
    assertThat(response.body()).doesNotContain("secret");
    assertThat(response.headers().firstValue("retry-after").isPresent())
        .isEqualTo(http == 429 || http == 503 || http == 504);
  }

  @Test
  void aCallThatTakesTooLongEndsWithTheDeadline() {
    fixture.core.stream(TaskServiceGrpc.getListTasksMethod(), (request, observer) -> {});

    expect(fixture.get("/v1/tasks"), 504, "deadline_exceeded", "server_error");
  }

  @Test
  void anUnsafeRequestIdIsReplaced() {
    var response = fixture.send(fixture.bare("/nothing").header("X-Request-Id", "a b<script>"));

    assertThat(response.headers().firstValue("x-request-id").orElseThrow()).startsWith("req_");
  }

  private static String message(String body) {
    return GatewayFixture.error(fixture.post("/v1/sessions/s1/tasks", body))
        .get("message")
        .textValue();
  }

  private static void expect(HttpResponse<String> response, int status, String code, String type) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    JsonNode error = GatewayFixture.error(response);
    assertThat(error.get("code").textValue()).isEqualTo(code);
    assertThat(error.get("type").textValue()).isEqualTo(type);
    assertThat(error.get("message").textValue()).isNotBlank();
    assertThat(error.get("details").isObject()).isTrue();
    assertThat(response.headers().firstValue("x-request-id"))
        .hasValue(error.get("request_id").textValue());
  }
}
