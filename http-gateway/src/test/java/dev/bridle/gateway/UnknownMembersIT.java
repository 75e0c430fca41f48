package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.Delivery;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operation refuses members and query parameters that it does not know, by name. */
final class UnknownMembersIT {
  private static final String EXTRA = "no_such_member";
  private static final RouteTable ROUTES = RouteTable.of(ServiceCatalog.load().services());
  private static final Set<Delivery> WITHOUT_QUERY =
      Set.of(
          Delivery.DELIVERY_EVENT_STREAM,
          Delivery.DELIVERY_PAGE,
          Delivery.DELIVERY_UPLOAD,
          Delivery.DELIVERY_INGRESS,
          Delivery.DELIVERY_TOKEN);
  private static final Set<Delivery> ANSWERED_WITHOUT_JSON =
      Set.of(
          Delivery.DELIVERY_EVENT_STREAM,
          Delivery.DELIVERY_BYTES,
          Delivery.DELIVERY_DOCUMENT,
          Delivery.DELIVERY_PAGE);

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new GatewayFixture();
    ROUTES.routes().stream()
        .filter(route -> route.rule().getDelivery() == Delivery.DELIVERY_UNSPECIFIED)
        .forEach(
            route -> fixture.core.answer(route.target().method(), request -> route.response()));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void theSamplesHaveObjectsOfEachKindAndDepth() {
    assertThat(withBodies()).hasSizeGreaterThan(60);
    Set<String> objects =
        withBodies()
            .flatMap(route -> RequestSample.of(route).stream())
            .flatMap(sample -> sample.objects().stream())
            .collect(Collectors.toSet());
    assertThat(objects)
        .contains("", "polling.cursor", "input.parts[0]", "initial_messages[0].parts[0]");
    assertThat(RequestSample.of(route("/v1/tasks")).stream().map(RequestSample::json))
        .as("a sample for each kind of part, and one for structured input")
        .hasSize(8)
        .anyMatch(json -> json.contains("\"type\":\"file_ref\""))
        .anyMatch(json -> json.contains("\"input\":{\"anything\":1}"));
  }

  @TestFactory
  Stream<DynamicTest> anUnknownMemberIsRefusedByNameInEachObjectOfEachBody() {
    return withBodies()
        .map(
            route ->
                DynamicTest.dynamicTest(
                    name(route), () -> RequestSample.of(route).forEach(s -> refused(route, s))));
  }

  private static void refused(Route route, RequestSample sample) {
    var method = route.target().method();
    HttpResponse<String> good = fixture.send(request(route, sample.json()));
    assertThat(good.statusCode()).as(good.body()).isEqualTo(route.status());
    assertThat(good.headers().map()).doesNotContainKeys("preference-applied", "bridle-ignored");
    Object known = fixture.core.request(method);
    for (String object : sample.objects()) {
      String path = object.isEmpty() ? EXTRA : object + "." + EXTRA;
      String body = sample.with(object, EXTRA);

      HttpResponse<String> refusal = fixture.send(request(route, body));

      assertThat(refusal.statusCode()).as("%s: %s", body, refusal.body()).isEqualTo(400);
      JsonNode error = GatewayFixture.error(refusal);
      assertThat(error.get("code").textValue()).isEqualTo("invalid_request");
      assertThat(error.get("param").textValue()).isEqualTo(path);
      assertThat(error.at("/details/unknown")).hasToString("[\"" + path + "\"]");
      assertThat((Object) fixture.core.request(method)).as("calls of the core").isSameAs(known);

      HttpResponse<String> taken =
          fixture.send(request(route, body).header("Prefer", "handling=lenient"));

      assertThat(taken.statusCode()).as("%s: %s", body, taken.body()).isEqualTo(route.status());
      assertThat(taken.headers().allValues("preference-applied"))
          .containsExactly("handling=lenient");
      assertThat(taken.headers().allValues("bridle-ignored")).containsExactly(path);
      Object asked = fixture.core.request(method);
      assertThat(asked).isEqualTo(known).isNotSameAs(known);
      known = asked;
    }
  }

  @TestFactory
  Stream<DynamicTest> anUnknownQueryParameterIsRefusedByName() {
    return ROUTES.routes().stream()
        .filter(route -> !WITHOUT_QUERY.contains(route.rule().getDelivery()))
        .map(
            route ->
                DynamicTest.dynamicTest(
                    name(route),
                    () -> {
                      String query = "?" + EXTRA + "=1";
                      String body = route.hasBody() ? RequestSample.of(route).get(0).json() : "";

                      HttpResponse<String> refusal = fixture.send(request(route, query, body));

                      assertThat(refusal.statusCode()).as(refusal.body()).isEqualTo(400);
                      JsonNode error = GatewayFixture.error(refusal);
                      assertThat(error.get("param").textValue()).isEqualTo(EXTRA);
                      assertThat(error.get("message").textValue()).contains("query parameter");
                    }));
  }

