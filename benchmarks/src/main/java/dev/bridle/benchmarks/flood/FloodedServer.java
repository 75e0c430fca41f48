package dev.bridle.benchmarks.flood;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server in a process of its own, started by the command that people use. */
final class FloodedServer implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("\"http_url\":\"([^\"]+)\"");
  private static final Pattern GRPC_PORT = Pattern.compile("\"grpc_port\":(\\d+)");
  private static final Pattern USED = Pattern.compile(" used (\\d+)K");
  private static final Pattern OWN = Pattern.compile("^[0-9:.]+|req_\\w+");
  private static final int STOP_SECONDS = 30;

  private final String bridle;
  private final Path directory;
  private final Process process;
  private final URI url;
  private final int grpcPort;

  private FloodedServer(String bridle, Path directory, Process process, URI url, int grpcPort) {
    this.bridle = bridle;
    this.directory = directory;
    this.process = process;
    this.url = url;
    this.grpcPort = grpcPort;
  }

  /** Starts a server on free ports, with its data in a directory; its log goes to a file there. */
  static FloodedServer start(String bridle, Path directory) throws IOException {
    Process process =
        new ProcessBuilder(
                bridle,
                "up",
                "--json",
                "--no-demo-agent",
                "--http-port",
                "0",
                "--grpc-port",
                "0",
                "--data-dir",
                directory.resolve("data").toString(),
                "--api-key-file",
                directory.resolve("first.key").toString())
            .redirectError(directory.resolve("server.log").toFile())
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String ready = out.readLine();
    Matcher url = URL.matcher(ready == null ? "" : ready);
    Matcher grpcPort = GRPC_PORT.matcher(ready == null ? "" : ready);
    if (!url.find() || !grpcPort.find()) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not get ready: " + ready);
    }
    return new FloodedServer(
        bridle, directory, process, URI.create(url.group(1)), Integer.parseInt(grpcPort.group(1)));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(url.getHost(), url.getPort());
  }

  InetSocketAddress grpcAddress() {
    return new InetSocketAddress(url.getHost(), grpcPort);
  }

  URI url() {
    return url;
  }

  boolean isAlive() {
    return process.isAlive();
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

  /** Returns the memory, the heap in use, the files and the threads of the process. */
  String figures() throws IOException, InterruptedException {
    if (!process.isAlive()) {
      return "ended with " + process.exitValue();
    }
    long files;
    try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      files = open.count();
    }
    return String.format(
        Locale.ROOT,
        "RSS %s MB (highest %s), heap used %d MB, %d files, %s threads",
        megabytes("VmRSS"),
        megabytes("VmHWM"),
        heapMegabytes(),
        files,
        status("Threads").orElse("?"));
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
    process.destroy();
    var unused =
        process
            .onExit()
            .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
            .thenCompose(stopped -> stopped.destroyForcibly().onExit())
            .join();
  }

  private long heapMegabytes() throws IOException, InterruptedException {
    // The generations, and not the classes, which are no heap.
    String heap = jcmd("GC.heap_info").split("Metaspace", 2)[0];
    return USED.matcher(heap).results().mapToLong(used -> Long.parseLong(used.group(1))).sum()
        >> 10;
  }

  private String megabytes(String name) throws IOException {
    return status(name)
        .map(text -> "" + (Long.parseLong(text.replace(" kB", "")) >> 10))
        .orElse("?");
  }

  private Optional<String> status(String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    return run(List.of(jcmd.toString(), "" + process.pid(), command));
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
