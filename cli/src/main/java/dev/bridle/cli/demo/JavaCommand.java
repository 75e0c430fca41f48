package dev.bridle.cli.demo;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The start of the command line of a `bridle` process, up to the name of the main class.
 *
 * @param words Java, its options, and the class path
 */
public record JavaCommand(List<String> words) {
  private static final String MAIN = "dev.bridle.cli.Main";
  private static final String ARCHIVE = "-XX:SharedArchiveFile=";
  private static final String OF_COMMANDS = "/bridle.jsa";
  private static final String OF_SERVERS = "bridle-up.jsa";
  private static final Set<String> SERVERS = Set.of("up", "harp-gateway");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  public JavaCommand {
    words = List.copyOf(words);
  }

  /** Returns the command with the Java, the options and the class path of this process. */
  public static JavaCommand ofThisProcess() {
    List<String> options =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> !flag.startsWith("-javaagent") && !flag.startsWith("-agentlib"))
            .toList();
    return of(options, System.getProperty("java.class.path"));
  }

  /** Returns the command with the Java of this process. */
  public static JavaCommand of(List<String> options, String classPath) {
    List<String> words = new ArrayList<>(List.of(JAVA));
    words.addAll(options);
    words.addAll(List.of("-cp", classPath));
    return new JavaCommand(words);
  }

  /** Returns the command with one more option of Java. */
  public JavaCommand with(String option) {
    List<String> all = new ArrayList<>(words);
    all.add(1, option);
    return new JavaCommand(all);
  }

  /** Returns the whole command line of another main class, in a small heap. */
  List<String> running(Class<?> main) {
    List<String> all = new ArrayList<>(words);
    all.addAll(1, List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    all.add(main.getName());
    return List.copyOf(all);
  }

  /** Returns the whole command line of a `bridle` command; a server's with its own archive. */
  public List<String> bridle(List<String> arguments) {
    List<String> all = new ArrayList<>(words);
    if (!arguments.isEmpty() && SERVERS.contains(arguments.get(0))) {
      all.replaceAll(JavaCommand::archiveOfServers);
    }
    all.add(MAIN);
    all.addAll(arguments);
    return List.copyOf(all);
  }

  /** Chooses as the `bridle` script does, which makes both archives. */
  private static String archiveOfServers(String option) {
    if (!option.startsWith(ARCHIVE) || !option.endsWith(OF_COMMANDS)) {
      return option;
    }
    Path ofServers = Path.of(option.substring(ARCHIVE.length())).resolveSibling(OF_SERVERS);
    return Files.exists(ofServers) ? ARCHIVE + ofServers : option;
  }
}
