package dev.bridle.benchmarks.hosted;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Reads a task's stream on a thread of its own, and keeps what the agent's texts have. */
final class FrameReader {
  private static final Pattern TEXT = Pattern.compile("\"text\":\"([^\"]*)\"");
  private static final Pattern TIME = Pattern.compile("T(\\d{16,19})");

  private final LongAdder characters = new LongAdder();
  private final LongStream.Builder delays = LongStream.builder();
  private final CountDownLatch first = new CountDownLatch(1);

  FrameReader(InputStream stream) {
    Thread thread = new Thread(() -> read(stream), "frames");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(InputStream stream) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data:") && line.contains("vendor.agent_host.text")) {
          take(line);
        }
      }
    } catch (IOException e) {
      // The server was stopped.
    }
  }

  private void take(String line) {
    Instant now = Instant.now();
    long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
    Matcher text = TEXT.matcher(line);
    if (text.find()) {
      characters.add(text.group(1).length());
      Matcher time = TIME.matcher(text.group(1));
      while (time.find()) {
        synchronized (delays) {
          delays.add(nanos - Long.parseLong(time.group(1)));
        }
      }
      first.countDown();
    }
  }

  long characters() {
    return characters.sum();
  }

  /** Returns the delays so far, in nanoseconds; to be called once. */
  long[] delays() {
    synchronized (delays) {
      return delays.build().toArray();
    }
  }

  void awaitFirst() throws InterruptedException {
    first.await();
  }
}