  @TestFactory
  Stream<DynamicTest> aBodyWhereNoneIsTakenIsRefusedByItsMembers() {
    return ROUTES.routes().stream()
        .filter(route -> !route.hasBody())
        .filter(route -> route.rule().getDelivery() == Delivery.DELIVERY_UNSPECIFIED)
        .map(
            route ->
                DynamicTest.dynamicTest(
                    name(route),
                    () -> {
                      HttpResponse<String> refusal = fixture.send(request(route, "{\"limit\":1}"));

                      assertThat(refusal.statusCode()).as(refusal.body()).isEqualTo(400);
                      JsonNode error = GatewayFixture.error(refusal);
                      assertThat(error.get("param").textValue()).isEqualTo("limit");
                      assertThat(error.get("message").textValue()).contains("takes no body");
                      HttpResponse<String> taken =
                          fixture.send(
                              request(route, "{\"limit\":1}").header("Prefer", "handling=lenient"));
                      assertThat(taken.statusCode()).as(taken.body()).isEqualTo(route.status());
                      assertThat(taken.headers().allValues("bridle-ignored"))
                          .containsExactly("limit");
                      assertThat(fixture.send(request(route, "{}")).statusCode())
                          .isEqualTo(route.status());
                      assertThat(fixture.send(request(route, "[1]")).statusCode()).isEqualTo(400);
                    }));
  }

  @TestFactory
  Stream<DynamicTest> aBodyOfADownloadStreamOrPageIsRefused() {
    return ROUTES.routes().stream()
        .filter(route -> ANSWERED_WITHOUT_JSON.contains(route.rule().getDelivery()))
        .map(
            route ->
                DynamicTest.dynamicTest(
                    name(route),
                    () -> {
                      for (String body : List.of("{\"limit\":1}", "[]", "x".repeat(100_000))) {
                        HttpResponse<String> refusal = fixture.send(request(route, body));

                        assertThat(refusal.statusCode()).as(refusal.body()).isEqualTo(400);
                        assertThat(GatewayFixture.error(refusal).get("message").textValue())
                            .contains("takes no body");
                      }
                      assertThat(fixture.send(request(route, "{}")).statusCode())
                          .as("of an empty object")
                          .isNotEqualTo(400);
                      assertThat(
                              fixture
                                  .send(
                                      request(route, "{\"limit\":1}")
                                          .header("Prefer", "handling=lenient"))
                                  .statusCode())
                          .as("with lenient handling")
                          .isNotEqualTo(400);
                    }));
  }

  @Test
  void aQueryParameterWithoutANameIsRefusedUnlessItIsEmpty() {
    Route list =
        ROUTES.routes().stream()
            .filter(route -> route.path().text().equals("/v1/sessions") && !route.hasBody())
            .findFirst()
            .orElseThrow();

    assertThat(fixture.send(request(list, "?=1", "")).statusCode()).isEqualTo(400);
    assertThat(fixture.send(request(list, "?", "")).statusCode()).isEqualTo(200);
  }

  @Test
  void aBodyInPiecesOfUnknownLengthIsLookedAtToo() {
    Route list =
        ROUTES.routes().stream()
            .filter(route -> route.path().text().equals("/v1/sessions") && !route.hasBody())
            .findFirst()
            .orElseThrow();

    assertThat(fixture.send(inPieces(list, "{\"limit\":1}")).statusCode()).isEqualTo(400);
    assertThat(fixture.send(inPieces(list, "")).statusCode()).isEqualTo(200);
  }

  private static HttpRequest.Builder inPieces(Route route, String body) {
    return request(route, "", "{}")
        .version(HttpClient.Version.HTTP_1_1)
        .method("GET", BodyPublishers.fromPublisher(BodyPublishers.ofString(body)));
  }

  private static Stream<Route> withBodies() {
    return ROUTES.routes().stream()
        .filter(Route::hasBody)
        .filter(route -> route.rule().getDelivery() == Delivery.DELIVERY_UNSPECIFIED);
  }

  private static Route route(String path) {
    return withBodies().filter(route -> route.path().text().equals(path)).findFirst().orElseThrow();
  }

  private static String name(Route route) {
    return route.httpMethod() + " " + route.path().text();
  }

  private static HttpRequest.Builder request(Route route, String body) {
    return request(route, "", body);
  }

  private static HttpRequest.Builder request(Route route, String query, String body) {
    String path = route.path().text().replaceAll("\\{\\w+}", "x1") + query;
    return GatewayFixture.json(fixture.request(path), route.httpMethod().name(), body);
  }
}
