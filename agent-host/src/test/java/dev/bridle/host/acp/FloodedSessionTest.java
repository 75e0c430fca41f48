package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent that reports each token, to a listener that is slow. */
@Tag("slow")
@Timeout(180)
final class FloodedSessionTest {
  private static final int CHUNKS = 200_000;
  private static final String CHUNK =
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":"
          + "{\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"m\",\"content\":"
          + "{\"type\":\"text\",\"text\":\"word \"}}}}\n";

  private final Pipe toHost = open();
  private final Pipe fromHost = open();
  private final AtomicLong written = new AtomicLong();
  private final AtomicInteger updates = new AtomicInteger();
  private final AtomicLong characters = new AtomicLong();
  private final CountDownLatch listening = new CountDownLatch(1);

  private static Pipe open() {
    try {
      return Pipe.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers the three calls of a first turn, and floods in it. */
  private void agent() {
    OutputStream out = Channels.newOutputStream(toHost.sink());
    try {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  Channels.newInputStream(fromHost.source()), StandardCharsets.UTF_8));
      assertThat(in.readLine()).contains("initialize");
      send(out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}\n");
      assertThat(in.readLine()).contains("session/new");
      send(out, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s\"}}\n");
      assertThat(in.readLine()).contains("session/prompt");
      for (int i = 0; i < CHUNKS; i++) {
        send(out, CHUNK);
        written.incrementAndGet();
      }
      send(out, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(OutputStream out, String line) throws IOException {
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theAgentWaitsForTheListenerAndEveryWordArrives() throws Exception {
    Thread agent = new Thread(this::agent, "flooding-agent");
    agent.setDaemon(true);
    var timer = Executors.newSingleThreadScheduledExecutor();
    try (AcpConnection host =
        AcpConnection.start(
            "flood",
            Channels.newInputStream(toHost.source()),
            Channels.newOutputStream(fromHost.sink()),
            AcpOptions.of("1"),
            timer)) {
      agent.start();
      AcpSession session =
          host.open(
                  host.initialize(),
                  Path.of("/work"),
                  Optional.empty(),
                  JsonNodeFactory.instance.arrayNode(),
                  new SlowListener())
              .session();
      CompletableFuture<PromptEnd> turn = session.prompt(JsonNodeFactory.instance.arrayNode());

      await()
          .during(Duration.ofMillis(300))
          .until(written::get, before -> before > 0 && before < CHUNKS && before == written.get());
      listening.countDown();
      turn.get(60, TimeUnit.SECONDS);

      assertThat(characters.get()).isEqualTo(CHUNKS * 5L);
      assertThat(updates.get()).isLessThan(CHUNKS / 50);
    } finally {
      timer.shutdownNow();
      toHost.sink().close();
    }
  }

  private final class SlowListener implements SessionListener {
    @Override
    public void update(SessionUpdate update) {
      try {
        listening.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      SessionUpdate.Text text = (SessionUpdate.Text) update;
      assertThat(text.offset()).isEqualTo(characters.get());
      characters.addAndGet(text.text().length());
      updates.incrementAndGet();
    }

    @Override
    public void question(Question question) {}

    @Override
    public void questionClosed(Question question) {}

    @Override
    public void closed(String why) {}
  }
}
