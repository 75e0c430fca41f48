package dev.bridle.cli.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.JsonLines;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Prints that the server is ready, its addresses, and a first request to try. */
final class Announcement {
  private final PrintWriter out;
  private final boolean json;
  private final Kind kind;

  /**
   * What kind of server it is.
   *
   * @param rest what its REST is for
   * @param trial a first request to try
   */
  record Kind(String rest, Trial trial) {}

  /** A first request to try. */
  @FunctionalInterface
  interface Trial {
    /**
     * Returns its lines.
     *
     * @param url the URL of REST
     * @param key the API key, or words that stand for one
     */
    List<String> lines(URI url, String key);
  }

  /** A server of agents, where a person first lists workspaces. */
  static final Kind OF_SERVER =
      new Kind(
          "REST and SSE",
          (url, key) ->
              List.of(
                  "curl -s " + url + "/v1/workspaces \\",
                  "  -H 'Harn-Agents-Protocol-Version: agents-protocol-2026-04-25' \\",
                  "  -H \"Authorization: Bearer " + key + "\""));

  /** A relay alone, whose REST is for administrators, where a person first creates an approver. */
  static final Kind OF_RELAY =
      new Kind(
          "admin REST",
          (url, key) ->
              List.of(
                  "bridle harp parties create phone --url " + url + " \\",
                  "  --api-key \"" + key + "\""));

  Announcement(PrintWriter out, boolean json, Kind kind) {
    this.out = out;
    this.json = json;
    this.kind = kind;
  }

  /**
   * Prints the announcement.
   *
   * @param written the API key file, if this start wrote it
   */
  void ready(LocalServer server, Path dataDir, Optional<ApiKeyFile> written) {
    if (json) {
      out.println(line(server, dataDir, written));
    } else {
      text(server, dataDir, written);
    }
    out.flush();
  }

  private static String line(LocalServer server, Path dataDir, Optional<ApiKeyFile> written) {
    ObjectNode line =
        JsonLines.object()
            .put("ready", true)
            .put("pid", ProcessHandle.current().pid())
            .put("http_url", server.baseUrl().toString())
            .put("grpc_port", server.grpcPort())
            .put("storage", server.storage().name())
            .put("data_dir", dataDir.toString());
    server.harpUrl().ifPresent(url -> line.put("harp_url", url.toString()));
    if (written.isPresent()) {
      line.put("api_key_file", written.get().path().toString());
    } else {
      server.firstKey().ifPresent(key -> line.put("api_key", key));
    }
    return line.toString();
  }

  private void text(LocalServer server, Path dataDir, Optional<ApiKeyFile> written) {
    out.println("Bridle " + BuildVersion.current() + " is ready.");
    out.println(String.format("  %-14s%s", kind.rest, server.baseUrl()));
    out.println("  gRPC          port " + server.grpcPort());
    server.harpUrl().ifPresent(url -> out.println("  HARP          " + url));
    out.println("  storage       " + server.storage().described());
    out.println("  data          " + dataDir);
    String key = "YOUR_KEY";
    if (written.isPresent()) {
      out.println("  API key       written to " + written.get().path());
      key = "$(cat " + written.get().path() + ")";
    } else if (server.firstKey().isPresent()) {
      key = server.firstKey().get();
      out.println("  API key       " + key);
      out.println("                (shown only once; 'bridle apikey create' creates others)");
    }
    out.println();
    out.println("Try it:");
    kind.trial.lines(server.baseUrl(), key).forEach(line -> out.println("  " + line));
  }
}
