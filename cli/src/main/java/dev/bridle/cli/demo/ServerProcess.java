package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Timeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server in a separate process: `bridle up --json`, or another command that serves. */
public final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final JsonNode ready;

  private ServerProcess(Process process, JsonNode ready) {
    this.process = process;
    this.ready = ready;
  }

  /**
   * Starts a server and returns when it is ready.
   *
   * @param java the command that runs Bridle
   * @param log receives stderr of the process
   * @param options the options after `bridle up --json`
   * @throws CommandFailed if the process ends instead; the message contains its stderr
   */
  public static ServerProcess start(JavaCommand java, Path log, List<String> options) {
    return start(java, log, "up", options);
  }

  /**
   * Starts a server by a command and returns when it is ready.
   *
   * @param java the command that runs Bridle
   * @param log receives stderr of the process
   * @param command the name of the command
   * @param options its options beyond `--json`
   * @throws CommandFailed if the process ends instead; the message contains its stderr
   */
  public static ServerProcess start(
      JavaCommand java, Path log, String command, List<String> options) {
    try {
      Process process = launch(java, log, command, options);
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      CompletableFuture<Optional<String>> line =
          CompletableFuture.supplyAsync(() -> firstLine(out));
      try {
        Optional<JsonNode> ready =
            line.get(Timeouts.SERVER_START.toSeconds(), TimeUnit.SECONDS).flatMap(JsonLines::parse);
        if (ready.isPresent()) {
          return new ServerProcess(process, ready.get());
        }
      } catch (TimeoutException | ExecutionException e) {
        process.destroyForcibly();
        throw new CommandFailed(ExitCodes.FAILED, "The server did not become ready: " + e, e);
      }
      process.waitFor();
      throw new CommandFailed(
          ExitCodes.FAILED, "The server ended during its start: " + Files.readString(log).strip());
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The server can't be started: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  private static Process launch(JavaCommand java, Path log, String command, List<String> options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command, "--json"));
    arguments.addAll(options);
    return new ProcessBuilder(java.bridle(arguments))
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static Optional<String> firstLine(BufferedReader out) {
    try {
      return Optional.ofNullable(out.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the URL of its REST and SSE interface. */
  public URI url() {
    return URI.create(ready.path("http_url").asText());
  }

  /** Returns the URL of its HARP relay, if it serves one. */
  public Optional<URI> harpUrl() {
    return Optional.ofNullable(ready.path("harp_url").textValue()).map(URI::create);
  }

  /** Returns the port of its gRPC services. */
  public int grpcPort() {
    return ready.path("grpc_port").asInt();
  }

  /** Returns the process's id. */
  public long pid() {
    return process.pid();
  }

  /** Kills the process with SIGKILL and waits until it has ended. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Stops the process with SIGTERM and returns its exit code. */
  public int stop() {
    process.destroy();
    return awaitEnd();
  }

  private int awaitEnd() {
    try {
      if (!process.waitFor(Timeouts.SERVER_STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new CommandFailed(
            ExitCodes.FAILED,
            "The server did not end within " + Timeouts.SERVER_STOP.toSeconds() + " s.");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  /** Kills the process if it still runs, and returns when its directory is unlocked. */
  @Override
  public void close() {
    kill();
  }
}
