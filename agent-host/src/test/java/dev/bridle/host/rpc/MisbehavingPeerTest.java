package dev.bridle.host.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.host.rpc.PeerException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An other side that floods, babbles, does not read, or dies in the middle. */
@Timeout(180)
final class MisbehavingPeerTest {
  private static final Duration LONG = JsonRpcPeerTest.LONG;
  private static final String PING = "{'jsonrpc':'2.0','method':'ping'}";

  private final Recorder recorder = new Recorder();
  private final Wire wire = new Wire(recorder);

  @AfterEach
  void close() {
    wire.close();
  }

  private void pingArrives() {
    wire.line(PING);
    await().until(() -> recorder.seen.contains("ping "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Agent v1.2 starting…",
        "{\"level\":\"info\",\"method\":\"GET\"}",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"batch\"}]",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"twice\",\"method\":\"twice\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"open\"",
        "{\"jsonrpc\":\"2.0\",\"method\":\"a\"} {}",
        "null",
        "17",
        "\u0000\u0001\ufffd"
      })
  void noiseIsCountedAndKeptAndNothingElseHappens(String noise) {
    wire.line(noise);
    pingArrives();

    assertThat(recorder.seen).containsExactly("ping ");
    assertThat(wire.peer.figures().noiseLines()).isEqualTo(1);
    assertThat(wire.peer.noise()).isEqualTo(noise + "\n");
  }

  @Test
  void aRequestWithANameTwiceIsAnsweredSinceItsSenderWaits() {
    wire.line("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ask\",\"params\":{\"a\":1,\"a\":2}}");

    assertThat(wire.read())
        .contains("\"id\":\"q\"", "-32600", "An object of the request has a name twice");
  }

  @Test
  void emptyLinesAreNoNoise() {
    wire.line("");
    wire.line(" \t\r");
    pingArrives();

    assertThat(wire.peer.figures().noiseLines()).isZero();
  }

  @Test
  void randomBytesEndNothing() {
    Random random = new Random(7);
    byte[] garbage = new byte[300_000];
    random.nextBytes(garbage);
    wire.bytes(garbage);
    wire.line("");
    pingArrives();

    assertThat(wire.peer.figures().noiseLines()).isPositive();
    assertThat(wire.peer.noise().length()).isLessThanOrEqualTo(PeerLimits.DEFAULT.noiseBytes());
  }

  @Test
  void aLineOfAHundredMegabytesPassesWithoutBeingKept() {
    byte[] part = new byte[1 << 20];
    Arrays.fill(part, (byte) 'x');
    wire.bytes(
        "{\"jsonrpc\":\"2.0\",\"method\":\"big\",\"params\":\"".getBytes(StandardCharsets.UTF_8));
    long before = used();
    long most = 0;
    for (int i = 0; i < 100; i++) {
      wire.bytes(part);
      most = Math.max(most, i % 20 == 0 ? used() : 0);
    }
    wire.line("'}");
    pingArrives();

    assertThat(recorder.seen).containsExactly("ping ");
    assertThat(wire.peer.figures().longLines()).isEqualTo(1);
    assertThat(most - before).isLessThan(60L << 20);
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void aLineOfExactlyTheLimitArrives() {
    String head = "{\"jsonrpc\":\"2.0\",\"method\":\"fits\",\"params\":\"";
    int limit = 100_000;
    try (Wire small = new Wire(JsonRpcPeerTest.limits(limit, 8), recorder)) {
      String fits = head + "y".repeat(limit - head.length() - 2) + "\"}";
      small.line(fits);
      small.line(fits.replace("fits", "fitsn"));
      small.line(PING);
      await().until(() -> recorder.seen.size() == 2);

      assertThat(recorder.seen.get(0)).startsWith("fits ").hasSize(limit - head.length() + 5);
      assertThat(recorder.seen.get(1)).isEqualTo("ping ");
      assertThat(small.peer.figures().longLines()).isEqualTo(1);
    }
  }

  @Test
  void aCallWhoseAnswerIsTooLongFailsByName() {
    try (Wire small = new Wire(JsonRpcPeerTest.limits(1000, 8), recorder)) {
      CompletableFuture<RawJson> call = small.peer.call("a", JsonRpcPeerTest.empty(), LONG);
      small.line("{'jsonrpc':'2.0','id':1,'result':{'text':'" + "z".repeat(100_000) + "'}}");

      assertThatThrownBy(() -> small.peer.await(call))
          .isInstanceOfSatisfying(
              PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MESSAGE_TOO_LONG));
    }
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    try (Wire small = new Wire(JsonRpcPeerTest.limits(1000, 8), recorder)) {
      small.line(
          "{'jsonrpc':'2.0','id':'r','method':'m','params':{'t':'" + "z".repeat(100_000) + "'}}");

      assertThat(small.readJson())
          .isEqualTo(
              Wire.json(
                  "{'jsonrpc':'2.0','id':'r','error':"
                      + "{'code':-32600,'message':'The message is too long'}}"));
      assertThat(recorder.seen).isEmpty();
    }
  }

  @Test
  void aMessageOfOurOwnThatIsTooLongIsNotSent() {
    try (Wire small = new Wire(JsonRpcPeerTest.limits(1000, 8), recorder)) {
      var params = JsonRpcPeerTest.empty().put("text", "t".repeat(2000));

      assertThatThrownBy(() -> small.peer.await(small.peer.call("a", params, LONG)))
          .isInstanceOfSatisfying(
              PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MESSAGE_TOO_LONG));
      assertThat(small.peer.call("b", JsonRpcPeerTest.empty(), LONG)).isNotDone();
      assertThat(small.readJson().get("method").textValue()).isEqualTo("b");
    }
  }

