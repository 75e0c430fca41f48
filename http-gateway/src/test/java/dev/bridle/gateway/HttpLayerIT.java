package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What the HTTP layer below the transcoder answers by itself carries the envelope too. */
final class HttpLayerIT {

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options -> options.withListener(on -> on.withRequestTimeout(Duration.ofMillis(100))));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: abc|400|invalid_request",
        "GET nonsense HTTP/1.1\\r\\nHost: localhost|400|invalid_request",
        "BREW /health HTTP/1.1\\r\\nHost: localhost|405|invalid_request",
        "CONNECT /health HTTP/1.1\\r\\nHost: localhost|405|invalid_request",
        "GET /health HTTP/1.1\\r\\nAccept: */*|400|invalid_request",
        "GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nHost: y|400|invalid_request",
        "GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nHost: localhost|400|invalid_request",
        "GET /health HTTP/1.1\\r\\nHost: localhost y|400|invalid_request",
        "GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nTransfer-Encoding: gzip|400|invalid_request",
        "GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nTransfer-Encoding: gzip,"
            + " chunked|400|invalid_request",
        "GET /health HTTP/1.0\\r\\nTransfer-Encoding: xchunked|400|invalid_request",
      })
  void whatIsNoProperRequestIsRefusedWithTheEnvelope(String head, int status, String code)
      throws IOException {
    String answer = talk(head.replace("\\r\\n", "\r\n") + "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    JsonNode error =
        GatewayFixture.json(answer.substring(answer.indexOf("\r\n\r\n") + 4)).get("error");
    assertThat(error.get("code").textValue()).isEqualTo(code);
    assertThat(answer).contains("x-request-id: " + error.get("request_id").textValue());
  }

  @Test
  void theSecondRequestOfAConnectionIsHeldToTheSameRules() throws IOException {
    String good = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      socket.setSoTimeout(10_000);
      for (byte each : good.getBytes(StandardCharsets.US_ASCII)) {
        socket.getOutputStream().write(each);
      }
      socket
          .getOutputStream()
          .write("GET /health HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertThat(answers)
          .startsWith("HTTP/1.1 404 ")
          .contains("HTTP/1.1 400 ", "The request has no Host header.");
    }
  }

  @Test
  void whatIsNoHttpLeavesNoStackTraceInTheLog() throws IOException {
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    Logger own = (Logger) LoggerFactory.getLogger("dev.bridle");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Level before = own.getLevel();
    own.setLevel(Level.INFO);
    lines.start();
    root.addAppender(lines);
    try {
      String garbage = "\u0000\u0001\u0016\u0003\r\n\r\n";
      for (String sent : List.of(garbage, "GET / HTTP/9.7\r\n\r\n")) {
        drain(sent);
      }
      assertThat(talk("GET nonsense HTTP/1.1\r\nHost: localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ");
    } finally {
      root.detachAppender(lines);
      own.setLevel(before);
    }

    assertThat(List.copyOf(lines.list))
        .allSatisfy(line -> assertThat(line.getThrowableProxy()).as("%s", line).isNull())
        .anySatisfy(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.INFO);
              assertThat(line.getFormattedMessage()).contains("can't be read as HTTP: 400");
            });
  }

  /** Sends a text and reads until the other side ends the connection. */
  private static void drain(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      assertThat(e).as("it may be reset").isNotNull();
    }
  }

  @Test
  void anAbsurdlyLongHeaderIsRefusedWithTheEnvelope() throws IOException {
    String answer =
        talk(
            "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: "
                + "a".repeat(20_000)
                + "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 431 ").contains("\"code\":\"invalid_request\"");
  }

  @Test
  void aBodyThatDoesNotComeEndsWithTheDeadline() throws IOException {
    String answer =
        talk(
            "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nHarn-Agents-Protocol-Version: "
                + GatewayFixture.VERSION
                + "\r\nAuthorization: Bearer k\r\nContent-Length: 10\r\n\r\n{");

    assertThat(answer).startsWith("HTTP/1.1 504 ").contains("\"code\":\"deadline_exceeded\"");
  }

  @Test
  void http2IsServedToo() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

    var response = client.send(fixture.bare("/nothing").build(), BodyHandlers.ofString());

    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(GatewayFixture.error(response).get("code").textValue())
        .isEqualTo("resource_not_found");
  }

  /** Sends a text and returns what comes back until the end of an answer's body. */
  private static String talk(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      StringBuilder answer = new StringBuilder();
      byte[] buffer = new byte[8192];
      while (!answer.toString().endsWith("}}")) {
        int n = in.read(buffer);
        if (n < 0) {
          break;
        }
        answer.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
      }
      return answer.toString();
    }
  }
}
