package dev.bridle.cli.run;

import dev.bridle.cli.demo.JavaCommand;
import dev.bridle.cli.phone.PhoneReach;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a server is started that outlives the command which needs it: as {@code bridle up}, away from
 * the command's terminal.
 *
 * @param java the Java that runs it, with its options and class path
 * @param endUnused after what time without use it ends
 * @param relay whether it serves a HARP relay
 */
record ServerProgram(JavaCommand java, Duration endUnused, boolean relay) {
  private static final String LOG_FILE = "server.log";
  private static final int MAX_LAST_WORDS = 2000;

  /** A server that lives longer keeps no secrets of one project's environment. */
  private static final Set<String> VARIABLES =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "TZ",
          "TMPDIR",
          "JAVA_HOME",
          "http_proxy",
          "https_proxy",
          "no_proxy",
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "NO_PROXY",
          "MALLOC_ARENA_MAX");

  /** What one command said of its terminal is not so for the server. */
  private static final List<String> OF_THE_COMMAND =
      List.of("-javaagent", "-agentlib", "-Dbridle.terminal", "-Dbridle.typed");

  /** Returns a server with the Java, the options and the class archive of this process. */
  static ServerProgram ofThisProcess(Duration endUnused, boolean relay) {
    return new ServerProgram(javaOfThisProcess(), endUnused, relay);
  }

  /**
   * Starts it.
   *
   * @param httpPort the port of its gateway; 0: any
   * @param grpcPort the port of its gRPC services; 0: any
   * @param harpPort the port of its relay, if it serves one; 0: any
   */
  Process start(Path data, int httpPort, int grpcPort, int harpPort) throws IOException {
    List<String> up = new ArrayList<>(up(data, httpPort, grpcPort));
    if (relay) {
      up.addAll(List.of("--harp-port", Integer.toString(harpPort)));
      up.addAll(PhoneReach.read(data).arguments());
    }
    List<String> words = new ArrayList<>(List.of("sh", "-c", AWAY));
    words.addAll(java.bridle(up));
    ProcessBuilder builder = new ProcessBuilder(words).directory(data.toFile());
    builder.environment().keySet().removeIf(name -> !isPassed(name));
    Path log = data.resolve(LOG_FILE);
    Files.deleteIfExists(log);
    Files.createFile(
        log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private List<String> up(Path data, int httpPort, int grpcPort) {
    return List.of(
        "up",
        "--data-dir",
        data.toString(),
        "--http-port",
        Integer.toString(httpPort),
        "--grpc-port",
        Integer.toString(grpcPort),
        "--api-key-file",
        data.resolve(DetachedServer.KEY_FILE).toString(),
        "--no-demo-agent",
        "--end-unused",
        endUnused.toMillis() < 1_000_000
            ? endUnused.toMillis() + "ms"
            : endUnused.toSeconds() + "s");
  }

  /**
   * Away from the terminal and its Ctrl-C: in a session of its own where there is {@code setsid},
   * else with these signals ignored.
   */
  private static final String AWAY =
      "if command -v setsid >/dev/null 2>&1; then exec setsid \"$0\" \"$@\"; fi;"
          + " trap '' HUP INT QUIT; exec \"$0\" \"$@\"";

  private static boolean isPassed(String name) {
    return VARIABLES.contains(name) || name.startsWith("LC_");
  }

  private static JavaCommand javaOfThisProcess() {
    List<String> options =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> OF_THE_COMMAND.stream().noneMatch(option::startsWith))
            .toList();
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(each -> Path.of(each).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return JavaCommand.of(options, classPath);
  }

  /** Returns the end of what the last started server printed. */
  String lastWords(Path data) {
    try {
      String said = Files.readString(data.resolve(LOG_FILE)).strip();
      return said.substring(Math.max(0, said.length() - MAX_LAST_WORDS));
    } catch (IOException e) {
      return "(nothing can be read: " + e.getMessage() + ")";
    }
  }
}
