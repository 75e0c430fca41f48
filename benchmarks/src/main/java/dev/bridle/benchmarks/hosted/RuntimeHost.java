package dev.bridle.benchmarks.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code bridle up} with a runtime whose agents are shell scripts. */
final class RuntimeHost implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String UPDATE =
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\","
          + "\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"m\","
          + "\"content\":{\"type\":\"text\",\"text\":\"%s\"}}}}";

  /** Shakes hands, opens a session, takes a prompt, and writes until it is killed. */
  private static final String AGENT =
      """
      read -r a; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
      read -r b; echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
      read -r c
      if [ "$1" = flood ]; then exec yes "$2"; fi
      while :; do printf "$3" "$(date +%s%N)"; sleep 0.25; done
      """;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Process process;
  private final JsonNode ready;
  private final String key;
  private final String workspace;
  private long startMillis;

  RuntimeHost(Path bridle, Path directory, int runtimes, String agent) throws IOException {
    Path data = Files.createTempDirectory(directory, "data");
    Path folders = Files.createTempDirectory(directory, "folders");
    Path keyFile = data.resolve("api.key");
    Path file = data.resolveSibling(data.getFileName() + ".json");
    ObjectNode all = MAPPER.createObjectNode();
    ObjectNode runtime = all.putObject("runtimes").putObject("bench");
    runtime.put("max_processes", runtimes);
    runtime
        .putArray("command")
        .add("sh")
        .add("-c")
        .add(AGENT)
        .add("agent")
        .add(agent)
        .add(update())
        .add(String.format(UPDATE, "T%s").replace("\\", "\\\\") + "\\n");
    Files.writeString(file, all.toString());
    process =
        new ProcessBuilder(
                bridle.toString(),
                "up",
                "--json",
                "--no-demo-agent",
                "--http-port",
                "0",
                "--grpc-port",
                "0",
                "--data-dir",
                data.toString(),
                "--api-key-file",
                keyFile.toString(),
                "--workspace-root",
                folders.toString(),
                "--runtimes",
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ready = MAPPER.readTree(process.inputReader(StandardCharsets.UTF_8).readLine());
    key = Files.readString(keyFile).strip();
    workspace =
        post("/v1/workspaces", "{\"name\":\"bench\",\"root\":\"folder:bench\"}").get("id").asText();
  }

  /** Returns the update that a flooding agent repeats. */
  static String update() {
    return String.format(UPDATE, "word ");
  }

  /** Begins a task in a session of its own, and reads its stream. */
  FrameReader begin() throws IOException {
    long start = System.nanoTime();
    String session =
        post("/v1/sessions", "{\"workspace_id\":\"" + workspace + "\"}").get("id").asText();
    String task =
        post("/v1/sessions/" + session + "/tasks", "{\"input\":{\"text\":\"go\"}}")
            .get("id")
            .asText();
    HttpResponse<InputStream> stream = send(request("/v1/tasks/" + task + "/stream").GET().build());
    FrameReader reader = new FrameReader(stream.body());
    try {
      reader.awaitFirst();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    startMillis = (System.nanoTime() - start) / 1_000_000;
    return reader;
  }

  /** Returns how long the last task took from its submission to its first frame. */
  long startMillis() {
    return startMillis;
  }

  /** Returns what the server itself has resident; its agents are processes of their own. */
  long residentBytes() throws IOException {
    for (String line :
        Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("the server has ended");
  }

  private JsonNode post(String path, String body) throws IOException {
    HttpResponse<InputStream> response =
        send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    try (InputStream answer = response.body()) {
      JsonNode json = MAPPER.readTree(answer);
      if (response.statusCode() / 100 != 2) {
        throw new IOException(response.statusCode() + ": " + json);
      }
      return json;
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(ready.get("http_url").asText() + path))
        .header("Authorization", "Bearer " + key)
        .header("Harn-Agents-Protocol-Version", "agents-protocol-2026-04-25");
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    var unused = process.onExit().join();
  }
}
