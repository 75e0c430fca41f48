package dev.bridle.benchmarks.flood;

import dev.bridle.benchmarks.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server in a process of its own, which connections of all kinds are opened to. */
final class FloodedServer implements AutoCloseable {
  private static final Pattern USED = Pattern.compile(" used (\\d+)K");
  private static final Pattern OWN = Pattern.compile("^[0-9:.]+|req_\\w+");

  private final String bridle;
  private final Path directory;
  private final ServerProcess server;

  private FloodedServer(String bridle, Path directory, ServerProcess server) {
    this.bridle = bridle;
    this.directory = directory;
    this.server = server;
  }

  /** Starts a server on free ports, with its data in a directory; its log goes to a file there. */
  static FloodedServer start(String bridle, Path directory) throws IOException {
    return new FloodedServer(
        bridle, directory, ServerProcess.start(bridle, directory, "--no-demo-agent"));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(url().getHost(), url().getPort());
  }

  InetSocketAddress grpcAddress() {
    return new InetSocketAddress(url().getHost(), server.grpcPort());
  }

  URI url() {
    return server.url();
  }

  boolean isAlive() {
    return server.process().isAlive();
  }

  /** Makes a tenant by a first key of it, and returns the key. */
  String key(String tenant) throws IOException, InterruptedException {
    Path file = directory.resolve(tenant + ".key");
    run(
        List.of(
            bridle,
            "apikey",
            "create",
            "--data-dir",
            directory.resolve("data").toString(),
            "--tenant",
            tenant,
            "--api-key-file",
            file.toString()));
    return Files.readString(file).strip();
  }

  /** Returns the memory, the heap in use, the files and the threads of the server.process(). */
  String figures() throws IOException, InterruptedException {
    if (!server.process().isAlive()) {
      return "ended with " + server.process().exitValue();
    }
    long files;
    try (Stream<Path> open = Files.list(Path.of("/proc/" + server.process().pid() + "/fd"))) {
      files = open.count();
    }
    return String.format(
        Locale.ROOT,
        "RSS %s MB (highest %s), heap used %d MB, %d files, %s threads",
        megabytes("VmRSS"),
        megabytes("VmHWM"),
        heapMegabytes(),
        files,
        server.status("Threads").orElse("?"));
  }

  /** Has the process collect its garbage. */
  void collectGarbage() throws IOException, InterruptedException {
    jcmd("GC.run");
  }

  /** Stops the server, and returns the lines that it logged, without what is their own. */
  Map<String, Integer> stopAndCountLog() throws IOException {
    close();
    Map<String, Integer> counts = new TreeMap<>();
    for (String line : Files.readAllLines(directory.resolve("server.log"))) {
      counts.merge(OWN.matcher(line).replaceAll("…"), 1, Integer::sum);
    }
    return counts;
  }

  @Override
  public void close() {
    server.close();
  }

  private long heapMegabytes() throws IOException, InterruptedException {
    // The generations, and not the classes, which are no heap.
    String heap = jcmd("GC.heap_info").split("Metaspace", 2)[0];
    return USED.matcher(heap).results().mapToLong(used -> Long.parseLong(used.group(1))).sum()
        >> 10;
  }

  private String megabytes(String name) throws IOException {
    return server.megabytes(name).map(String::valueOf).orElse("?");
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    return run(List.of(jcmd.toString(), "" + server.process().pid(), command));
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (run.waitFor() != 0) {
      throw new IllegalStateException(command.get(0) + " failed: " + output);
    }
    return output;
  }
}
