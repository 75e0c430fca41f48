package dev.bridle.core.kernel.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import dev.bridle.core.kernel.outbound.OutboundException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundClientTest {
  private static final List<AddressRange> LOCAL = List.of(AddressRange.parse("127.0.0.1"));
  private static final OutboundOptions OPTIONS = OutboundOptions.DEFAULT.withAllowed(LOCAL);
  private static final OutboundOptions HASTY =
      OPTIONS.withTimeouts(Duration.ofMillis(500), Duration.ofMillis(500));

  private OddServer server;

  @BeforeEach
  void start() throws IOException {
    server = OddServer.answering(OddServer.status(204));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void aRequestGoesOutAndItsAnswerComesBack() {
    server.answer(
        (request, out) ->
            OddServer.write(
                out, "HTTP/1.1 201 Made\r\nContent-Length: 2\r\nX-Said: yes\r\n\r\nok"));

    OutboundResponse answer = sent(OPTIONS, "/hook?a=b", "{\"a\":1}");

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.ok()).isTrue();
    assertThat(answer.header("x-said")).contains("yes");
    assertThat(new String(answer.body(), UTF_8)).isEqualTo("ok");
    assertThat(answer.cut()).isFalse();
    OddServer.Received request = server.received().get(0);
    assertThat(request.head()).startsWith("POST /hook?a=b HTTP/1.1\r\n");
    assertThat(request.header("host")).isEqualTo("hooks.example:" + server.port());
    assertThat(request.header("x-test")).isEqualTo("1");
    assertThat(request.body()).isEqualTo("{\"a\":1}");
  }

  @Test
  void aNameIsLookedUpOnceAndItsAddressIsTheOneThatIsConnectedTo() {
    AtomicInteger lookups = new AtomicInteger();
    NameResolver changing =
        host -> {
          // A second look would lead elsewhere.
          return List.of(address(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2"));
        };

    try (OutboundClient client = new OutboundClient(OPTIONS, changing)) {
      assertThat(client.send(request("/", "x")).join().status()).isEqualTo(204);
      assertThat(lookups).hasValue(1);
      assertReason(Reason.REFUSED_ADDRESS, () -> client.send(request("/", "x")).join());
    }
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"})
  void nothingOfTheMachineIsReachedUnlessItIsAllowed(String host) {
    OutboundUrl url = OutboundUrl.parse("https://" + host + ":" + server.port() + "/");
    OutboundRequest request =
        new OutboundRequest(OutboundRequest.Method.GET, url, Map.of(), new byte[0]);

    try (OutboundClient client = new OutboundClient(OutboundOptions.DEFAULT)) {
      assertReason(Reason.REFUSED_ADDRESS, () -> client.send(request).join());
    }
    assertThat(server.received()).isEmpty();
  }

  @Test
  void oneBadAddressAmongGoodOnesIsEnough() throws UnknownHostException {
    List<InetAddress> both = List.of(address("127.0.0.1"), address("10.0.0.1"));

    try (OutboundClient client = new OutboundClient(OPTIONS, host -> both)) {
      assertReason(Reason.REFUSED_ADDRESS, () -> client.send(request("/", "x")).join());
    }
    assertThat(server.received()).isEmpty();
  }

  @Test
  void aPublicAddressIsNotSpokenToUnencrypted() throws UnknownHostException {
    List<InetAddress> publicOne = List.of(address("8.8.8.8"));

    try (OutboundClient client = new OutboundClient(OPTIONS, host -> publicOne)) {
      assertReason(Reason.REFUSED_ADDRESS, () -> client.send(request("/", "x")).join());
    }
  }

  @Test
  void whatCanBeToldOfAUrlIsToldBeforeItIsCalled() {
    try (OutboundClient closed = new OutboundClient(OutboundOptions.DEFAULT);
        OutboundClient open = new OutboundClient(OPTIONS)) {
      assertReason(Reason.REFUSED_URL, () -> closed.check("http://hooks.example/"));
      assertReason(Reason.REFUSED_ADDRESS, () -> closed.check("https://169.254.169.254/latest"));
      assertReason(Reason.REFUSED_ADDRESS, () -> closed.check("https://[fd00:ec2::254]/"));
      assertReason(Reason.REFUSED_ADDRESS, () -> open.check("http://8.8.8.8/"));
      assertThat(open.check("http://127.0.0.1:8080/x").port()).isEqualTo(8080);
      assertThat(closed.check("https://hooks.example/x").secure()).isTrue();
    }
  }

  @Test
  void aHostWithoutAddressesIsUnknown() {
    try (OutboundClient none = new OutboundClient(OPTIONS, host -> List.of());
        OutboundClient unknown =
            new OutboundClient(
                OPTIONS,
                host -> {
                  throw new UnknownHostException(host);
                })) {
      assertReason(Reason.UNKNOWN_HOST, () -> none.send(request("/", "x")).join());
      assertReason(Reason.UNKNOWN_HOST, () -> unknown.send(request("/", "x")).join());
    }
  }

  @Test
  void aRedirectIsAnAnswerAndIsNotFollowed() throws IOException {
    try (OddServer inner = OddServer.answering(OddServer.status(200))) {
      server.answer(
          (request, out) ->
              OddServer.write(
                  out,
                  String.format(
                          Locale.ROOT,
                          "HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:%d/\r\n",
                          inner.port())
                      + "Content-Length: 0\r\n\r\n"));

      OutboundResponse answer = sent(OPTIONS, "/", "x");

      assertThat(answer.status()).isEqualTo(307);
      assertThat(answer.ok()).isFalse();
      assertThat(inner.received()).isEmpty();
    }
  }

  @Test
  void aHugeAnswerIsCut() {
    server.answer(
        (request, out) -> {
          OddServer.write(out, "HTTP/1.1 200 OK\r\n\r\n");
          byte[] much = new byte[1 << 16];
          while (true) {
            out.write(much); // Until the other side hangs up.
          }
        });

    OutboundResponse answer = sent(OPTIONS, "/", "x");

    assertThat(answer.body()).hasSize(OPTIONS.maxAnswerBytes());
    assertThat(answer.cut()).isTrue();
  }

  @Test
  void anAnswerOfJustTheBoundIsWhole() {
    int bound = OPTIONS.maxAnswerBytes();
    server.answer(
        (request, out) ->
            OddServer.write(
                out,
                "HTTP/1.1 200 OK\r\nContent-Length: " + bound + "\r\n\r\n" + "a".repeat(bound)));

    OutboundResponse answer = sent(OPTIONS, "/", "x");

    assertThat(answer.body()).hasSize(bound);
    assertThat(answer.cut()).isFalse();
  }

  @Test
  void whoDripsOrHangsIsNotWaitedFor() {
    server.answer(OddServer.hanging());
    assertReason(Reason.TIMED_OUT, () -> sent(HASTY, "/", "x"));

    server.answer(OddServer.dripping());
    assertReason(Reason.TIMED_OUT, () -> sent(HASTY, "/", "x"));
  }

  @Test
  void whoseHeadersNeverEndIsNotWaitedFor() {
    server.answer(
        (request, out) -> {
          OddServer.write(out, "HTTP/1.1 200 OK\r\n");
          while (true) {
            OddServer.write(out, "X-More: and more\r\n");
          }
        });

    assertThatThrownBy(() -> sent(HASTY, "/", "x")).hasCauseInstanceOf(OutboundException.class);
  }

  @Test
  void aSlowLookUpIsNotWaitedFor() {
    CountDownLatch never = new CountDownLatch(1);
    NameResolver hanging =
        host -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(host);
        };

    try (OutboundClient client = new OutboundClient(HASTY, hanging)) {
      assertReason(Reason.TIMED_OUT, () -> client.send(request("/", "x")).join());
    }
  }

  @Test
  void whoRefusesOrBreaksOffIsToldOf() throws IOException {
    server.answer((request, out) -> OddServer.write(out, "HTTP/1.1 200 OK\r\nContent-Len"));
    assertReason(Reason.BROKEN_ANSWER, () -> sent(OPTIONS, "/", "x"));
    server.answer(
        (request, out) ->
            OddServer.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    assertReason(Reason.BROKEN_ANSWER, () -> sent(OPTIONS, "/", "x"));
    server.answer((request, out) -> OddServer.write(out, "SSH-2.0-OpenSSH_9.9\r\n"));
    assertReason(Reason.BROKEN_ANSWER, () -> sent(OPTIONS, "/", "x"));

    int free;
    try (ServerSocket gone = new ServerSocket(0)) {
      free = gone.getLocalPort();
    }
    OutboundRequest nobody = request("http://hooks.example:" + free, "/", "x");
    try (OutboundClient client = client(OPTIONS)) {
      assertReason(Reason.CONNECTION_FAILED, () -> client.send(nobody).join());
    }
  }

  @Test
  void whereNobodyTakesTheConnectionTheNextAddressIsTried() throws UnknownHostException {
    OutboundOptions wide = OPTIONS.withAllowed(List.of(AddressRange.parse("127.0.0.0/8")));
    List<InetAddress> both = List.of(address("127.0.0.9"), address("127.0.0.1"));

    try (OutboundClient client = new OutboundClient(wide, host -> both)) {
      assertThat(client.send(request("/", "x")).join().status()).isEqualTo(204);
    }
  }

  @Test
  void onlySoManyCallsAreUnderWayAtOnce() {
    server.answer(OddServer.hanging());

    try (OutboundClient client = client(OPTIONS.withMaxCalls(1))) {
      CompletableFuture<OutboundResponse> first = client.send(request("/", "x"));
      assertReason(Reason.BUSY, () -> client.send(request("/", "x")).join());
      await().until(() -> server.received().size() == 1);
      assertThat(first).isNotDone();
    }
  }

  @Test
  void aCallThatIsOverMakesRoomForAnother() {
    try (OutboundClient client = client(OPTIONS.withMaxCalls(1))) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.send(request("/", "x")).join().status()).isEqualTo(204);
      }
    }
  }

  @Test
  void aBodyThatIsTooLargeIsNotSent() {
    String large = "a".repeat(OPTIONS.maxRequestBytes() + 1);

    assertReason(Reason.TOO_LARGE, () -> sent(OPTIONS, "/", large));
    assertThat(server.received()).isEmpty();
  }

  @Test
  void aCertificateThatNobodyVouchesForIsRefused() {
    AtomicInteger served = new AtomicInteger();
    Server encrypted =
        Server.builder()
            .https(0)
            .tlsSelfSigned()
            .service(
                "/",
                (ctx, request) -> {
                  served.incrementAndGet();
                  return HttpResponse.of(200);
                })
            .build();
    encrypted.start().join();
    try (OutboundClient client = client(OPTIONS);
        OutboundClient trusting =
            new OutboundClient(OPTIONS, host -> loopback(), factory -> factory.tlsNoVerify())) {
      OutboundRequest request =
          request("https://hooks.example:" + encrypted.activeLocalPort(), "/", "x");

      assertThatThrownBy(() -> client.send(request).join())
          .hasCauseInstanceOf(OutboundException.class);
      assertThat(served).hasValue(0);
      assertThat(trusting.send(request).join().status()).isEqualTo(200);
    } finally {
      encrypted.stop().join();
    }
  }

  @Test
  void failuresSpeakNoPaths() {
    server.answer(OddServer.hanging());

    assertThatThrownBy(() -> sent(HASTY, "/T0/secret?key=secret", "secret"))
        .satisfies(e -> assertThat(e.getCause().getMessage()).doesNotContain("secret"));
    assertThat(request("/secret", "secret").toString()).doesNotContain("secret");
  }

  private OutboundResponse sent(OutboundOptions options, String path, String body) {
    try (OutboundClient client = client(options)) {
      return client.send(request(path, body)).join();
    }
  }

  private static OutboundClient client(OutboundOptions options) {
    return new OutboundClient(options, host -> loopback());
  }

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getAllByName(text)[0];
  }

  private static List<InetAddress> loopback() throws UnknownHostException {
    return List.of(address("127.0.0.1"));
  }

  private OutboundRequest request(String path, String body) {
    return request("http://hooks.example:" + server.port(), path, body);
  }

  private static OutboundRequest request(String base, String path, String body) {
    return new OutboundRequest(
        OutboundRequest.Method.POST,
        OutboundUrl.parse(base + path),
        Map.of("x-test", "1"),
        body.getBytes(UTF_8));
  }

  private static void assertReason(Reason reason, Runnable call) {
    assertThatThrownBy(call::run)
        .satisfies(
            thrown -> {
              Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
              assertThat(cause).isInstanceOf(OutboundException.class);
              assertThat(((OutboundException) cause).reason())
                  .as(cause.toString())
                  .isEqualTo(reason);
            });
  }
}
