package dev.bridle.host.process;

import dev.bridle.host.process.Isolation.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds the best tier of this machine by running a command in each. */
final class IsolationProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What a namespace for processes shows, and nothing else does: that there are few. */
  private static final List<String> IN_NAMESPACE =
      List.of("sh", "-c", "[ -e /proc/1/root/. ] && [ $$ -lt 20 ] && echo held");

  private static final List<Integer> NO_PORTS = List.of();

  private final Spawner spawner;
  private final Identity identity;
  private final List<String> reasons = new ArrayList<>();

  IsolationProbe(Spawner spawner, Identity identity) {
    this.spawner = spawner;
    this.identity = identity;
  }

  /** The numbers of this process, its user and its group; those of root where there are none. */
  static Identity identity() {
    try {
      Path self = Path.of("/proc/self");
      return new Identity(
          ProcessHandle.current().pid(),
          Files.getAttribute(self, "unix:uid").toString(),
          Files.getAttribute(self, "unix:gid").toString(),
          "");
    } catch (IOException | UnsupportedOperationException e) {
      return new Identity(ProcessHandle.current().pid(), "0", "0", "");
    }
  }

  /**
   * @param hidden the folder to hide, by its real path
   * @param ports the ports of this machine to deny where the folder is denied
   */
  Isolation find(Optional<Path> hidden, List<Integer> ports) throws InterruptedException {
    if (hidden.isPresent()) {
      Isolation hiding = new Isolation(IsolationTier.HIDDEN_FOLDER, hidden, List.of());
      if (hides(hiding, hidden.get())) {
        return hiding;
      }
    }
    if (hidden.isPresent() && isMac()) {
      // A system that takes no ports in a profile is to deny the folder none the less.
      for (List<Integer> denied : ports.isEmpty() ? List.of(ports) : List.of(ports, NO_PORTS)) {
        Isolation denying = new Isolation(IsolationTier.DENIED_FOLDER, hidden, List.of(), denied);
        if (run(denying, denies(hidden.get())).equals("held")) {
          return denying;
        }
      }
    }
    for (IsolationTier tier :
        List.of(IsolationTier.NAMESPACES, IsolationTier.MARKED, IsolationTier.SUPERVISED)) {
      Isolation isolation = new Isolation(tier, Optional.empty(), reasons);
      if (run(isolation, proof(tier)).equals("held")) {
        return isolation;
      }
    }
    return new Isolation(IsolationTier.DESCENDANTS, Optional.empty(), reasons);
  }

  private static boolean isMac() {
    return System.getProperty("os.name", "").startsWith("Mac");
  }

  /** Says so if the folder can't be listed, and others can. */
  private static List<String> denies(Path folder) {
    String look = "ls / > /dev/null && ! ls \"$1\" > /dev/null 2>&1 && echo held";
    return List.of("sh", "-c", look, "probe", folder.toString());
  }

  private static List<String> proof(IsolationTier tier) {
    return switch (tier) {
      case NAMESPACES -> IN_NAMESPACE;
      case MARKED -> List.of("sh", "-c", "[ -r /proc/self/environ ] && echo held");
      default -> List.of("echo", "held");
    };
  }

  /** Whether something else lies over the folder, which can't be taken away. */
  private boolean hides(Isolation isolation, Path folder) throws InterruptedException {
    String look = "if umount \"$1\" 2> /dev/null; then exit 72; fi; stat -c %d \"$1\"";
    String device = run(isolation, List.of("sh", "-c", look, "probe", folder.toString()));
    if (device.isEmpty()) {
      return false;
    }
    try {
      if (!device.equals(Files.getAttribute(folder, "unix:dev").toString())) {
        return true;
      }
    } catch (IOException | UnsupportedOperationException e) {
      // Then nobody can tell, and it does not count as hidden.
    }
    reasons.add(isolation.tier() + ": the folder could still be seen");
    return false;
  }

  /** What the command prints; nothing if it fails, with the reason noted. */
  private String run(Isolation isolation, List<String> command) throws InterruptedException {
    try {
      Process process =
          spawner.start(
              new ProcessBuilder(isolation.wrap(command, identity)).redirectErrorStream(true));
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        reasons.add(isolation.tier() + ": no answer within " + PATIENCE.toSeconds() + " s");
        return "";
      }
      String output =
          new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8).strip();
      if (process.exitValue() == 0) {
        return output;
      }
      reasons.add(isolation.tier() + ": code " + process.exitValue() + ", " + output);
    } catch (IOException e) {
      reasons.add(isolation.tier() + ": " + e.getMessage());
    }
    return "";
  }
}
