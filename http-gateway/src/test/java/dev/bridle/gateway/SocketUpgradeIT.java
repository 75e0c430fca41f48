package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.client.websocket.WebSocketClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upgrades: who is let in, and what those are told who are not. */
final class SocketUpgradeIT {

  private static final String PATH = "/v1/events/stream";
  private static final String GOOD =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
  private static final String KNOWN =
      "Authorization: Bearer key-1\r\nHarn-Agents-Protocol-Version: "
          + GatewayFixture.VERSION
          + "\r\n";

  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options ->
                options.withListener(
                    on ->
                        on.withAllowedOrigins(Set.of("https://console.example"))
                            .withAllowedHosts(Set.of("server"))
                            .withPublicUrl(URI.create("https://bridle.example"))));
    fixture.core.stream(
        EventServiceGrpc.getStreamEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build()));
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onError(
                FakeCore.failure(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "No such task.")));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void anUpgradeIsGrantedAndNamesNoTokenInItsAnswer() throws IOException {
    String answer =
        upgrade(
            PATH,
            GOOD + "Sec-WebSocket-Protocol: bearer.top-secret, " + GatewayFixture.VERSION + "\r\n");

    assertThat(answer)
        .startsWith("HTTP/1.1 101")
        .containsIgnoringCase("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        .containsIgnoringCase("sec-websocket-protocol: " + GatewayFixture.VERSION)
        .doesNotContain("top-secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/nothing | '' | 404 | resource_not_found",
        "/v1/sessions | version key | 400 | invalid_request",
        "/v1/events/stream | '' | 426 | unsupported_protocol_version",
        "/v1/events/stream | version | 401 | unauthenticated",
        "/v1/events/stream | version key key | 401 | unauthenticated",
        "/v1/tasks/t1/stream | version key | 404 | resource_not_found",
      })
  void aRefusalIsAnOrdinaryAnswer(String path, String with, int status, String code)
      throws IOException {
    String headers =
        with.replace("version", "Harn-Agents-Protocol-Version: " + GatewayFixture.VERSION + "\r\n")
            .replace("key", "Authorization: Bearer key-1\r\n")
            .replace(" ", "")
            .replace("Protocol-Version:", "Protocol-Version: ")
            .replace("Authorization:Bearer", "Authorization: Bearer ");

    String answer = upgrade(path, GOOD + headers);

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    assertThat(error(answer).get("code").textValue()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 8 | Sec-WebSocket-Version",
        "Sec-WebSocket-Version: 13 | X: y | Sec-WebSocket-Version",
        "dGhlIHNhbXBsZSBub25jZQ== | dGhl | Sec-WebSocket-Key",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | X: y | Sec-WebSocket-Key",
      })
  void aHandshakeWithAFaultIsRefused(String part, String instead, String param) throws IOException {
    String answer = upgrade(PATH, GOOD.replace(part, instead) + KNOWN);

    assertThat(answer).startsWith("HTTP/1.1 400");
    assertThat(answer.toLowerCase(Locale.ROOT).contains("sec-websocket-version: 13"))
        .isEqualTo(param.endsWith("Version"));
    assertThat(error(answer).get("param").textValue()).isEqualTo(param);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost, 403",
    "https://evil.example, 403",
    "https://console.example.evil.example, 403",
    "http://bridle.example, 403",
    "null, 403",
    "%, 403",
    "https://console.example, 101",
    "HTTPS://Console.Example, 101",
    "https://bridle.example, 101",
    "http://server:80, 101",
    "https://server, 101",
    "https://server:8443, 403",
  })
  void aPageMayAskWhereItsOriginIsTheGatewaysOwnOrAllowed(String origin, int status)
      throws IOException {
    String answer = upgrade(PATH, GOOD + KNOWN + "Origin: " + origin + "\r\n");

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    if (status == 403) {
      assertThat(error(answer).get("code").textValue()).isEqualTo("permission_denied");
      assertThat(error(answer).get("param").textValue()).isEqualTo("Origin");
    }
  }

  @Test
  void aBadTokenIsRefusedBeforeTheHandshakesFaults() throws IOException {
    String answer =
        upgrade(
            PATH,
            GOOD.replace("13", "8")
                + KNOWN.replace("key-1", "bad")
                + "Origin: https://evil.example\r\n");

    assertThat(answer).startsWith("HTTP/1.1 401");
  }

  @Test
  void aWebSocketOverHttp2IsServedToo() {
    WebSocketClient client =
        WebSocketClient.builder("ws+h2c://127.0.0.1:" + fixture.gateway.port())
            .setHeader("Harn-Agents-Protocol-Version", GatewayFixture.VERSION)
            .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer key-1")
            .build();
    var session = client.connect(PATH).join();
    var outbound = session.outbound();
    outbound.write("{\"type\":\"ping\",\"id\":\"p\"}");
    outbound.close();

    List<WebSocketFrame> frames =
        session.inbound().collect(SubscriptionOption.NOTIFY_CANCELLATION).join();

    assertThat(frames.stream().filter(f -> f.type() == WebSocketFrameType.TEXT))
        .extracting(WebSocketFrame::text)
        .containsExactly("{\"type\":\"live\"}", "{\"type\":\"pong\",\"id\":\"p\"}");
    assertThat(frames.get(frames.size() - 1).type()).isEqualTo(WebSocketFrameType.CLOSE);
  }

  /** Sends an upgrade and gives head and body of the answer. */
  private static String upgrade(String path, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port())) {
      socket.setSoTimeout(10_000);
      String request = "GET " + path + " HTTP/1.1\r\nHost: server\r\n" + headers + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      StringBuilder answer = new StringBuilder();
      while (answer.indexOf("\r\n\r\n") < 0) {
        answer.append((char) in.read());
      }
      Matcher length = LENGTH.matcher(answer);
      if (length.find()) {
        answer.append(
            new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8));
      }
      return answer.toString();
    }
  }

  private static JsonNode error(String answer) {
    return GatewayFixture.json(answer.substring(answer.indexOf("\r\n\r\n") + 4)).get("error");
  }
}
