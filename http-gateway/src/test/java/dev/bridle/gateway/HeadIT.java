package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HEAD, and what a query may hold. */
final class HeadIT {

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new GatewayFixture();
    fixture.core.answer(
        SessionServiceGrpc.getGetSessionMethod(),
        request -> Session.newBuilder().setId(request.getSessionId()).build());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void headAnswersWithTheHeadersOfGetAndNoBody() {
    HttpResponse<String> get = fixture.get("/v1/sessions/s1");
    HttpResponse<String> head = head("/v1/sessions/s1");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(head.headers().firstValue("content-length"))
        .hasValue(String.valueOf(get.body().length()));
  }

  @Test
  void headIsRefusedAsGetIs() {
    assertThat(head("/v1/nothing").statusCode()).isEqualTo(404);
    var unknown =
        fixture.send(fixture.bare("/v1/sessions/s1").method("HEAD", BodyPublishers.noBody()));
    assertThat(unknown.statusCode()).isEqualTo(426);
    assertThat(unknown.body()).isEmpty();
  }

  @Test
  void headOfAStreamEndsAfterItsHeaders() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder().setEvent(Event.newBuilder().setId("e1")).build()));

    HttpResponse<String> head = head("/v1/tasks/t1/stream");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/event-stream");
    assertThat(head.body()).isEmpty();
  }

  @Test
  void twoDotsInAQueryAreAValueAndNoWayOut() {
    fixture.core.answer(
        SessionServiceGrpc.getListSessionsMethod(),
        request -> ListSessionsResponse.getDefaultInstance());

    for (String value : new String[] {"..", "../../etc", "a/../b", "..%2F.."}) {
      var response = fixture.get("/v1/sessions?cursor=" + value);

      assertThat(response.statusCode()).as(value).isEqualTo(200);
      assertThat(fixture.core.request(SessionServiceGrpc.getListSessionsMethod()).getCursor())
          .isEqualTo(value.replace("%2F", "/"));
    }
  }

  private static HttpResponse<String> head(String path) {
    return fixture.send(fixture.request(path).method("HEAD", BodyPublishers.noBody()));
  }
}