  @Test
  void duplicateAndUnknownAnswersAreIgnoredAndCounted() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("a", JsonRpcPeerTest.empty(), LONG);
    for (String id : new String[] {"99", "'1'", "null", "0", "-1", "1.0", "1e99"}) {
      wire.line("{'jsonrpc':'2.0','id':" + id + ",'result':'wrong'}");
    }
    wire.line("{'jsonrpc':'2.0','id':1,'result':'right'}");
    wire.line("{'jsonrpc':'2.0','id':1,'result':'again'}");
    pingArrives();

    assertThat(wire.peer.await(call).json().textValue()).isEqualTo("right");
    assertThat(wire.peer.figures().unknownAnswers()).isEqualTo(7);
    assertThat(wire.peer.figures().lateAnswers()).isEqualTo(1);
  }

  @Test
  void deathInMidMessageIsAnEndAndTheRestIsKept() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("a", JsonRpcPeerTest.empty(), LONG);
    wire.bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"resu".getBytes(StandardCharsets.UTF_8));
    wire.endOfOutput();

    assertThatThrownBy(() -> wire.peer.await(call))
        .isInstanceOfSatisfying(
            PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ENDED));
    assertThat(wire.peer.noise()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"resu");
    assertThat(wire.peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.ENDED);
  }

  @Test
  void aSideThatDoesNotReadFailsNotificationsOnceTheQueueIsFull() {
    var params = JsonRpcPeerTest.empty().put("text", "t".repeat(1 << 20));

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                wire.peer.notify("n", params);
              }
            })
        .isInstanceOfSatisfying(
            PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OUTGOING_FULL));
    assertThat(wire.peer.ended()).isNotDone();
  }

  @Test
  void aSideThatAsksAndNeverReadsTheAnswersIsLeft() throws Exception {
    try (Wire deaf = new Wire(new PeerHandler() {})) {
      Thread flood =
          new Thread(
              () -> {
                String request = "{'jsonrpc':'2.0','id':1,'method':'" + "m".repeat(250) + "'}";
                for (int i = 0; i < 5_000; i++) {
                  deaf.line(request);
                }
              });
      flood.setDaemon(true);
      flood.setUncaughtExceptionHandler((thread, end) -> {});
      flood.start();

      assertThat(deaf.peer.ended().get(60, TimeUnit.SECONDS).reason())
          .isEqualTo(Reason.OUTGOING_FULL);
    }
  }

  @Test
  void twoFullPipesAreNoDeadlock() throws Exception {
    var params = JsonRpcPeerTest.empty().put("text", "t".repeat(1 << 20));
    for (int i = 0; i < 8; i++) {
      wire.peer.notify("n", params);
    }
    String line = "{'jsonrpc':'2.0','method':'m','params':'" + "u".repeat(1 << 20) + "'}";
    for (int i = 0; i < 8; i++) {
      wire.line(line);
    }
    await().until(() -> recorder.seen.size() == 8);

    for (int i = 0; i < 8; i++) {
      assertThat(wire.read()).hasSizeGreaterThan(1 << 20);
    }
  }

  @Test
  void aClosedInputOfTheOtherSideIsAnEndByName() throws Exception {
    wire.endOfInput();
    CompletableFuture<RawJson> call = wire.peer.call("a", JsonRpcPeerTest.empty(), LONG);

    assertThatThrownBy(() -> wire.peer.await(call))
        .isInstanceOfSatisfying(
            PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.WRITE_FAILED));
  }

  @Test
  void aFloodWaitsForASlowHandlerAndLosesNothing() throws Exception {
    PeerLimits narrow =
        new PeerLimits(1 << 20, 4, 1 << 20, Duration.ofMinutes(1), 16, 1 << 20, 8, 1024);
    AtomicLong written = new AtomicLong();
    CountDownLatch open = new CountDownLatch(1);
    AtomicLong taken = new AtomicLong();
    PeerHandler slow =
        new PeerHandler() {
          @Override
          public void notification(String method, RawJson params, RawJson whole) {
            try {
              open.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            taken.incrementAndGet();
          }
        };
    int lines = 20_000;
    try (Wire flooded = new Wire(narrow, slow)) {
      Thread flood =
          new Thread(
              () -> {
                for (int i = 0; i < lines; i++) {
                  flooded.line(PING);
                  written.incrementAndGet();
                }
              });
      flood.setDaemon(true);
      flood.start();
      AtomicLong before = new AtomicLong();
      await()
          .pollInterval(Duration.ofMillis(200))
          .until(() -> written.get() > 0 && before.getAndSet(written.get()) == written.get());
      assertThat(written.get()).isLessThan(lines);

      open.countDown();
      await().until(() -> taken.get() == lines);
      flood.join();
    }
  }

  @Test
  void aHandlerThatTakesNothingForTooLongEndsThePeerByName() throws Exception {
    PeerLimits narrow =
        new PeerLimits(1 << 20, 1, 1 << 20, Duration.ofMillis(50), 16, 1 << 20, 8, 1024);
    CountDownLatch never = new CountDownLatch(1);
    PeerHandler stuck =
        new PeerHandler() {
          @Override
          public void notification(String method, RawJson params, RawJson whole) {
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    try (Wire stalled = new Wire(narrow, stuck)) {
      CompletableFuture<RawJson> call = stalled.peer.call("a", JsonRpcPeerTest.empty(), LONG);
      for (int i = 0; i < 3; i++) {
        stalled.line(PING);
      }

      assertThatThrownBy(() -> stalled.peer.await(call))
          .isInstanceOfSatisfying(
              PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INCOMING_STALLED));
      never.countDown();
    }
  }
}
