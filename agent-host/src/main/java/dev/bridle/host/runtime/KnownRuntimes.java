package dev.bridle.host.runtime;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtimes that a server has ever started, in a file beside their homes. The tasks of those
 * that its file no longer has are given to others, also if it was changed while no server ran.
 */
final class KnownRuntimes {
  private static final Logger log = LoggerFactory.getLogger(KnownRuntimes.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Set<String> SCOPES = Set.of("workers:lease");
  private static final int SECONDS = 10;

  private final Path homes;
  private final RuntimeCore core;

  KnownRuntimes(Path homes, RuntimeCore core) {
    this.homes = homes;
    this.core = core;
  }

  /**
   * A runtime that was started.
   *
   * @param tenant whose tasks it had
   * @param name its name in the file
   */
  record Known(String tenant, String name) {
    static Known of(RuntimeSettings settings) {
      return new Known(settings.tasks().tenant(), settings.name());
    }
  }

  private Path file() {
    return homes.resolve("known-runtimes.json");
  }

  private Set<Known> read() {
    Path file = file();
    try {
      return Files.exists(file)
          ? new HashSet<>(
              MAPPER.readValue(Files.readAllBytes(file), new TypeReference<List<Known>>() {}))
          : Set.of();
    } catch (IOException e) {
      log.warn("Which runtimes there were is not known: {}", e.getMessage());
      return Set.of();
    }
  }

  /** Remembers a runtime that was started. */
  void remember(RuntimeSettings started) {
    Set<Known> all = new HashSet<>(read());
    if (!all.add(Known.of(started))) {
      return;
    }
    try {
      Path fresh = Files.createTempFile(RuntimeHomes.folder(homes), "known", ".json");
      Files.write(fresh, MAPPER.writeValueAsBytes(all));
      Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.warn("The runtimes that were started are not remembered: {}", e.getMessage());
    }
  }

  /**
   * Gives the queued tasks of runtimes that are gone to others. A task that waits for an answer is
   * not queued, so this has to be done again from time to time.
   */
  void giveAwayTasks(Collection<RuntimeSettings> wanted) {
    Set<Known> there = wanted.stream().map(Known::of).collect(Collectors.toSet());
    for (Known gone : read()) {
      if (!there.contains(gone)) {
        giveAwayTasks(gone);
      }
    }
  }

  private void giveAwayTasks(Known gone) {
    String agent = RunningRuntime.agent(gone.name());
    try {
      unregister(gone.tenant(), agent);
    } catch (StatusRuntimeException | IllegalArgumentException e) {
      log.warn(
          "The tasks of the runtime {} wait for it, since they can't be given to others: {}",
          gone.name(),
          e.getMessage());
    }
  }

  private void unregister(String tenant, String agent) {
    String secret = core.credential(tenant, agent, SCOPES);
    try {
      var unused =
          WorkerServiceGrpc.newBlockingStub(CoreReads.with(secret, core.channel()))
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .unregisterWorker(
                  UnregisterWorkerRequest.newBuilder()
                      .setAgentId(agent)
                      .setRebindsTasks(true)
                      .build());
    } finally {
      core.end(secret);
    }
  }
}
