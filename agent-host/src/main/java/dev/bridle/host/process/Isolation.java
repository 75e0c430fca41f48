package dev.bridle.host.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How commands are wrapped so that their processes are held.
 *
 * @param tier what that promises
 * @param hidden the folder that the agent does not see, in the tier that hides one
 * @param reasons why it is no higher tier, a sentence for each that failed
 * @param deniedPorts the ports of this machine that the agent can't call, in the tier that denies
 *     them
 */
public record Isolation(
    IsolationTier tier, Optional<Path> hidden, List<String> reasons, List<Integer> deniedPorts) {
  /**
   * Dies with the thread that started it; the check finds a host that died before the death signal
   * was set. The session of its own keeps the terminal, and its Ctrl-C, from the agent.
   */
  private static final List<String> HELD =
      List.of(
          "setpriv",
          "--pdeathsig",
          "KILL",
          "setsid",
          "sh",
          "-c",
          "[ \"$PPID\" = \"$0\" ] || exit 70; exec \"$@\"");

  /** Kills everything in it when its first process ends, which dies with the one outside. */
  private static final List<String> PROCESSES =
      List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--");

  /**
   * The first process of the namespace: it waits for the agent, and for orphans. An agent in its
   * place would not receive TERM, and would have to wait for them itself.
   */
  private static final List<String> FIRST = List.of("sh", "-c", "\"$@\"; exit $?", "agent");

  /**
   * Hides folders by what is open, not by their paths, and the first one only if it is the one that
   * it was: an agent may rename a folder above it, and put another in its place. Also the terminals
   * of others, on which the agent could write over a question; then gives up the rights that this
   * took: the user again, in a namespace.
   */
  private static final String HIDE =
      "u=$1; g=$2; k=$3; n=$4; shift 4; while [ \"$n\" -gt 0 ]; do"
          + " ( cd \"$1\" || exit 71; [ -z \"$k\" ] || [ \"$(stat -c %d:%i .)\" = \"$k\" ] || exit 74;"
          + " mount -c -t tmpfs -o mode=000,ro,size=4k agent . ) || exit $?;"
          + " k=; shift; n=$((n-1)); done;"
          + " { mount -t devpts -o newinstance,ptmxmode=0666 agent /dev/pts"
          + " && mount --bind /dev/pts/ptmx /dev/ptmx; }"
          + " || mount -t tmpfs -o mode=000,ro,size=4k agent /dev/pts || exit 73;"
          + " mount --bind /dev/null /dev/console;"
          + " exec unshare --user --map-user=\"$u\" --map-group=\"$g\" -- \"$@\"";

  /** Checks that a folder is hidden where the tier says so. */
  public Isolation {
    reasons = List.copyOf(reasons);
    deniedPorts = List.copyOf(deniedPorts);
    if (tier.hasFolder() != hidden.isPresent()) {
      throw new IllegalArgumentException(
          "hidden is " + hidden + ", which does not fit to tier " + tier);
    }
    if (tier != IsolationTier.DENIED_FOLDER && !deniedPorts.isEmpty()) {
      throw new IllegalArgumentException(
          "deniedPorts are " + deniedPorts + ", which tier " + tier + " does not deny");
    }
  }

  /** Creates one that denies no ports. */
  public Isolation(IsolationTier tier, Optional<Path> hidden, List<String> reasons) {
    this(tier, hidden, reasons, List.of());
  }

  /**
   * The command that runs a command so.
   *
   * @throws IOException if the system lacks what the tier needs
   */
  List<String> wrap(List<String> command, Identity identity) throws IOException {
    List<String> whole = new ArrayList<>();
    switch (tier) {
      case HIDDEN_FOLDER -> {
        held(whole, identity);
        whole.addAll(List.of("unshare", "--user", "--map-root-user", "--mount"));
        whole.addAll(PROCESSES);
        List<String> folders = new ArrayList<>(List.of(hidden.orElseThrow().toString()));
        SocketFolders.of(identity.user()).forEach(folder -> folders.add(folder.toString()));
        whole.addAll(List.of("sh", "-c", HIDE, "agent", identity.user(), identity.group()));
        whole.add(identity.hiddenKey());
        whole.add(Integer.toString(folders.size()));
        whole.addAll(folders);
        whole.addAll(FIRST);
      }
      case NAMESPACES -> {
        held(whole, identity);
        whole.addAll(List.of("unshare", "--user", "--map-current-user"));
        whole.addAll(PROCESSES);
        whole.addAll(FIRST);
      }
      case DENIED_FOLDER, SUPERVISED -> whole.addAll(Supervision.before(hidden, deniedPorts));
      case MARKED -> whole.add("setsid");
      case DESCENDANTS -> {}
    }
    whole.addAll(command);
    return whole;
  }

  /** Returns whether a folder, by its real path, is the hidden one or lies in it. */
  boolean isHidden(Path folder) {
    return hidden.filter(folder::startsWith).isPresent();
  }

  /**
   * Returns whether the hidden folder can be reached from a folder, by its real path: it is the
   * hidden one, lies in it, or is above it. An agent sees nothing there, but the host's own file
   * tools would.
   */
  public boolean reachesHidden(Path folder) {
    return isHidden(folder) || hidden.filter(path -> path.startsWith(folder)).isPresent();
  }

  /** Whether the agent is not the process that was started, but the child of its child. */
  boolean nested() {
    return tier == IsolationTier.HIDDEN_FOLDER || tier == IsolationTier.NAMESPACES;
  }

  private static void held(List<String> whole, Identity identity) {
    whole.addAll(HELD);
    whole.add(Long.toString(identity.host()));
  }

  /**
   * Who runs the agent.
   *
   * @param host this process
   * @param user the number of its user
   * @param group the number of its group
   * @param hiddenKey the device and the number of the folder that is to be hidden; empty: any
   */
  record Identity(long host, String user, String group, String hiddenKey) {
    /** Returns the same for a folder that agents are not to see. */
    Identity hiding(Path folder) throws IOException {
      String key =
          Files.getAttribute(folder, "unix:dev") + ":" + Files.getAttribute(folder, "unix:ino");
      return new Identity(host, user, group, key);
    }
  }
}
