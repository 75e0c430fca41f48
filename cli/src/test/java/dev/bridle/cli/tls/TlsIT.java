package dev.bridle.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate of a CA that commands and clients are told to trust. */
final class TlsIT {
  @TempDir private static Path directory;
  private static Commands commands;
  private static UpThread server;
  private static SSLContext trust;

  @BeforeAll
  static void start() throws CertificateFileException {
    commands = new Commands(directory);
    create();
    server =
        commands.start("data", "--tls-cert", tls("server.crt"), "--tls-key", tls("server.key"));
    trust = Trust.ofCa(Path.of(tls("ca.crt")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void create() {
    var unused =
        Commands.run(
            0,
            "tls",
            "create",
            "--dir",
            commands.path("tls"),
            "--name",
            "localhost",
            "--name",
            "127.0.0.1");
  }

  private static String tls(String file) {
    return commands.path("tls") + "/" + file;
  }

  @Test
  void restIsServedOverTlsAlsoToCommandsThatKnowTheCa() {
    assertThat(server.url().getScheme()).isEqualTo("https");
    String said =
        Commands.run(
                0,
                "task",
                "submit",
                "--text",
                "one two",
                "--watch",
                "--url",
                server.url().toString(),
                "--ca-cert",
                tls("ca.crt"),
                "--api-key-file",
                commands.path("data.key"))
            .out();
    assertThat(said).contains("completed");
  }

  @Test
  void aCommandThatDoesNotKnowTheCaIsToldHowToNameIt() {
    String said =
        Commands.run(
                3,
                "task",
                "list",
                "--url",
                server.url().toString(),
                "--api-key-file",
                commands.path("data.key"))
            .err();
    assertThat(said).contains("--ca-cert");
  }

  /** In a process of its own, whose trust it is. */
  @Tag("slow")
  @Test
  void theConformanceSuiteTrustsTheCaInAllItsConnections() throws Exception {
    List<String> words =
        List.of(
            "conformance",
            "--target",
            server.url().toString(),
            "--ca-cert",
            tls("ca.crt"),
            "--api-key-file",
            commands.path("data.key"),
            "--level",
            "extended",
            "--story",
            "BadRequests",
            "--story",
            "StreamCursors");
    Process process =
        new ProcessBuilder(BuiltBridle.java().bridle(words)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("passed   BadRequests: what is hardly http is refused and the server goes on")
        .contains("passed   StreamCursors");
  }

  @Test
  void aCertificateIsForItsNamesOnly() throws Exception {
    handshakeAs("localhost");
    assertThatThrownBy(() -> handshakeAs("other.test")).isInstanceOf(SSLHandshakeException.class);
  }

  private static void handshakeAs(String host) throws IOException {
    int port = server.url().getPort();
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket =
            (SSLSocket) trust.getSocketFactory().createSocket(plain, host, port, true)) {
      SSLParameters checked = socket.getSSLParameters();
      checked.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(checked);
      socket.startHandshake();
    }
  }

  @Test
  void grpcIsServedOverTls() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                "localhost",
                server.grpcPort(),
                TlsChannelCredentials.newBuilder()
                    .trustManager(Path.of(tls("ca.crt")).toFile())
                    .build())
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + commands.key("data"));
    try {
      assertThat(
              AuthServiceGrpc.newBlockingStub(channel)
                  .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                  .getCaller(GetCallerRequest.getDefaultInstance())
                  .getTenantId())
          .isEqualTo("default");
    } finally {
      channel.shutdownNow();
    }
  }

  @Tag("slow")
  @Test
  void administrationOnTheSameMachineTrustsTheCertificateInUse() {
    assertThat(Commands.run(0, "apikey", "list", "--data-dir", commands.path("data")).out())
        .contains("owner");
  }

  @Tag("slow")
  @Test
  void plaintextIsAnsweredInWordsAndIsInNoLog() throws Exception {
    String answer;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort())) {
      answer =
          exchange(
              socket, "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer planted\r\n\r\n");
    }
    assertThat(answer).startsWith("HTTP/1.1 400").contains("use https://");
    assertThat(Files.readString(directory.resolve("data.log")))
        .doesNotContain("planted", "706c616e746564", "NotSslRecord");
  }

  @Tag("slow")
  @Test
  void headsThatProxiesReadDifferentlyAreRefusedWithinTls() throws Exception {
    try (SSLSocket socket = connect()) {
      assertThat(
              exchange(
                  socket,
                  "GET / HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 400");
    }
    try (SSLSocket socket = connect()) {
      assertThat(exchange(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void theyAreAlsoRefusedWhereTheProtocolIsNegotiated() throws Exception {
    try (SSLSocket socket = connect()) {
      SSLParameters negotiated = socket.getSSLParameters();
      negotiated.setApplicationProtocols(new String[] {"http/1.1"});
      socket.setSSLParameters(negotiated);
      assertThat(
              exchange(
                  socket,
                  "GET / HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 400");
      assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
    }
  }

  @Test
  void protocolsBefore12AreRefused() throws Exception {
    try (SSLSocket socket = connect()) {
      assertThatThrownBy(
              () -> {
                socket.setEnabledProtocols(new String[] {"TLSv1.1"});
                socket.startHandshake();
              })
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Tag("slow")
  @Test
  void aNewCertificateIsTakenWhileTheServerRuns() throws Exception {
    X509Certificate before = certificate();
    create();
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(certificate()).isNotEqualTo(before));
    // The other listener, and what trusts the server of the directory.
    administrationOnTheSameMachineTrustsTheCertificateInUse();
  }

  @Test
  void keysAreTheOwnersOnly() throws IOException {
    for (String file : new String[] {"ca.key", "server.key"}) {
      assertThat(Files.getPosixFilePermissions(Path.of(tls(file))))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void oneOfTheTwoOptionsAloneIsRefused() {
    assertThat(Commands.run(2, "up", "--tls-cert", tls("server.crt")).err())
        .contains("belong together");
    assertThat(Commands.run(2, "tls", "create", "--name", "no name").err()).contains("--name is");
    assertThat(Commands.run(2, "tls", "create", "--days", "398").err()).contains("1 to 397");
  }

  @Test
  void aCaWithoutItsKeyIssuesNothing() throws IOException {
    Path alone = Files.createDirectory(directory.resolve("alone"));
    Files.copy(Path.of(tls("ca.crt")), alone.resolve("ca.crt"));

    assertThat(Commands.run(1, "tls", "create", "--dir", alone.toString()).err())
        .contains("put ca.key back");
    assertThat(alone.resolve("server.crt")).doesNotExist();
  }

  private static X509Certificate certificate() throws IOException {
    try (SSLSocket socket = connect()) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static SSLSocket connect() throws IOException {
    return (SSLSocket)
        trust
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), server.url().getPort());
  }

  private static String exchange(Socket socket, String request) throws IOException {
    socket.setSoTimeout(30_000);
    OutputStream out = socket.getOutputStream();
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    out.flush();
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    socket.getInputStream().transferTo(answer);
    return answer.toString(StandardCharsets.UTF_8);
  }
}
