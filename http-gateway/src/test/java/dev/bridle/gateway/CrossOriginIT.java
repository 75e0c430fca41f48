package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamError;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of allowed origins call REST and read streams. */
final class CrossOriginIT {

  private static final String CONSOLE = "https://console.example";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    // Browsers send origins in lower case, whatever an operator writes.
    fixture =
        new GatewayFixture(
            o -> o.withListener(on -> on.withAllowedOrigins(Set.of("https://Console.example"))));
    fixture.core.answer(
        SessionServiceGrpc.getGetSessionMethod(),
        request -> Session.newBuilder().setId(request.getSessionId()).build());
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder().setError(StreamError.getDefaultInstance()).build()));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void aPreflightAllowsTheMethodsAndHeadersOfTheProtocol() {
    var response =
        fixture.send(
            fixture
                .bare("/v1/sessions/s1")
                .header("Origin", CONSOLE)
                .header("Access-Control-Request-Method", "PATCH")
                .header(
                    "Access-Control-Request-Headers",
                    "authorization,content-type,harn-agents-protocol-version,idempotency-key,prefer")
                .method("OPTIONS", BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "access-control-allow-origin")).isEqualTo(CONSOLE);
    assertThat(header(response, "access-control-allow-methods")).contains("PATCH", "DELETE");
    assertThat(header(response, "access-control-allow-headers"))
        .contains(
            "authorization",
            "content-type",
            "harn-agents-protocol-version",
            "idempotency-key",
            "last-event-id",
            "prefer",
            "traceparent");
    assertThat(header(response, "access-control-max-age")).isEqualTo("3600");
  }

  @Test
  void answersRefusalsAndStreamsMayBeReadByTheOrigin() {
    for (String path : new String[] {"/v1/sessions/s1", "/v1/nothing", "/v1/tasks/t1/stream"}) {
      var response = fixture.send(fixture.request(path).header("Origin", CONSOLE));

      assertThat(header(response, "access-control-allow-origin")).as(path).isEqualTo(CONSOLE);
      assertThat(header(response, "access-control-expose-headers"))
          .contains("x-request-id", "preference-applied", "bridle-ignored");
      assertThat(header(response, "access-control-allow-credentials")).isEmpty();
    }
  }

  @Test
  void otherOriginsAreNotAllowed() {
    var preflight =
        fixture.send(
            fixture
                .bare("/v1/sessions/s1")
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "GET")
                .method("OPTIONS", BodyPublishers.noBody()));
    var answer =
        fixture.send(fixture.request("/v1/sessions/s1").header("Origin", "https://evil.example"));

    assertThat(header(preflight, "access-control-allow-origin")).isEmpty();
    assertThat(header(answer, "access-control-allow-origin")).isEmpty();
    assertThat(answer.statusCode()).as("the browser keeps it from the page").isEqualTo(200);
  }

  @Test
  void anyOriginMayBeAllowed() {
    try (GatewayFixture open =
        new GatewayFixture(o -> o.withListener(on -> on.withAllowedOrigins(Set.of("*"))))) {
      var response = open.send(open.bare("/v1/nothing").header("Origin", CONSOLE));

      assertThat(header(response, "access-control-allow-origin")).isEqualTo("*");
    }
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
