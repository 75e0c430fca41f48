package dev.bridle.host.runtime;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtimes of a server, as their file says, which is read again whenever it has changed. One
 * that has changed is replaced, and its tasks go on with the new one; a file that can't be read
 * changes nothing.
 */
public final class ServerRuntimes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServerRuntimes.class);
  private static final long LOOK_SECONDS = 2;

  /** At how many looks the tasks of those that are gone are given away once. */
  private static final int LOOKS = 5;

  private final RuntimePlace place;
  private final RuntimeCore core;
  private final Path file;
  private final Consumer<String> notices;
  private final KnownRuntimes known;
  private final Map<String, RunningRuntime> running = new HashMap<>();
  private Map<String, RuntimeSettings> wanted = Map.of();

  /** Several may have something to say at each look. */
  private final Set<String> said = new HashSet<>();

  private Future<?> looks = CompletableFuture.completedFuture(null);
  private int look;
  private boolean closed;

  /**
   * Creates the runtimes; {@link #start} starts them.
   *
   * @param notices takes sentences for the operator
   */
  public ServerRuntimes(RuntimePlace place, RuntimeCore core, Path file, Consumer<String> notices) {
    this.place = place;
    this.known = new KnownRuntimes(place.homes(), core);
    this.core = core;
    this.file = file;
    this.notices = notices;
  }

  /**
   * Starts what the file says, and looks from now on whether it has changed.
   *
   * @throws IllegalArgumentException if the file can't be read or says what can't be
   */
  public synchronized void start() {
    wanted = RuntimeFile.read(file);
    apply();
    looks =
        place
            .timer()
            .scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns the names of those that take tasks. */
  public synchronized List<String> names() {
    return running.keySet().stream().sorted().toList();
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    try {
      wanted = RuntimeFile.read(file);
      if (running.keySet().equals(wanted.keySet())) {
        said.clear();
      }
    } catch (IllegalArgumentException e) {
      say("the runtimes stay as they are: " + e.getMessage());
      return;
    }
    try {
      apply();
      look++;
      if (look % LOOKS == 0) {
        known.giveAwayTasks(wanted.values());
      }
    } catch (RuntimeException e) {
      // Thrown on, it would end the looks for good.
      log.error("A change of the runtimes has failed; the next look goes on with it", e);
    }
  }

  private void apply() {
    List<RunningRuntime> old =
        running.values().stream()
            .filter(each -> !each.settings().equals(wanted.get(each.settings().name())))
            .toList();
    end(old);
    for (RuntimeSettings settings : wanted.values()) {
      if (!running.containsKey(settings.name())) {
        begin(settings);
      }
    }
    if (!old.isEmpty() || look == 0) {
      known.giveAwayTasks(wanted.values());
    }
  }

  /** Ends runtimes side by side, since each waits for its agents. */
  private void end(List<RunningRuntime> old) {
    List<Thread> ends = new ArrayList<>();
    for (RunningRuntime each : old) {
      String name = each.settings().name();
      running.remove(name);
      Thread end =
          new Thread(
              () -> {
                each.close();
                notices.accept("runtime " + name + " has ended");
              },
              "bridle-end-of-runtime-" + name);
      end.start();
      ends.add(end);
    }
    for (Thread end : ends) {
      try {
        end.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** What can't start yet, such as for a persona that is not there, is tried at each look. */
  private void begin(RuntimeSettings settings) {
    long memory = settings.bounds().memoryBytes().orElse(0);
    if (memory > place.memory().total()) {
      say("runtime " + settings.name() + " can't start: memory_mb is more than all may have");
      return;
    }
    try {
      running.put(settings.name(), RunningRuntime.start(place, core, settings));
      known.remember(settings);
      notices.accept("runtime " + settings.name() + " takes tasks");
    } catch (IOException | IllegalArgumentException | StatusRuntimeException e) {
      say("runtime " + settings.name() + " can't start: " + e.getMessage());
    }
  }

  /** Says the same only once, until all is as the file says. */
  private void say(String notice) {
    if (said.add(notice)) {
      notices.accept(notice);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    looks.cancel(false);
    end(List.copyOf(running.values()));
  }
}
