package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The device of an approver: opens what its channel brings, signs that it may be done, and notes
 * when it has sent that.
 */
final class SigningDevice implements AutoCloseable {
  private static final String DATA = "data:";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService signers =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final Map<String, Long> sent = new ConcurrentHashMap<>();
  private final URI relay;
  private final String key;
  private final HarpMessages messages;
  private final Thread reader;

  SigningDevice(URI relay, String key, HarpMessages messages, String approver) {
    this.relay = relay;
    this.key = key;
    this.messages = messages;
    this.reader = new Thread(() -> read("/v1/sse/approvers/" + approver), "signing-device");
    reader.setDaemon(true);
    reader.start();
  }

  /** Returns when the decision about an action was sent, in nanoseconds of the process. */
  long sentAt(String content) {
    return sent.remove(content);
  }

  private void read(String path) {
    try {
      http.send(request(path).build(), HttpResponse.BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith(DATA) && line.contains("approval.request"))
          .forEach(line -> signers.execute(() -> decide(line.substring(DATA.length()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void decide(String asked) {
    try {
      JsonNode envelope = MAPPER.readTree(asked);
      Artifact artifact = messages.open(envelope);
      ObjectNode decision = messages.decision(artifact, Answer.ALLOW);
      sent.put(artifact.payload().get("content").textValue(), System.nanoTime());
      HttpResponse<String> response =
          http.send(
              request("/v1/decisions")
                  .header("content-type", "application/harp+json")
                  .POST(HttpRequest.BodyPublishers.ofString(decision.toString()))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException("a decision was refused: " + response.body());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(relay.resolve(path)).header("authorization", "Bearer " + key);
  }

  @Override
  public void close() {
    reader.interrupt();
    signers.shutdownNow();
  }
}
