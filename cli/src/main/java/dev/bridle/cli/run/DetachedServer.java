package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.storage.embedded.DirectoryLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The server of a data directory, for all folders of a user. Whoever needs it first starts it, as a
 * process of its own, which ends by itself when nothing uses it. Its ports stay the same from start
 * to start, unless another program has one, so that who used it before a crash reaches it again.
 */
final class DetachedServer {
  /** An API key with all scopes, for commands at other terminals. */
  static final String KEY_FILE = "api.key";

  private static final String PORTS_FILE = "ports.json";
  private static final long PAUSE_MILLIS = 50;

  private final Path data;
  private final ServerProgram program;
  private final Consumer<String> notices;

  /**
   * Creates it; starts nothing.
   *
   * @param notices receives messages for the user
   */
  DetachedServer(Path data, ServerProgram program, Consumer<String> notices) {
    this.data = data;
    this.program = program;
    this.notices = notices;
  }

  Path data() {
    return data;
  }

  /**
   * Returns the running server, and starts one if none runs. Of several processes that do this at
   * once, one starts it.
   */
  ServerFile find() throws IOException, InterruptedException {
    DirectoryLock start = HostLocks.ofStart(data);
    try {
      Optional<ServerFile> running = ServerFile.read(data);
      if (running.isPresent() && isAsNeeded(running.get())) {
        return running.get();
      }
      if (running.isPresent()) {
        replace(running.get());
      }
      return start();
    } finally {
      start.close();
    }
  }

  private boolean isAsNeeded(ServerFile running) {
    return isThisVersion(running) && (!program.relay() || running.harpUrl().isPresent());
  }

  private static boolean isThisVersion(ServerFile running) {
    return running.version().equals(BuildVersion.current());
  }

  /** Stops a server of another version, or without the relay, if nobody needs it. */
  private void replace(ServerFile other) throws IOException, InterruptedException {
    boolean used = HostLocks.othersAreHeld(data);
    if (used || !other.endsUnused()) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The server on "
              + data
              + " (process "
              + other.pid()
              + ") "
              + lacks(other)
              + "; "
              + (used ? "end the other 'bridle run' that uses it first." : stopped(other)));
    }
    notices.accept(
        isThisVersion(other)
            ? "the server is started again with a relay for devices"
            : "the server is Bridle " + other.version() + "; it is started again as this version");
    Optional<ProcessHandle> process = other.process();
    if (process.isPresent()) {
      process.get().destroy();
      try {
        process.get().onExit().get(Timeouts.SERVER_STOP.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new CommandFailed(
            ExitCodes.FAILED, "The server (process " + other.pid() + ") does not end.", e);
      }
    }
  }

  private static String lacks(ServerFile other) {
    return isThisVersion(other)
        ? "serves no relay for devices"
        : "is Bridle " + other.version() + ", and this is " + BuildVersion.current();
  }

  private static String stopped(ServerFile other) {
    return isThisVersion(other) ? "start it with --harp-port." : "stop it first.";
  }

  private ServerFile start() throws IOException, InterruptedException {
    int[] before = ports();
    Optional<ServerFile> started = start(before[0], before[1], before[2]);
    boolean others = started.isEmpty() && Arrays.stream(before).anyMatch(DetachedServer::isTaken);
    if (others) {
      started = start(0, 0, 0);
    }
    ServerFile server =
        started.orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.FAILED,
                    "The server did not start. It said: " + program.lastWords(data)));
    if (others) {
      notices.accept(
          "another program uses a port that the server had; it is at " + server.httpUrl() + " now");
    }
    PrivateFile.write(
        data.resolve(PORTS_FILE),
        JsonLines.object()
                .put("http", URI.create(server.httpUrl()).getPort())
                .put("grpc", server.grpcPort())
                .put("harp", server.harpUrl().map(URI::create).map(URI::getPort).orElse(before[2]))
            + "\n");
    return server;
  }

  /** Returns whether somebody else has a port; 0 is any. */
  private static boolean isTaken(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort() != port && port != 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns the started server; empty if its process ended. */
  private Optional<ServerFile> start(int httpPort, int grpcPort, int harpPort)
      throws IOException, InterruptedException {
    Process process = program.start(data, httpPort, grpcPort, harpPort);
    long until = System.nanoTime() + Timeouts.SERVER_START.toNanos();
    while (System.nanoTime() < until) {
      boolean ended = process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      Optional<ServerFile> there = ServerFile.read(data);
      if (there.isPresent()) {
        return there;
      }
      if (ended) {
        return Optional.empty();
      }
    }
    process.destroyForcibly();
    return Optional.empty();
  }

  private static boolean isPort(int port) {
    return port > 0 && port < 65_536;
  }

  private int[] ports() throws IOException {
    Path file = data.resolve(PORTS_FILE);
    JsonNode kept =
        Files.exists(file)
            ? JsonLines.parse(Files.readString(file)).orElseGet(JsonLines::object)
            : JsonLines.object();
    int http = kept.path("http").asInt(0);
    int grpc = kept.path("grpc").asInt(0);
    int harp = kept.path("harp").asInt(0);
    return isPort(http) && isPort(grpc)
        ? new int[] {http, grpc, isPort(harp) ? harp : 0}
        : new int[] {0, 0, 0};
  }
}
