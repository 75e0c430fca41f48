package dev.bridle.host.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A peer that serves: what it can't read is answered, and its own calls are given up by their id.
 */
@Timeout(180)
final class ServingPeerTest {
  private static final PeerLimits SMALL =
      new PeerLimits(16 << 10, 16, 1 << 20, Duration.ofMinutes(1), 16, 1 << 20, 16, 1 << 10);

  private final Wire wire =
      new Wire(
          SMALL,
          new PeerHandler() {
            @Override
            public boolean answersNoise() {
              return true;
            }
          });

  @AfterEach
  void close() {
    wire.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no JSON|-32700",
        "{'jsonrpc':'2.0','method':'open'|-32700",
        "{'jsonrpc':'2.0','method':'twice','method':'twice'}|-32700",
        "[{'jsonrpc':'2.0','method':'batch'}]|-32600",
        "{'method':'old','id':1}|-32600",
        "{'jsonrpc':'2.0','id':{},'method':'odd'}|-32600",
        "17|-32600"
      })
  void whatIsNoMessageIsAnsweredAndWhatFollowsIsServed(String line, int code) {
    wire.line("");
    wire.line(line);
    wire.line("{'jsonrpc':'2.0','id':7,'method':'unknown'}");

    JsonNode answer = wire.readJson();
    assertThat(answer.path("error").path("code").asInt()).isEqualTo(code);
    assertThat(answer.path("id").isNull()).isTrue();
    JsonNode next = wire.readJson();
    assertThat(next.path("id").asInt()).isEqualTo(7);
    assertThat(next.path("error").path("code").asInt()).isEqualTo(RpcError.METHOD_NOT_FOUND);
  }

  @Test
  void aLineThatIsTooLongIsAnswered() {
    wire.line("x".repeat(20_000));

    JsonNode answer = wire.readJson();
    assertThat(answer.path("error").path("code").asInt()).isEqualTo(RpcError.INVALID_REQUEST);
    assertThat(answer.path("error").path("message").asText()).contains("too long");
  }

  @Test
  void aCallThatIsGivenUpHasAnIdOnceAndItsLateAnswerIsIgnored() {
    CompletableFuture<RawJson> call =
        wire.peer.call("ask", JsonNodeFactory.instance.objectNode(), Duration.ofMinutes(1));
    long id = wire.readJson().path("id").asLong();

    assertThat(wire.peer.giveUp(call)).contains(id);
    assertThat(call).isCancelled();
    assertThat(wire.peer.giveUp(call)).isEmpty();
    wire.line("{'jsonrpc':'2.0','id':" + id + ",'result':{}}");
    await().until(() -> wire.peer.figures().lateAnswers() == 1);
  }

  @Test
  void aSenderSeesThatTheOtherSideIsBehind() throws Exception {
    String large = "x".repeat(15_000);
    // More than the pipe holds, so that some of it waits.
    for (int i = 0; i < 10; i++) {
      wire.peer.notify("update", JsonNodeFactory.instance.objectNode().put("text", large));
    }
    assertThat(wire.peer.awaitWritten(Duration.ofMillis(1))).isFalse();
    for (int i = 0; i < 10; i++) {
      assertThat(wire.readJson().path("method").asText()).isEqualTo("update");
    }
    assertThat(wire.peer.awaitWritten(Duration.ofSeconds(20))).isTrue();
  }
}
