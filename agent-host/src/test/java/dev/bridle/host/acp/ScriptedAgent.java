package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An agent that plays a transcript. A line that begins with {@code >} is what the host must send
 * next, and is waited for; one with {@code <} is sent; {@code !} ends the agent's output; {@code ~}
 * waits for {@link #goOn}; others are remarks.
 */
public final class ScriptedAgent implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<String> script;
  private final List<String> remarks = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<Void> played = new CompletableFuture<>();
  private final Semaphore going = new Semaphore(0);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Pipe toHost = open();
  private final Pipe fromHost = open();
  public final AcpConnection host;

  ScriptedAgent(String name) {
    this(name, AcpOptions.of("1.0"));
  }

  ScriptedAgent(String name, AcpOptions options) {
    this(read(name), options);
  }

  /** Plays a transcript that is elsewhere. */
  public ScriptedAgent(List<String> script, AcpOptions options) {
    this.script = script;
    Thread thread = new Thread(this::play, "scripted-agent");
    thread.setDaemon(true);
    thread.start();
    host =
        AcpConnection.start(
            "test",
            Channels.newInputStream(toHost.source()),
            Channels.newOutputStream(fromHost.sink()),
            options,
            timer);
  }

  private static Pipe open() {
    try {
      return Pipe.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> read(String name) {
    try (var in = ScriptedAgent.class.getResourceAsStream("/transcripts/" + name + ".txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void play() {
    try {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  Channels.newInputStream(fromHost.source()), StandardCharsets.UTF_8));
      OutputStream out = Channels.newOutputStream(toHost.sink());
      for (String line : script) {
        if (line.startsWith(">")) {
          JsonNode sent = MAPPER.readTree(in.readLine());
          ((ObjectNode) sent).remove("jsonrpc");
          assertThat(sent).as("after %s", remarks).isEqualTo(MAPPER.readTree(line.substring(1)));
        } else if (line.startsWith("<")) {
          JsonNode message = MAPPER.readTree(line.substring(1));
          ((ObjectNode) message).put("jsonrpc", "2.0");
          out.write((MAPPER.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        } else if (line.startsWith("!")) {
          toHost.sink().close();
        } else if (line.startsWith("~")) {
          going.acquire();
        } else {
          remarks.add(line);
        }
      }
      played.complete(null);
    } catch (InterruptedException | IOException | RuntimeException | AssertionError e) {
      played.completeExceptionally(e);
      closeOutput();
    }
  }

  private void closeOutput() {
    try {
      toHost.sink().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends a wait of the transcript, or lets it pass once it comes. */
  void goOn() {
    going.release();
  }

  /** Fails where the host sent something else than the transcript says. */
  public void assertPlayed() throws Exception {
    played.get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    host.close();
    closeOutput();
    timer.shutdownNow();
  }
}
