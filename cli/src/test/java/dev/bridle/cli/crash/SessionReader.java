package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SseFrame;
import dev.bridle.fixtures.client.SseStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Follows a session through lost servers and its own lost connections, with Last-Event-ID. */
final class SessionReader {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration SILENCE = Duration.ofMinutes(3);
  private static final int MOST_BYTES = 200_000;

  private final ProtocolClient client;
  private final String path;
  private final Random random;
  private final List<String> ids = new CopyOnWriteArrayList<>();

  SessionReader(ProtocolClient client, String session, Random random) {
    this.client = client;
    this.path = "/v1/sessions/" + session + "/events/stream";
    this.random = random;
  }

  /** The ids of all events that came, in the order in which they came. */
  List<String> ids() {
    return List.copyOf(ids);
  }

  void readUntil(BooleanSupplier stopped) {
    while (!stopped.getAsBoolean()) {
      Call call = client.call("GET", path);
      if (!ids.isEmpty()) {
        call = call.with("Last-Event-ID", ids.get(ids.size() - 1));
      }
      try (SseStream stream = client.stream(call, 1 + random.nextInt(MOST_BYTES))) {
        read(stream, stopped);
      } catch (CompletionException e) {
        LockSupport.parkNanos(PAUSE.toNanos()); // The server is gone just now.
      }
    }
  }

  private void read(SseStream stream, BooleanSupplier stopped) {
    if (stream.status() == 503) {
      return;
    }
    assertThat(stream.status()).as("status of %s", stream).isEqualTo(200);
    Optional<SseFrame> frame = stream.nextOrEnd(SILENCE);
    while (frame.isPresent() && !frame.get().event().equals("error")) {
      ids.add(frame.get().id().orElseThrow());
      if (stopped.getAsBoolean()) {
        return;
      }
      frame = stream.nextOrEnd(SILENCE);
    }
  }
}
