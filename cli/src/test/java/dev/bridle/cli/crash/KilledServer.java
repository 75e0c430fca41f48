package dev.bridle.cli.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.storage.SoundStorage;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server process that is killed and started again, with the same data on the same ports. */
final class KilledServer implements AutoCloseable {
  private final Path directory;
  private final List<String> further;
  private final String key;
  private final ProtocolClient client;
  private volatile ServerProcess process;

  /**
   * Starts a server.
   *
   * @param directory where its data, its key and its log lie
   * @param further options beyond these
   */
  KilledServer(Path directory, String... further) throws IOException {
    this.directory = directory;
    this.further = List.of(further);
    this.process = start(0, 0);
    this.key = Files.readString(directory.resolve("api.key")).strip();
    this.client = new ProtocolClient(process.url(), key);
  }

  private ServerProcess start(int httpPort, int grpcPort) {
    List<String> options = new ArrayList<>(SuiteEngine.arguments(directory.resolve("data")));
    options.addAll(List.of("--api-key-file", directory.resolve("api.key").toString()));
    options.addAll(List.of("--http-port", "" + httpPort, "--grpc-port", "" + grpcPort));
    options.addAll(further);
    return ServerProcess.start(BuiltBridle.java(), directory.resolve("server.log"), options);
  }

  ProtocolClient client() {
    return client;
  }

  String key() {
    return key;
  }

  /** Returns the port of its gRPC services, which stays the same. */
  int grpcPort() {
    return process.grpcPort();
  }

  /** Returns a client of its relay, which has another port each time that it is started. */
  ProtocolClient relay() {
    return new ProtocolClient(process.harpUrl().orElseThrow(), key);
  }

  /** Kills it, from whatever thread. */
  void killNow() {
    process.kill();
  }

  /** Kills it, and checks what it left. */
  void kill() {
    process.kill();
    SoundStorage.check(directory.resolve("data"));
  }

  /** Kills it, checks what it left, and starts it again. */
  void restart() {
    int httpPort = process.url().getPort();
    int grpcPort = process.grpcPort();
    kill();
    process = start(httpPort, grpcPort);
  }

  /** Returns all of a list, page by page. */
  List<JsonNode> all(String list) {
    List<JsonNode> rows = new ArrayList<>();
    String join = list.contains("?") ? "&" : "?";
    String cursor = "";
    boolean more = true;
    while (more) {
      JsonNode page = client.get(list + join + "limit=200" + cursor).json();
      page.get("data").forEach(rows::add);
      more = page.at("/page/has_more").booleanValue();
      cursor = "&cursor=" + page.at("/page/next_cursor").asText();
    }
    return rows;
  }

  @Override
  public void close() {
    process.close();
  }
}
