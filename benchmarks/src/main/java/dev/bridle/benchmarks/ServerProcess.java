package dev.bridle.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bridle up} in a process of its own, on free ports, as people start it. */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("\"http_url\":\"([^\"]+)\"");
  private static final Pattern GRPC_PORT = Pattern.compile("\"grpc_port\":(\\d+)");
  private static final int STOP_SECONDS = 30;

  private final Path directory;
  private final Process process;
  private final URI url;
  private final int grpcPort;

  private ServerProcess(Path directory, Process process, URI url, int grpcPort) {
    this.directory = directory;
    this.process = process;
    this.url = url;
    this.grpcPort = grpcPort;
  }

  /**
   * Starts a server.
   *
   * @param bridle the command
   * @param directory where its data, its first key and its log go
   * @param options further options of {@code bridle up}
   */
  public static ServerProcess start(String bridle, Path directory, String... options)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                bridle,
                "up",
                "--json",
                "--http-port",
                "0",
                "--grpc-port",
                "0",
                // Each task of a load opens a stream: the limit is not what is measured.
                "--max-event-streams",
                "1000000",
                "--data-dir",
                directory.resolve("data").toString(),
                "--api-key-file",
                directory.resolve("first.key").toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(directory.resolve("server.log").toFile());
    // Its heap is asked for by jcmd, which servers otherwise refuse.
    builder
        .environment()
        .merge("BRIDLE_JAVA_OPTS", "-XX:-DisableAttachMechanism", (own, ours) -> own + " " + ours);
    Process process = builder.start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String ready = out.readLine();
    Matcher url = URL.matcher(ready == null ? "" : ready);
    Matcher grpcPort = GRPC_PORT.matcher(ready == null ? "" : ready);
    if (!url.find() || !grpcPort.find()) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not get ready: " + ready);
    }
    return new ServerProcess(
        directory, process, URI.create(url.group(1)), Integer.parseInt(grpcPort.group(1)));
  }

  /** Returns where the gateway listens. */
  public URI url() {
    return url;
  }

  /** Returns the port of the core's gRPC listener. */
  public int grpcPort() {
    return grpcPort;
  }

  /** Returns the server's process. */
  public Process process() {
    return process;
  }

  /** Returns the key that the server made at its first start. */
  public String firstKey() throws IOException {
    return Files.readString(directory.resolve("first.key")).strip();
  }

  /** Returns the processor time that the server has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Returns a line of what Linux says of the process, such as {@code VmRSS}. */
  public Optional<String> status(String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  /** Returns an amount of memory of {@link #status} in megabytes; empty where it has none. */
  public Optional<Long> megabytes(String name) throws IOException {
    return status(name).map(text -> Long.parseLong(text.replace(" kB", "")) >> 10);
  }

  /** Stops the server, and waits for its end. */
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
}
