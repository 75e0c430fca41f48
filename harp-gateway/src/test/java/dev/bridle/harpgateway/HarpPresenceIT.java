package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.fixtures.client.Json;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RequestRefreshRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Presence and refreshes over HTTP, before a core that is made up. */
final class HarpPresenceIT {
  private static final Presence CI =
      Presence.newBuilder()
          .setEnforcerDeviceId("ci")
          .setOnline(true)
          .setLastSeenAt(Timestamp.newBuilder().setSeconds(1_700_000_000))
          .setTransport("websocket")
          .setWorkspaceName("shop")
          .setEnforcerLabel("CI")
          .putCapabilities("push", true)
          .build();
  private static final String CI_RECORD =
      "{\"enforcerDeviceId\":\"ci\",\"status\":\"online\",\"lastSeenAt\":\"2023-11-14T22:13:20Z\","
          + "\"transport\":\"websocket\",\"workspaceName\":\"shop\",\"enforcerLabel\":\"CI\","
          + "\"capabilities\":{\"push\":true}}";

  private static HarpFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new HarpFixture();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void forget() {
    fixture.channels().forget();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return fixture.send(fixture.request(path), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path) throws Exception {
    return fixture.send(
        fixture.request(path).POST(BodyPublishers.noBody()), BodyHandlers.ofString());
  }

  @Test
  void theEnforcersOfTheOwnTenantAreListed() throws Exception {
    fixture
        .channels()
        .present(
            CI,
            Presence.newBuilder()
                .setEnforcerDeviceId("old")
                .setLastSeenAt(Timestamp.newBuilder().setSeconds(1_600_000_000))
                .setTransport("sse")
                .build());

    HttpResponse<String> response = get("/v1/presence/enforcers?tenantId=default");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "["
                + CI_RECORD
                + ",{\"enforcerDeviceId\":\"old\",\"status\":\"offline\","
                + "\"lastSeenAt\":\"2020-09-13T12:26:40Z\",\"transport\":\"sse\"}]");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/presence/enforcers, 400",
    "/v1/presence/enforcers?tenantId=, 400",
    "/v1/presence/enforcers?tenantId=other, 404",
    "/v1/presence/enforcers/ci?tenantId=default, 400"
  })
  void aTenantIsNamedAndTheOwn(String path, int status) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(status);
    assertThat(fixture.channels().allAsked()).isEmpty();
  }

  @Test
  void oneEnforcerIsShown() throws Exception {
    fixture.channels().present(CI);

    assertThat(get("/v1/presence/enforcers/ci").body()).isEqualTo(CI_RECORD);
    assertThat(fixture.channels().allAsked())
        .containsExactly(GetPresenceRequest.newBuilder().setEnforcerDeviceId("ci").build());
  }

  @Test
  void aRefreshIsForwarded() throws Exception {
    HttpResponse<String> response = post("/v1/requests/r1/refresh?enforcerDeviceId=ci");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"status\":\"forwarded\"}");
    assertThat(fixture.channels().allAsked())
        .containsExactly(
            RequestRefreshRequest.newBuilder()
                .setRequestId("r1")
                .setEnforcerDeviceId("ci")
                .build());
  }

  @Test
  void aRefreshNamesTheEnforcer() throws Exception {
    assertThat(post("/v1/requests/r1/refresh").statusCode()).isEqualTo(400);
    assertThat(fixture.channels().allAsked()).isEmpty();
  }

  @Test
  void aRefreshOfAnEnforcerThatIsOfflineMayWorkLater() throws Exception {
    fixture
        .channels()
        .refuse(
            ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE)
                .setMessage("The enforcer has no channel open.")
                .build());

    HttpResponse<String> response = post("/v1/requests/r1/refresh?enforcerDeviceId=ci");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(Json.parse(response.body()).at("/body/details/retryable").asBoolean()).isTrue();
  }
}
