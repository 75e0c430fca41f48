package dev.bridle.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The addresses of a running server, stored in a file of its data directory for admin commands.
 * After a crash the file remains: a running process with that id is a hint, the directory's lock is
 * the proof.
 *
 * @param pid the server's process
 * @param grpcHost the address of its gRPC services
 * @param grpcPort their port
 * @param httpUrl the URL of its gateway
 */
public record ServerFile(long pid, String grpcHost, int grpcPort, String httpUrl) {
  private static final String FILE = "server.json";

  /** Returns the description of a server in this process. */
  public static ServerFile here(String host, int grpcPort, URI httpUrl) {
    return new ServerFile(ProcessHandle.current().pid(), host, grpcPort, httpUrl.toString());
  }

  /** Returns the content of the directory's file if its process runs. */
  public static Optional<ServerFile> read(Path dataDir) throws IOException {
    Path file = dataDir.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    return JsonLines.parse(Files.readString(file)).map(ServerFile::of).filter(ServerFile::runs);
  }

  /** Writes the file. */
  public void write(Path dataDir) throws IOException {
    String line =
        JsonLines.object()
            .put("pid", pid)
            .put("grpc_host", grpcHost)
            .put("grpc_port", grpcPort)
            .put("http_url", httpUrl)
            .toString();
    PrivateFile.write(dataDir.resolve(FILE), line + "\n");
  }

  /** Removes the file. */
  public static void remove(Path dataDir) throws IOException {
    Files.deleteIfExists(dataDir.resolve(FILE));
  }

  private static ServerFile of(JsonNode json) {
    return new ServerFile(
        json.path("pid").asLong(),
        json.path("grpc_host").asText(),
        json.path("grpc_port").asInt(),
        json.path("http_url").asText());
  }

  private boolean runs() {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
