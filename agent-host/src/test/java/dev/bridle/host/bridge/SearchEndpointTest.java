package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The search of an operator's, at a server that answers in all manners. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SearchEndpointTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ToolSearch.Query QUERY =
      new ToolSearch.Query("host", "ship \"it\"", List.of("deploy", "rollback", "metrics"));

  /** No test waits for so long: what times out has a time of its own. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private SearchEndpoint endpoint(Duration timeout, HttpHandler answer) {
    server.createContext("/find", answer);
    return new SearchEndpoint(address(), timeout);
  }

  private URI address() {
    InetSocketAddress bound = server.getAddress();
    return URI.create(
        "http://" + bound.getAddress().getHostAddress() + ":" + bound.getPort() + "/find");
  }

  private SearchEndpoint answering(int status, String body) {
    return endpoint(LONG, exchange -> answer(exchange, status, body));
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Sends no more until the test is over. */
  private void fallSilent() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String named(List<String> names) {
    return MAPPER.createObjectNode().set("tool_names", MAPPER.valueToTree(names)).toString();
  }

  @Test
  void theQueryIsPostedAsItCame() throws Exception {
    CompletableFuture<String> sent = new CompletableFuture<>();
    SearchEndpoint endpoint =
        endpoint(
            LONG,
            exchange -> {
              byte[] body = exchange.getRequestBody().readAllBytes();
              sent.complete(
                  exchange.getRequestMethod()
                      + " "
                      + exchange.getRequestHeaders().getFirst("Content-Type")
                      + " "
                      + new String(body, StandardCharsets.UTF_8));
              answer(exchange, 200, named(List.of()));
            });

    assertThat(endpoint.search(QUERY).toolNames()).isEmpty();
    assertThat(sent)
        .isCompletedWithValue(
            "POST application/json {\"strategy\":\"host\",\"query\":\"ship \\\"it\\\"\","
                + "\"candidates\":[\"deploy\",\"rollback\",\"metrics\"]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"tool_names\":[\"rollback\",\"deploy\"],\"diagnostic\":\"by vectors\"}",
        "{\"result\":{\"tool_names\":[\"rollback\",\"deploy\"],\"diagnostic\":\"by vectors\"}}"
      })
  void namesKeepTheOrderOfTheAnswerWithAndWithoutResultAroundIt(String body) throws Exception {
    ToolSearch.Found found = answering(200, body).search(QUERY);

    assertThat(found.toolNames()).containsExactly("rollback", "deploy");
    assertThat(found.diagnostic()).isEqualTo("by vectors");
  }

  @Test
  void namesThatAreNoCandidatesAndRepetitionsAreLeftOut() throws Exception {
    String body = "{\"tool_names\":[\"metrics\",\"unknown\",null,{},\"metrics\",\"deploy\"]}";
    ToolSearch.Found found = answering(200, body).search(QUERY);

    assertThat(found.toolNames()).containsExactly("metrics", "deploy");
    assertThat(found.diagnostic()).isEmpty();
  }

  @Test
  void ofManyNamesTheFirstAreTaken() throws Exception {
    List<String> many = IntStream.range(0, 50).mapToObj(i -> "tool" + i).toList();
    ToolSearch.Found found =
        answering(200, named(many)).search(new ToolSearch.Query("host", "any", many));

    assertThat(found.toolNames()).isEqualTo(many.subList(0, ToolSearch.MOST));
  }

  @ParameterizedTest
  @CsvSource({"x, 1000", "\uD83D\uDE80, 999"})
  void aLongDiagnosticIsCutBetweenCharacters(String end, int length) throws Exception {
    String body =
        MAPPER
            .createObjectNode()
            .put("diagnostic", "a".repeat(999) + end + "more")
            .set("tool_names", MAPPER.createArrayNode())
            .toString();

    assertThat(answering(200, body).search(QUERY).diagnostic())
        .startsWith("aaa")
        .hasSize(length)
        .doesNotContain("\uD83D");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 400, 404, 500, 503})
  void anotherStatusIsAFailureWithItsNumber(int status) {
    SearchEndpoint endpoint = answering(status, status == 204 ? "" : named(List.of("deploy")));

    assertThatThrownBy(() -> endpoint.search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint answered with status " + status);
  }

  @Test
  void aRedirectIsNotFollowed() {
    AtomicInteger followed = new AtomicInteger();
    server.createContext(
        "/elsewhere",
        exchange -> {
          followed.incrementAndGet();
          answer(exchange, 200, named(List.of("deploy")));
        });
    SearchEndpoint endpoint =
        endpoint(
            LONG,
            exchange -> {
              exchange.getResponseHeaders().set("Location", "/elsewhere");
              answer(exchange, 307, "");
            });

    assertThatThrownBy(() -> endpoint.search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint answered with status 307");
    assertThat(followed).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "{\"tool_names\":", "deploy"})
  void whatIsNoJsonIsAFailure(String body) {
    assertThatThrownBy(() -> answering(200, body).search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint did not answer with JSON");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "7", "{}", "{\"tool_names\":\"deploy\"}", "{\"result\":[\"deploy\"]}"})
  void anAnswerWithoutNamesIsAFailure(String body) {
    assertThatThrownBy(() -> answering(200, body).search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint's answer has no array 'tool_names'");
  }

  @Test
  void anAnswerWithoutEndIsNotReadToItsEnd() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    SearchEndpoint endpoint =
        endpoint(
            LONG,
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              byte[] spaces = " ".repeat(8192).getBytes(StandardCharsets.US_ASCII);
              try (OutputStream body = exchange.getResponseBody()) {
                while (over.getCount() > 0) {
                  body.write(spaces);
                }
              } catch (IOException e) {
                hungUp.countDown();
              }
            });

    assertThatThrownBy(() -> endpoint.search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint answered with status 200 and more than 262144 bytes");
    assertThat(hungUp.await(60, TimeUnit.SECONDS)).as("the server's end").isTrue();
  }

  @Test
  void anAnswerOfTheMostBytesIsRead() throws Exception {
    String answer = named(List.of("deploy"));
    String body = answer + " ".repeat((256 << 10) - answer.length());

    assertThat(answering(200, body).search(QUERY).toolNames()).containsExactly("deploy");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEndpointThatFallsSilentIsWaitedForNoLongerThanTheTime(boolean begun) {
    SearchEndpoint endpoint =
        endpoint(
            Duration.ofMillis(300),
            exchange -> {
              if (begun) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
              }
              fallSilent();
            });

    assertThatThrownBy(() -> endpoint.search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint did not answer in time");
  }

  @Test
  void anAnswerThatBreaksOffIsAFailure() {
    SearchEndpoint endpoint =
        endpoint(
            LONG,
            exchange -> {
              exchange.sendResponseHeaders(200, 1000);
              exchange.getResponseBody().write('{');
              exchange.close();
            });

    assertThatThrownBy(() -> endpoint.search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint can't be reached");
  }

  @Test
  void whereNobodyListensTheSearchFails() {
    URI address = address();
    server.stop(0);

    assertThatThrownBy(() -> new SearchEndpoint(address).search(QUERY))
        .isInstanceOf(ToolFailure.class)
        .hasMessage("The search endpoint can't be reached");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSearchEndsWhenItsThreadIsInterrupted(boolean begun) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    SearchEndpoint endpoint =
        endpoint(
            LONG,
            exchange -> {
              if (begun) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().flush();
              }
              asked.countDown();
              fallSilent();
            });
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                endpoint.search(QUERY);
                end.complete(new AssertionError("something was found"));
              } catch (ToolFailure | InterruptedException e) {
                end.complete(e);
              }
            });
    thread.start();
    assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
    thread.interrupt();

    assertThat(end.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }
}
