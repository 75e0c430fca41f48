package dev.bridle.cli.up;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.Spans;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.tls.Trust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** HARP at an address, under a name and with a certificate of its own. */
final class HarpListenIT {
  @TempDir private Path directory;

  private LocalServer start(String... arguments) throws IOException {
    ListenOptions listen = new ListenOptions();
    var unused =
        new CommandLine(listen)
            .registerConverter(Duration.class, Spans::parse)
            .parseArgs(arguments);
    return LocalServer.start(
        LocalServerOptions.of(directory.resolve("data"))
            .withoutDemoAgent()
            .withHarp(listen.harp(notice -> {})));
  }

  @Test
  void devicesReachItOverTlsWhileRestIsForThisMachineInTheClear() throws Exception {
    var unused =
        Commands.run(
            0,
            "tls",
            "create",
            "--dir",
            directory.resolve("tls").toString(),
            "--name",
            "localhost");

    try (LocalServer server =
        start(
            "--harp-port=0",
            "--harp-host=localhost",
            "--harp-tls-cert=" + directory.resolve("tls/server.crt"),
            "--harp-tls-key=" + directory.resolve("tls/server.key"))) {
      assertThat(server.harpUrl().orElseThrow().getScheme()).isEqualTo("https");
      assertThat(server.baseUrl().getScheme()).isEqualTo("http");
      HttpClient client =
          HttpClient.newBuilder().sslContext(Trust.ofCa(directory.resolve("tls/ca.crt"))).build();

      assertThat(status(client, server.harpUrl().orElseThrow().resolve("/health"))).isEqualTo(200);
      assertThat(status(client, server.baseUrl().resolve("/health"))).isEqualTo(200);
    }
  }

  private static int status(HttpClient client, URI at) throws Exception {
    return client
        .send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void itAnswersToItsOwnNameAndRestDoesNot() throws Exception {
    try (LocalServer server = start("--harp-port=0", "--harp-public-url=https://phones.example")) {
      int harp = server.harpUrl().orElseThrow().getPort();

      assertThat(statusOf(harp, "phones.example")).contains("200");
      assertThat(statusOf(harp, "elsewhere.example")).contains("421");
      assertThat(statusOf(server.baseUrl().getPort(), "phones.example")).contains("421");
    }
  }

  /** Returns the first line of the answer to a request for a host. */
  private static String statusOf(int port, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII)
          .lines()
          .findFirst()
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--harp-host=localhost",
        "--harp-public-url=https://phones.example",
        "--harp-tls-cert=a.pem"
      })
  void whatIsSaidOfHarpWithoutAPortIsAnErrorAndNotDropped(String option) {
    assertThatThrownBy(() -> start(option))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining(option.replaceFirst("=.*", ""))
        .hasMessageContaining("requires --harp-port");
  }

  @Test
  void aCertificateWithoutItsKeyIsAnError() {
    assertThatThrownBy(() -> start("--harp-port=0", "--harp-tls-cert=a.pem"))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("--harp-tls-cert and --harp-tls-key belong together");
  }
}
