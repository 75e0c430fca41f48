package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page whose name leads to this machine (DNS rebinding) reaches no server that listens there. */
final class HostCheckIT {
  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options ->
                options.withListener(
                    on ->
                        on.withPublicUrl(URI.create("https://Bridle.example:8443/"))
                            .withAllowedHosts(Set.of("Proxy.example"))));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static String talk(GatewayFixture to, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.gateway.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      byte[] buffer = new byte[8192];
      for (int n = socket.getInputStream().read(buffer);
          n > 0;
          n = socket.getInputStream().read(buffer)) {
        answer.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        if (answer.charAt(answer.length() - 1) == '}') {
          break; // The end of any answer here; the connection is closed later.
        }
      }
      return answer.toString();
    }
  }

  private static String named(String host) throws IOException {
    return talk(fixture, "GET /health HTTP/1.1\r\nHost: " + host + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil-localhost",
        "0.0.0.0",
        "10.0.0.1",
        "8.8.8.8:80",
        "[2001:db8::1]:80",
        "[]",
        ":8080",
        "bridle.example.evil"
      })
  void aRequestForAnotherNameIsMisdirected(String host) throws IOException {
    assertThat(named(host))
        .startsWith("HTTP/1.1 421 ")
        .contains("\"error\"", "--allowed-host")
        .doesNotContain("evil");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:1",
        "localhost.",
        "app.localhost:8080",
        "127.0.0.1:8080",
        "127.8.9.1",
        "[::1]:8080",
        "bridle.example",
        "BRIDLE.example:443",
        "proxy.example:8080"
      })
  void namesOfThisMachineAndThoseOfTheOperatorAreTaken(String host) throws IOException {
    assertThat(named(host)).doesNotStartWith("HTTP/1.1 421 ");
  }

  @Test
  void aRequestOfHttp10NeedsNoName() throws IOException {
    assertThat(talk(fixture, "GET /health HTTP/1.0\r\n")).doesNotContain(" 421 ");
  }

  @Test
  void aWebSocketIsRefusedAsWell() throws IOException {
    assertThat(
            talk(
                fixture,
                "GET /v1/sessions/s1/ws HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\n"))
        .startsWith("HTTP/1.1 421 ");
  }

  @Test
  void aServerThatOthersReachTakesAnyName() throws IOException {
    try (GatewayFixture open =
        new GatewayFixture(options -> options.withListener(on -> on.withAddress("0.0.0.0", 0)))) {
      assertThat(talk(open, "GET /health HTTP/1.1\r\nHost: evil.example\r\n"))
          .doesNotContain(" 421 ");
    }
  }
}
