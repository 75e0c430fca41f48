package dev.bridle.host.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds an agent where the kernel offers nothing for it, as on macOS: a shell that has it in a
 * process group of its own, and kills the group when the agent or this host has ended. There, a
 * profile of {@code sandbox-exec} can deny it a folder, and ports of this machine.
 */
final class Supervision {
  /**
   * With job control, the agent has a group, and the reader of the host's pipe another. A signal to
   * the shell is passed on to the group, and interrupts the waiting, which is then begun again; 127
   * says that nothing is left to wait for.
   */
  private static final String SCRIPT =
      """
      pipe=$1
      shift
      exec 3<&0 4< "$pipe" || exit 70
      set -m
      "$@" <&3 3<&- 4<&- &
      agent=$!
      exec 3<&-
      { read -r never <&4; kill -KILL -- "-$agent"; } 2> /dev/null > /dev/null &
      guard=$!
      exec 4<&-
      trap 'again=1; kill -TERM -- "-$agent" 2> /dev/null' TERM
      code=127
      again=1
      while [ -n "$again" ]; do
        again=
        wait "$agent"
        ended=$?
        [ $ended -eq 127 ] || code=$ended
      done
      kill -KILL -- "-$agent" 2> /dev/null
      kill -KILL -- "-$guard" 2> /dev/null
      exit $code
      """;

  private Supervision() {}

  /**
   * Returns the words before an agent's command.
   *
   * @param denied the folder that a profile denies it
   * @param ports the ports of this machine that the profile denies it, too
   * @throws IOException if this system has no pipes with names
   */
  static List<String> before(Optional<Path> denied, List<Integer> ports) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of("bash", "-c", SCRIPT, "agent-supervisor", HostPipe.path().toString()));
    denied.ifPresent(folder -> words.addAll(List.of("sandbox-exec", "-p", profile(folder, ports))));
    return words;
  }

  /** All is allowed but the folder, to rename or remove those above it, and to call the ports. */
  static String profile(Path folder, List<Integer> ports) {
    StringBuilder profile =
        new StringBuilder("(version 1)(allow default)(deny file-read* file-write* (subpath ")
            .append(quoted(folder))
            .append("))");
    for (Path above = folder.getParent();
        above != null && above.getParent() != null;
        above = above.getParent()) {
      profile.append("(deny file-write-unlink (literal ").append(quoted(above)).append("))");
    }
    for (int port : ports) {
      profile.append("(deny network-outbound (remote ip \"localhost:").append(port).append("\"))");
    }
    return profile.toString();
  }

  private static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
