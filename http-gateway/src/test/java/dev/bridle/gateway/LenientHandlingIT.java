package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is said of members that an operation does not know, refused or ignored. */
final class LenientHandlingIT {
  private static final String SESSION = "/v1/sessions/s1";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new GatewayFixture();
    fixture.core.answer(
        SessionServiceGrpc.getUpdateSessionMethod(), request -> Session.getDefaultInstance());
    fixture.core.answer(
        SessionServiceGrpc.getListSessionsMethod(),
        request -> ListSessionsResponse.getDefaultInstance());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void aMemberOfTheResourceThatIsNotSetIsSaidToBeReadOnly() {
    JsonNode created = error("{\"summary\":\"fish\",\"created_at\":\"2026-04-25T19:00:00Z\"}");
    JsonNode object = error("{\"object\":\"session\"}");
    JsonNode unknown = error("{\"sumary\":\"fish\"}");

    assertThat(created.get("param").textValue()).isEqualTo("created_at");
    assertThat(created.get("message").textValue()).contains("read-only");
    assertThat(object.get("message").textValue()).contains("read-only");
    assertThat(unknown.get("message").textValue())
        .isEqualTo(
            "Unknown member. Leave it out, or send the header \"Prefer: handling=lenient\" to have"
                + " it ignored.");
  }

  @Test
  void aResourceThatWasReadIsTakenAsAnUpdateLeniently() {
    HttpResponse<String> response =
        fixture.send(
            patch("{\"object\":\"session\",\"id\":\"s1\",\"summary\":\"fish\",\"state\":\"IDLE\"}")
                .header("Prefer", "handling=lenient"));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(ignored(response)).isEqualTo("object, id, state");
    var request = fixture.core.request(SessionServiceGrpc.getUpdateSessionMethod());
    assertThat(request.getSummary()).isEqualTo("fish");
    assertThat(request.getUpdateMask().getPathsList()).containsExactly("summary");
  }

  @Test
  void aMemberThatTheGatewaySetsIsUnknown() {
    assertThat(error("{\"update_mask\":\"summary\"}").get("param").textValue())
        .isEqualTo("update_mask");
    var response = fixture.get("/v1/agent-card?public_url=http://evil.example");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(GatewayFixture.error(response).get("param").textValue()).isEqualTo("public_url");
  }

  @Test
  void thirtyTwoMembersAreNamedAndAllAreCounted() {
    String body =
        IntStream.range(0, 40)
            .mapToObj(i -> "\"m" + i + "\":1")
            .collect(Collectors.joining(",", "{", "}"));

    JsonNode error = error(body);
    HttpResponse<String> taken = fixture.send(patch(body).header("Prefer", "handling=lenient"));

    assertThat(error.get("param").textValue()).isEqualTo("m0");
    assertThat(error.at("/details/unknown")).hasSize(32);
    assertThat(error.at("/details/unknown/31").textValue()).isEqualTo("m31");
    assertThat(error.get("message").textValue()).contains("40");
    assertThat(ignored(taken)).startsWith("m0, m1, ").endsWith(", m31");
  }

  @Test
  void aNameIsSafeInErrorsAndHeaders() {
    String body = "{\"a,b \\\"%\\n\":1,\"ключ\":1,\"" + "x".repeat(10_000) + "\":1}";

    JsonNode error = error(body);
    HttpResponse<String> taken = fixture.send(patch(body).header("Prefer", "handling=lenient"));

    assertThat(error.get("param").textValue()).isEqualTo("a,b \"%\n");
    assertThat(error.at("/details/unknown/1").textValue()).isEqualTo("ключ");
    assertThat(error.at("/details/unknown/2").textValue()).hasSize(129).endsWith("x…");
    assertThat(ignored(taken))
        .startsWith("a%2Cb%20%22%25%0A, %D0%BA%D0%BB%D1%8E%D1%87, xxx")
        .endsWith("x%E2%80%A6");
  }

  @Test
  void namesThatTogetherAreTooLongForAHeaderAreCutBetweenNames() {
    String name = "ы".repeat(120);
    String body =
        IntStream.range(0, 32)
            .mapToObj(i -> "\"" + i + name + "\":1")
            .collect(Collectors.joining(",", "{", "}"));

    HttpResponse<String> taken = fixture.send(patch(body).header("Prefer", "handling=lenient"));

    assertThat(taken.statusCode()).isEqualTo(200);
    assertThat(ignored(taken)).hasSizeBetween(3000, 4096).endsWith("%D1%8B");
  }

  @Test
  void anInvalidValueIsRefusedLenientlyToo() {
    HttpResponse<String> response =
        fixture.send(patch("{\"summary\":7,\"x\":1}").header("Prefer", "handling=lenient"));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(GatewayFixture.error(response).get("param").textValue()).isEqualTo("summary");
  }

  @Test
  void metadataIsOpen() {
    String metadata = "{ \"anything\": {\"x\": [1, {}]} }";

    HttpResponse<String> response = fixture.send(patch("{\"metadata\":" + metadata + "}"));

    assertThat(response.statusCode()).isEqualTo(200);
    var request = fixture.core.request(SessionServiceGrpc.getUpdateSessionMethod());
    assertThat(request.getMetadata().toStringUtf8()).isEqualTo(metadata);
  }

  @Test
  void aMisspeltFilterIsRefusedWithTheKnownOnesOrIgnored() {
    HttpResponse<String> refusal = fixture.get("/v1/sessions?workspace=w1");
    HttpResponse<String> taken =
        fixture.send(
            fixture.request("/v1/sessions?workspace=w1").header("Prefer", "handling=lenient"));

    assertThat(refusal.statusCode()).isEqualTo(400);
    JsonNode error = GatewayFixture.error(refusal);
    assertThat(error.get("param").textValue()).isEqualTo("workspace");
    assertThat(error.get("message").textValue()).contains("workspace_id, limit, cursor");
    assertThat(taken.statusCode()).isEqualTo(200);
    assertThat(ignored(taken)).isEqualTo("workspace");
  }

  @Test
  void theHonoredPreferenceIsSaidWhereNothingIsIgnored() {
    HttpResponse<String> lenient =
        fixture.send(fixture.request("/v1/sessions?&").header("Prefer", "handling=lenient"));
    HttpResponse<String> strict =
        fixture.send(fixture.request("/v1/sessions").header("Prefer", "handling=strict"));

    assertThat(lenient.headers().firstValue("preference-applied")).hasValue("handling=lenient");
    assertThat(lenient.headers().firstValue("bridle-ignored")).isEmpty();
    assertThat(strict.headers().firstValue("preference-applied")).isEmpty();
  }

  private static HttpRequest.Builder patch(String body) {
    return GatewayFixture.json(fixture.request(SESSION), "PATCH", body);
  }

  private static JsonNode error(String body) {
    HttpResponse<String> response = fixture.send(patch(body));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    return GatewayFixture.error(response);
  }

  private static String ignored(HttpResponse<String> response) {
    return response.headers().firstValue("bridle-ignored").orElse("");
  }
}
