package dev.bridle.host.process;

import java.util.List;

/**
 * A shell that waits for the end of this host, and then kills what its agents left, by their
 * marker. Only for systems where the kernel does not do that.
 */
final class OrphanGuard {
  /** Reads until the pipe ends, which it does when the host dies, however it does. */
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      cat > /dev/null
      again=20
      while [ $again -gt 0 ]; do
        found=0
        for file in /proc/[0-9]*/environ; do
          if tr '\\0' '\\n' 2> /dev/null < "$file" | grep -q "^$1"; then
            pid=${file#/proc/}
            kill -KILL "${pid%/environ}" 2> /dev/null && found=1
          fi
        done
        [ $found -eq 1 ] || exit 0
        again=$((again - 1))
      done
      """;

  private OrphanGuard() {}

  /** The command, whose input is a pipe of this host's that ends with it. */
  static ProcessBuilder command(HostMark mark) {
    String start = HostMark.VARIABLE + "=" + mark.prefix();
    return new ProcessBuilder(List.of("setsid", "sh", "-c", SCRIPT, "agent-guard", start))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD);
  }
}
