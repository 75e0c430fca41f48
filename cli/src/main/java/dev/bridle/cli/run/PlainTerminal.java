package dev.bridle.cli.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lines as the system's terminal gives them. A read of a terminal can't be interrupted, so a thread
 * of its own reads.
 */
final class PlainTerminal extends Terminal {
  private static final long LOOK_MILLIS = 100;

  private final InputStream keys;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
  private boolean reading;

  PlainTerminal(InputStream keys) {
    this.keys = keys;
  }

  @Override
  List<String> flush() {
    List<Optional<String>> waiting = new ArrayList<>();
    lines.drainTo(waiting);
    waiting.stream().filter(Optional::isEmpty).forEach(lines::add); // The end stays.
    return waiting.stream().flatMap(Optional::stream).map(String::strip).toList();
  }

  @Override
  Optional<String> line(BooleanSupplier waits) throws InterruptedException {
    read();
    while (waits.getAsBoolean()) {
      Optional<String> line = lines.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (line != null) {
        if (line.isEmpty()) {
          lines.add(line); // The end stays.
        }
        return line.map(String::strip);
      }
    }
    return Optional.empty();
  }

  private synchronized void read() {
    if (!reading) {
      reading = true;
      Thread thread = new Thread(this::readLines, "bridle-run-terminal");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void readLines() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(keys, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException e) {
      // As at its end.
    }
    lines.add(Optional.empty());
  }

  @Override
  public void close() throws IOException {
    if (!reading) {
      keys.close(); // Else the reader has it, which would have to be waited for.
    }
  }
}
