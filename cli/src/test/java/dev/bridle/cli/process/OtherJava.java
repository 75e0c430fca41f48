package dev.bridle.cli.process;

import dev.bridle.cli.demo.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs Bridle as {@link BuiltBridle} does, with other options or on another JDK. */
public final class OtherJava {
  private static final int OLDEST = 17;
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  private OtherJava() {}

  /** Returns the command with further options of Java. */
  public static JavaCommand with(List<String> options) {
    return on(Path.of(System.getProperty("java.home")), options);
  }

  /** Returns the command with the Java of a JDK and further options, without an archive. */
  public static JavaCommand on(Path home, List<String> options) {
    List<String> words = new ArrayList<>(BuiltBridle.java().words());
    words.removeIf(word -> word.startsWith("-XX:SharedArchiveFile="));
    words.set(0, home.resolve("bin").resolve("java").toString());
    words.addAll(1, options);
    return new JavaCommand(words);
  }

  /**
   * Returns the home of a JDK of another version that can run Bridle: one that a variable of the
   * environment like {@code JAVA_HOME_21_X64} names, or that the system has installed.
   */
  public static Optional<Path> home() {
    Stream<Path> named =
        System.getenv().entrySet().stream()
            .filter(variable -> variable.getKey().startsWith("JAVA_HOME"))
            .map(Map.Entry::getValue)
            .sorted()
            .map(Path::of);
    return Stream.concat(named, installed().stream()).filter(OtherJava::isOther).findFirst();
  }

  private static List<Path> installed() {
    if (!Files.isDirectory(INSTALLED)) {
      return List.of();
    }
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      return homes.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOther(Path home) {
    int version = version(home);
    return version >= OLDEST
        && version != Runtime.version().feature()
        && Files.isExecutable(home.resolve("bin").resolve("java"));
  }

  /** Returns the version of a JDK; 0 if it does not say. */
  private static int version(Path home) {
    Path file = home.resolve("release");
    if (!Files.isRegularFile(file)) {
      return 0;
    }
    try {
      Matcher line = VERSION.matcher(Files.readString(file));
      return line.find() ? Integer.parseInt(line.group(1)) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
