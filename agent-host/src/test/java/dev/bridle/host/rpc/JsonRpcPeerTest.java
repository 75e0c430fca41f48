package dev.bridle.host.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.PeerException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls, requests and notifications between two ends that both behave. */
@Timeout(180)
final class JsonRpcPeerTest {
  static final Duration LONG = Duration.ofMinutes(2);

  private final Recorder recorder = new Recorder();
  private final Wire wire = new Wire(recorder);

  @AfterEach
  void close() {
    wire.close();
  }

  static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static Reason reasonOf(CompletableFuture<RawJson> call) {
    assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(PeerException.class);
    return ((PeerException) call.handle((result, failure) -> failure).join()).reason();
  }

  @Test
  void aCallCompletesWithTheResultAsItWasSpelled() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("a/b", empty().put("x", 1), LONG);

    assertThat(wire.readJson())
        .isEqualTo(Wire.json("{'jsonrpc':'2.0','method':'a/b','params':{'x':1},'id':1}"));
    wire.line("{'jsonrpc' : '2.0', 'result':{ 'n' : 1.50,'s':'\\u00e9' } ,'id':1}");

    RawJson result = wire.peer.await(call);
    assertThat(result.toString()).isEqualTo("{ \"n\" : 1.50,\"s\":\"\\u00e9\" }");
    assertThat(result.json().get("s").textValue()).isEqualTo("é");
  }

  @Test
  void answersMayComeInAnyOrder() throws Exception {
    CompletableFuture<RawJson> first = wire.peer.call("first", empty(), LONG);
    CompletableFuture<RawJson> second = wire.peer.call("second", empty(), LONG);
    wire.line("{'jsonrpc':'2.0','id':2,'result':'2'}");
    wire.line("{'jsonrpc':'2.0','id':1,'result':null}");

    assertThat(wire.peer.await(second).json().asText()).isEqualTo("2");
    assertThat(wire.peer.await(first).json().isNull()).isTrue();
  }

  @Test
  void anErrorIsThrownWithItsCodeAndData() {
    CompletableFuture<RawJson> call = wire.peer.call("login", empty(), LONG);
    wire.line(
        "{'jsonrpc':'2.0','id':1,'error':{'code':-32000,'message':'Log in','data':{'a': 1}}}");

    assertThatThrownBy(() -> wire.peer.await(call))
        .isInstanceOfSatisfying(
            AnsweredError.class,
            e -> {
              assertThat(e.error().code()).isEqualTo(-32000);
              assertThat(e.error().message()).isEqualTo("Log in");
              assertThat(e.error().data()).hasToString("{\"a\": 1}");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"'error':'no'", "'error':null,'more':1", "'error':{'message':'no code'}"})
  void anAnswerThatIsNeitherResultNorErrorFailsTheCall(String member) {
    CompletableFuture<RawJson> call = wire.peer.call("a", empty(), LONG);
    wire.line("{'jsonrpc':'2.0','id':1," + member + "}");

    assertThat(reasonOf(call)).isEqualTo(Reason.BAD_ANSWER);
  }

  @Test
  void aResultBesideANullErrorIsAResult() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("a", empty(), LONG);
    wire.line("{'jsonrpc':'2.0','id':1,'result':3,'error':null}");

    assertThat(wire.peer.await(call).json().intValue()).isEqualTo(3);
  }

  @Test
  void aCallTimesOutAndItsLateAnswerIsIgnored() {
    CompletableFuture<RawJson> call = wire.peer.call("slow", empty(), Duration.ofMillis(20));

    assertThat(reasonOf(call)).isEqualTo(Reason.TIMED_OUT);
    wire.line("{'jsonrpc':'2.0','id':1,'result':1}");
    await().untilAsserted(() -> assertThat(wire.peer.figures().lateAnswers()).isEqualTo(1));
  }

  @Test
  void aCallThatIsGivenUpHoldsNoPlace() {
    PeerLimits one = limits(PeerLimits.DEFAULT.lineBytes(), 1);
    try (Wire small = new Wire(one, recorder)) {
      CompletableFuture<RawJson> first = small.peer.call("a", empty(), LONG);
      assertThat(reasonOf(small.peer.call("b", empty(), LONG))).isEqualTo(Reason.TOO_MANY_CALLS);

      first.cancel(false);

      assertThat(small.peer.call("c", empty(), LONG)).isNotDone();
    }
  }

  static PeerLimits limits(int lineBytes, int calls) {
    return new PeerLimits(lineBytes, 1024, 32 << 20, LONG, 1024, 32 << 20, calls, 4096);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-7", "\"\"", "\"a\\u0062\"", "123456789012345678901234567890"})
  void aRequestIsAnsweredUnderItsIdAsItWasSpelled(String id) {
    wire.line("{'jsonrpc':'2.0','id':" + id + ",'method':'ask','params':{'q':1}}");
    await().until(() -> recorder.requests.size() == 1);
    IncomingRequest request = recorder.requests.get(0);

    assertThat(request.params()).hasToString("{\"q\":1}");
    assertThat(request.respond(empty().put("a", 2))).isTrue();
    assertThat(wire.read())
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"a\":2}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1.5", "{}", "[1]", "true", "1e400"})
  void aRequestWithAnIdThatMayNotBeIsRefused(String id) {
    wire.line("{'jsonrpc':'2.0','id':" + id + ",'method':'ask'}");

    assertThat(wire.readJson().at("/error/code").intValue()).isEqualTo(-32600);
    assertThat(wire.peer.figures().badRequests()).isEqualTo(1);
    assertThat(recorder.seen).isEmpty();
  }

  @Test
  void aRequestIsAnsweredOnce() {
    wire.line("{'jsonrpc':'2.0','id':5,'method':'ask'}");
    wire.line("{'jsonrpc':'2.0','id':6,'method':'ask'}");
    await().until(() -> recorder.requests.size() == 2);

    assertThat(recorder.requests.get(0).fail(RpcError.of(1, "no"))).isTrue();
    assertThat(recorder.requests.get(0).respond(empty())).isFalse();
    assertThat(recorder.requests.get(1).respond(empty())).isTrue();

    assertThat(wire.readJson().at("/error/message").textValue()).isEqualTo("no");
    assertThat(wire.readJson().get("id").intValue()).isEqualTo(6);
  }

  @Test
  void aMethodThatNobodyServesIsAnsweredSo() {
    try (Wire bare = new Wire(new PeerHandler() {})) {
      bare.line("{'jsonrpc':'2.0','id':0,'method':'fs/read_text_file','params':{}}");

      assertThat(bare.readJson())
          .isEqualTo(
              Wire.json(
                  "{'jsonrpc':'2.0','id':0,'error':"
                      + "{'code':-32601,'message':'Nobody serves fs/read_text_file'}}"));
    }
  }

  @Test
  void aHandlerThatThrowsIsAnInternalErrorAndNoEnd() {
    PeerHandler broken =
        new PeerHandler() {
          @Override
          public void request(IncomingRequest request) {
            throw new IllegalStateException("broken");
          }
        };
    try (Wire bad = new Wire(broken)) {
      bad.line("{'jsonrpc':'2.0','id':1,'method':'a'}");
      bad.line("{'jsonrpc':'2.0','id':2,'method':'a'}");

      assertThat(bad.readJson().at("/error/code").intValue()).isEqualTo(-32603);
      assertThat(bad.readJson().get("id").intValue()).isEqualTo(2);
      assertThat(bad.peer.figures().handlerFailures()).isEqualTo(2);
    }
  }

  @Test
  void notificationsAndAnswersComeInTheirOrder() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("prompt", empty(), LONG);
    var order = call.thenRun(() -> recorder.seen.add("answer"));
    wire.line("{'jsonrpc':'2.0','method':'one','params':[1]}");
    wire.line("{'jsonrpc':'2.0','id':1,'result':1}");
    wire.line("{'jsonrpc':'2.0','method':'two'}");

    order.get(60, TimeUnit.SECONDS);
    await().until(() -> recorder.seen.size() == 3);
    assertThat(recorder.seen).containsExactly("one [1]", "answer", "two ");
  }

  @Test
  void anAnswerIsToldBeforeWhatFollowsItHoweverFastItCame() {
    int calls = 200;
    Thread other =
        new Thread(
            () -> {
              for (int i = 1; i <= calls; i++) {
                wire.read();
                String answer = "{'jsonrpc':'2.0','id':" + i + ",'result':" + i + "}\n";
                wire.line(answer + "{'jsonrpc':'2.0','method':'after','params':[" + i + "]}");
              }
            });
    other.setDaemon(true);
    other.start();
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= calls; i++) {
      var unused =
          wire.peer.call(
              "a", empty(), LONG, (result, failure) -> recorder.seen.add("answer " + result));
      expected.addAll(List.of("answer " + i, "after [" + i + "]"));
    }

    await().until(() -> recorder.seen.size() == 2 * calls);
    assertThat(recorder.seen).isEqualTo(expected);
  }

  @Test
  void theThreadThatDeliversAnswersMayNotWaitForOne() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    List<Wire> wires = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    PeerHandler waiting =
        new PeerHandler() {
          @Override
          public void notification(String method, RawJson params, RawJson whole) {
            try {
              begun.await();
              JsonRpcPeer peer = wires.get(0).peer;
              peer.await(peer.call("x", empty(), LONG));
            } catch (Exception e) {
              thrown.complete(e);
            }
          }
        };
    try (Wire own = new Wire(waiting)) {
      wires.add(own);
      begun.countDown();
      own.line("{'jsonrpc':'2.0','method':'go'}");

      assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aNotificationIsSentWithoutAnId() throws Exception {
    wire.peer.notify("session/cancel", empty().put("sessionId", "s"));

    assertThat(wire.read())
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s\"}}");
  }

  @Test
  void closingFailsOpenCallsAndWritesWhatWasSent() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("open", empty(), LONG);
    wire.peer.close();

    assertThat(reasonOf(call)).isEqualTo(Reason.CLOSED);
    assertThat(reasonOf(wire.peer.call("later", empty(), LONG))).isEqualTo(Reason.CLOSED);
    assertThatThrownBy(() -> wire.peer.notify("later", empty())).isInstanceOf(PeerException.class);
    assertThat(wire.readJson().get("method").textValue()).isEqualTo("open");
    assertThat(wire.read()).isNull();
    assertThat(wire.peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.CLOSED);
    assertThat(recorder.seen).containsExactly("ended CLOSED");
  }

  @Test
  void theEndOfTheInputComesAfterAllThatArrived() throws Exception {
    CompletableFuture<RawJson> call = wire.peer.call("open", empty(), LONG);
    wire.line("{'jsonrpc':'2.0','method':'last','params':{}}");
    wire.endOfOutput();

    assertThat(reasonOf(call)).isEqualTo(Reason.ENDED);
    assertThat(wire.peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.ENDED);
    assertThat(recorder.seen).containsExactly("last {}", "ended ENDED");
  }
}
