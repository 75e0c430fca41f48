package dev.bridle.cli.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Map;

/**
 * The name of the person at this terminal, by which what they answer is recorded: USER@HOST, as the
 * operating system has them. It says who it was to people, and gives access to nothing: that takes
 * the secret of each process.
 */
final class TerminalPerson {
  /** Both and what is between them fit into the name of an actor. */
  private static final int MAX_CHARACTERS = 60;

  private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

  private TerminalPerson() {}

  /** Returns the name of whoever has started this process. */
  static String name() {
    return of(System.getProperty("user.name", ""), host(System.getenv()));
  }

  /**
   * Returns a name of a user and a host that is safe to print and to type: letters, digits, and a
   * few signs.
   */
  static String of(String user, String host) {
    return cleaned(user, "user") + "@" + cleaned(host, "localhost");
  }

  private static String cleaned(String name, String otherwise) {
    // Windows may write a domain or the machine before the user.
    String own = name.substring(name.lastIndexOf('\\') + 1).strip();
    StringBuilder kept = new StringBuilder();
    Normalizer.normalize(own, Normalizer.Form.NFC)
        .codePoints()
        .limit(MAX_CHARACTERS)
        .map(point -> isKept(point) ? point : '_')
        .forEach(kept::appendCodePoint);
    boolean says = kept.codePoints().anyMatch(Character::isLetterOrDigit);
    return says ? kept.toString() : otherwise;
  }

  private static boolean isKept(int point) {
    return Character.isLetterOrDigit(point) || point == '.' || point == '-' || point == '_';
  }

  /** Returns the host's name where that needs no network, which may be slow to say no. */
  private static String host(Map<String, String> environment) {
    try {
      if (Files.isReadable(KERNEL_NAME)) {
        return Files.readString(KERNEL_NAME);
      }
    } catch (IOException e) {
      // The other ways remain.
    }
    String ofWindows = environment.getOrDefault("COMPUTERNAME", "");
    if (!ofWindows.isBlank()) {
      return ofWindows;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
