package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.gateway.kit.call.Pieces;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.Metadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that are begun and never ended, by some, while others are served. */
class BodyFloodIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int BODY = 60_000;
  private static final long BUDGET = 400_000;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<Socket> open = new ArrayList<>();
  private GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new GatewayFixture(
            options -> options.withMaxJsonBytes(64 << 10).withMaxPendingBytes(BUDGET));
    fixture.core.answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          String given =
              fixture.core.metadata(AuthServiceGrpc.getGetCallerMethod()).get(AUTHORIZATION);
          if (given.contains("bad")) {
            throw FakeCore.failure(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The key is not known.");
          }
          return Caller.newBuilder().setTenantId(given.replace("Bearer ", "")).build();
        });
    fixture.core.answer(
        SessionServiceGrpc.getCreateSessionMethod(),
        request -> Session.newBuilder().setId("session_1").build());
    fixture.core.answer(
        IngressServiceGrpc.getFindIngressMethod(),
        request -> {
          throw FakeCore.failure(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no such path.");
        });
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    fixture.close();
  }

  @Test
  void aBodyIsNotReadBeforeItsCredentialsAreKnownToBeGood() throws IOException {
    assertThat(statusOf(begin("/v1/sessions", "bad", 0))).contains(" 401 ");
    assertThat(statusOf(begin("/v1/sessions", "bad", BODY - 1))).contains(" 401 ");
  }

  @Test
  void aDeliveryIsNotReadWhereNobodyWaitsForIt() throws IOException {
    assertThat(statusOf(begin("/v1/ingress/unknown", "bad", 0))).contains(" 404 ");
  }

  @Test
  void oneTenantsUnfinishedBodiesLeaveRoomForThoseOfOthers() throws IOException {
    // One after the other: of several that grow at once, some are refused and make room again.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              begin("/v1/sessions", "greedy", BODY - 1);
              HttpResponse<String> refused = create("greedy");
              assertThat(refused.statusCode()).isEqualTo(503);
              assertThat(refused.headers().firstValue("retry-after")).isPresent();
              assertThat(GatewayFixture.error(refused).get("code").textValue())
                  .isEqualTo("service_unavailable");
            });

    assertThat(create("modest").statusCode()).isEqualTo(201);
    assertThat(fixture.send(fixture.bare("/openapi.json")).statusCode()).isEqualTo(200);

    for (Socket socket : open) {
      socket.close();
    }
    await().atMost(PATIENCE).until(() -> create("greedy").statusCode() == 201);
  }

  @Test
  void tinyPiecesCostNoMoreThanWhatTheyHold() throws IOException {
    Socket socket = connect();
    OutputStream out = socket.getOutputStream();
    out.write(head("/v1/sessions", "a", "Transfer-Encoding: chunked"));
    byte[] body =
        ("{\"workspace_id\":\"w\"" + " ".repeat(20_000) + "}").getBytes(StandardCharsets.US_ASCII);
    for (byte piece : body) {
      out.write(new byte[] {'1', '\r', '\n', piece, '\r', '\n'});
    }
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();

    assertThat(statusOf(socket)).contains(" 201 ");
  }

  @Test
  void aBodyInTooManyTinyPiecesIsRefused() throws IOException {
    Socket socket = connect();
    OutputStream out = socket.getOutputStream();
    out.write(head("/v1/sessions", "a", "Transfer-Encoding: chunked"));
    out.write("1\r\n \r\n".repeat(Pieces.FREE + 1000).getBytes(StandardCharsets.US_ASCII));
    out.flush();

    assertThat(statusOf(socket)).contains(" 400 ");
  }

  private HttpResponse<String> create(String key) {
    return fixture.send(
        GatewayFixture.json(
            fixture
                .bare("/v1/sessions")
                .header("Harn-Agents-Protocol-Version", GatewayFixture.VERSION)
                .header("Authorization", "Bearer " + key),
            "POST",
            "{\"workspace_id\":\"default\"}"));
  }

  /** Sends the head of a request and the first bytes of its body. */
  private Socket begin(String path, String key, int bytes) throws IOException {
    Socket socket = connect();
    OutputStream out = socket.getOutputStream();
    out.write(head(path, key, "Content-Length: " + BODY));
    out.write(" ".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  private static byte[] head(String path, String key, String length) {
    return ("POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer "
            + key
            + "\r\nHarn-Agents-Protocol-Version: "
            + GatewayFixture.VERSION
            + "\r\n"
            + length
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port());
    socket.setSoTimeout(20_000);
    open.add(socket);
    return socket;
  }

  private static String statusOf(Socket socket) throws IOException {
    return new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
        .readLine();
  }
}
