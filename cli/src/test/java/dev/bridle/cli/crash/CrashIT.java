package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.storage.SoundStorage;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.sampling.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the server process at random moments under load. The seed is in the test's name; {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.crash.kills=N} says how often.
 */
@Tag("slow")
final class CrashIT {
  private static final int KILLS =
      Integer.getInteger("bridle.crash.kills", Sample.of("kills").count(12));
  private static final int CLIENTS = 4;
  private static final int SESSIONS = 3;
  private static final int LONGEST_LIFE_MILLIS = 2500;

  /** As many as the clients send in the longest life where answers take no time. */
  private static final int COMMANDS_IN_A_LIFE = 130;

  @TempDir private Path directory;
  private final Ledger ledger = new Ledger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingAcknowledgedIsLostHoweverOftenTheServerIsKilled(long seed) throws IOException {
    Random random = new Random(seed);
    ServerProcess server = start(0);
    try {
      int port = server.url().getPort();
      String key = Files.readString(directory.resolve("api.key")).strip();
      PatientClient client = new PatientClient(new ProtocolClient(server.url(), key));
      List<String> sessions =
          IntStream.range(0, SESSIONS).mapToObj(i -> newSession(client, i)).toList();
      List<SessionReader> readers =
          sessions.stream()
              .map(s -> new SessionReader(client.plain(), s, new Random(random.nextLong())))
              .toList();
      List<CompletableFuture<Void>> running = new ArrayList<>();
      readers.forEach(r -> running.add(run(() -> r.readUntil(stopped::get))));
      AtomicBoolean quiet = new AtomicBoolean();
      Semaphore turns = new Semaphore(0);
      List<CompletableFuture<Void>> load = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        LoadClient one =
            new LoadClient(client, sessions, ledger, "c" + i, new Random(random.nextLong()), turns);
        load.add(run(() -> one.runUntil(quiet::get)));
      }
      CrashChecks checks = new CrashChecks(client, ledger);
      for (int kill = 0; kill < KILLS; kill++) {
        turns.release(COMMANDS_IN_A_LIFE);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.kill();
        server = start(port);
        checks.nothingIsLost(sessions);
        SoundStorage.check(directory.resolve("data"));
        load.forEach(CrashIT::stillGood);
        running.forEach(CrashIT::stillGood);
      }
      quiet.set(true);
      load.forEach(CompletableFuture::join);
      checks.everyTaskEnds(sessions);
      for (int i = 0; i < SESSIONS; i++) {
        List<String> told = checks.log(sessions.get(i));
        SessionReader reader = readers.get(i);
        await("the reader's last event")
            .atMost(Duration.ofMinutes(3))
            .until(() -> reader.ids().size() >= told.size());
        assertThat(reader.ids()).isEqualTo(told);
      }
      checks.retriesGiveTheSame();
      server.kill();
      SoundStorage.check(directory.resolve("data"));
      assertThat(ledger.tasks().size()).as("tasks under load").isGreaterThan(KILLS);
    } finally {
      stopped.set(true);
      server.close();
      threads.shutdownNow();
    }
  }

  private static void stillGood(CompletableFuture<Void> thread) {
    if (thread.isCompletedExceptionally()) {
      thread.join();
    }
  }

  private CompletableFuture<Void> run(Runnable work) {
    return CompletableFuture.runAsync(work, threads);
  }

  private static String newSession(PatientClient client, int number) {
    return client
        .post("/v1/sessions", Json.object().put("workspace_id", "default"), "session-" + number)
        .json()
        .get("id")
        .textValue();
  }

  private ServerProcess start(int port) {
    return ServerProcess.start(
        BuiltBridle.java(),
        directory.resolve("server.log"),
        Stream.concat(
                SuiteEngine.arguments(directory.resolve("data")).stream(),
                Stream.of(
                    "--api-key-file",
                    directory.resolve("api.key").toString(),
                    "--http-port",
                    "" + port,
                    "--grpc-port",
                    "0",
                    "--lease-time",
                    "3s",
                    "--heartbeat",
                    "1s",
                    "--cancel-grace",
                    "2s",
                    "--max-attempts",
                    "1000"))
            .toList());
  }
}
