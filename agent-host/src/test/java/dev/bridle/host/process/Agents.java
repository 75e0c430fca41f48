package dev.bridle.host.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Agents that are shell scripts, in the tier of a test, and what is left of them. */
final class Agents implements AutoCloseable {
  /**
   * A grandchild whose parents are gone, in a session and group of its own; $1 is its mark. {@code
   * setsid} forks where its process leads a group.
   */
  static final String FAR_CHILD =
      "(setsid sh -c 'sleep 300 & sleep 301' \"$1\" &) > /dev/null 2>&1; ";

  /** Those that every machine has on which these tests run. */
  private static final Set<IsolationTier> FORCED =
      Set.of(IsolationTier.MARKED, IsolationTier.SUPERVISED, IsolationTier.DESCENDANTS);

  private static final Spawner SPAWNER = new Spawner();

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final Path folder;
  private final String mark = "agent-" + UUID.randomUUID();
  final AgentLauncher launcher;

  /** Skips the test where the machine has no such tier. */
  Agents(IsolationTier tier, Path folder) throws IOException, InterruptedException {
    this.folder = folder.toRealPath();
    Path hidden = Files.createDirectories(this.folder.resolve("hidden"));
    Isolation isolation =
        FORCED.contains(tier)
            ? new Isolation(tier, Optional.empty(), List.of())
            : new IsolationProbe(SPAWNER, IsolationProbe.identity())
                .find(tier.hidesFiles() ? Optional.of(hidden) : Optional.empty(), List.of());
    if (isolation.tier() != tier) {
      System.out.println("Skipped: this machine has no tier " + tier + ": " + isolation.reasons());
    }
    assumeTrue(isolation.tier() == tier, "no tier " + tier + ": " + isolation.reasons());
    this.launcher = AgentLauncher.of(SPAWNER, isolation, timer);
  }

  AgentCommand script(String text) {
    return script(text, OptionalLong.empty());
  }

  AgentCommand script(String text, OptionalLong memoryLimit) {
    return new AgentCommand(
        "test",
        List.of("sh", "-c", text, "agent", mark),
        folder,
        AgentEnvironment.choose(System.getenv(), Set.of(), Map.of("MARK", mark)),
        memoryLimit);
  }

  AgentProcess start(String text) throws IOException, InterruptedException {
    return launcher.start(script(text));
  }

  /** What stands in the environment of all processes of this test's agents. */
  String mark() {
    return mark;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  /** The processes that this test's agents have started, in whatever session. */
  List<String> left() {
    return withText(mark);
  }

  /** The command lines that contain a text, without the host's that look for it. */
  static List<String> withText(String text) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .map(process -> environmentAndLine(process.pid()))
        .filter(line -> line.contains(text))
        .toList();
  }

  private static String environmentAndLine(long pid) {
    return file(pid, "cmdline") + " " + file(pid, "environ");
  }

  private static String file(long pid, String name) {
    try {
      return Files.readString(
          Path.of("/proc", Long.toString(pid), name), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
