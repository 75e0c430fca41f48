package dev.bridle.cli.up;

import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.runtime.RuntimeCore;
import dev.bridle.host.runtime.RuntimeFile;
import dev.bridle.host.runtime.RuntimePlace;
import dev.bridle.host.runtime.ServerRuntimes;
import dev.bridle.host.task.MemoryBudget;
import io.grpc.Channel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Options for the agent runtimes that a server starts by itself. */
final class RuntimeOptions {
  private static final int TIMER_THREADS = 3;
  private static final int MIB_SHIFT = 20;

  @Option(
      names = "--runtimes",
      paramLabel = "FILE",
      description =
          "A JSON file with agent runtimes that this server starts for tasks; it is read again when"
              + " it changes.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--runtime-homes",
      paramLabel = "DIR",
      description =
          "The folder of the runtimes' homes, outside of the data directory, which they can't see"
              + " (default: the data directory's name and '.runtimes').")
  private Optional<Path> homes = Optional.empty();

  @Option(
      names = "--runtime-memory",
      paramLabel = "MB",
      description =
          "How many MiB of memory all runtimes together may have resident (default: three quarters"
              + " of the machine's).")
  private Optional<Integer> memory = Optional.empty();

  /** Rejects options and a file that can't be used before anything has started. */
  void check() {
    if (memory.filter(given -> given < 1).isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--runtime-memory is " + memory.get() + ", expected at least 1.");
    }
    try {
      file.ifPresent(RuntimeFile::read);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }

  /**
   * Starts the runtimes, if there is a file; they stop before the server.
   *
   * @param keys the files that agents must not read
   * @param notices takes sentences for the operator
   */
  void start(
      LocalServer server,
      Path dataDir,
      Optional<Path> workspaceRoot,
      KeyFiles keys,
      Consumer<String> notices) {
    if (file.isEmpty()) {
      return;
    }
    ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(TIMER_THREADS, RuntimeOptions::daemon);
    server.stopsAfter(timer::shutdownNow);
    try {
      Path data = dataDir.toRealPath();
      AgentLauncher launcher =
          AgentLauncher.create(new Spawner(), Optional.of(data), server.ports(), timer);
      keys.check(data, launcher.isolation().tier().hidesFiles(), notices);
      notices.accept("runtimes: " + launcher.isolation().tier().promise());
      ServerRuntimes runtimes =
          new ServerRuntimes(
              new RuntimePlace(
                  launcher,
                  homes(data),
                  workspaceRoot,
                  System.getenv(),
                  new MemoryBudget(memory()),
                  BuildVersion.current(),
                  timer),
              core(server),
              file.get(),
              notices);
      server.stopsAfter(runtimes);
      runtimes.start();
    } catch (CommandFailed e) {
      server.close();
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      server.close();
      throw new CommandFailed(
          ExitCodes.FAILED, "The runtimes can't be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.close();
      throw new CommandFailed(ExitCodes.FAILED, "The start was interrupted.", e);
    }
  }

  private static RuntimeCore core(LocalServer server) {
    return new RuntimeCore() {
      @Override
      public Channel channel() {
        return server.channel();
      }

      @Override
      public String credential(String tenant, String actor, Set<String> scopes) {
        return server.credential(tenant, actor, scopes);
      }

      @Override
      public void end(String credential) {
        server.endCredential(credential);
      }
    };
  }

  private Path homes(Path data) throws IOException {
    Path folder = homes.orElseGet(() -> data.resolveSibling(data.getFileName() + ".runtimes"));
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Path real = folder.toRealPath();
    if (real.startsWith(data)) {
      throw new IllegalArgumentException(
          real
              + " lies in the data directory, which runtimes can't see; choose another with"
              + " --runtime-homes.");
    }
    return real;
  }

  private long memory() {
    if (memory.isPresent()) {
      return (long) memory.get() << MIB_SHIFT;
    }
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean machine
        ? machine.getTotalMemorySize() / 4 * 3
        : Long.MAX_VALUE;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "bridle-runtimes");
    thread.setDaemon(true);
    return thread;
  }
}
