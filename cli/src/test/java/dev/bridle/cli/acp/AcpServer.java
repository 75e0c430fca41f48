package dev.bridle.cli.acp;

import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** A server with a worker that does what prompts say, both in this process. */
final class AcpServer implements AutoCloseable {
  private final Path directory;
  private final PromptedWorker handler = new PromptedWorker();
  private final ManagedChannel channel;
  private final Worker worker;
  private final String key;
  private LocalServer server;

  AcpServer(Path directory) throws IOException {
    this.directory = directory;
    this.server =
        LocalServer.start(LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent());
    this.key = server.firstKey().orElseThrow();
    Files.writeString(keyFile(), key);
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
    this.worker =
        Worker.builder(channel)
            .credentials(key)
            .agentId("prompted")
            .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
            .slots(16)
            .handler(handler)
            .build();
    worker.start();
  }

  Path keyFile() {
    return directory.resolve("api.key");
  }

  String key() {
    return key;
  }

  String url() {
    return server.baseUrl().toString();
  }

  PromptedWorker worker() {
    return handler;
  }

  /** Starts it again at the same addresses. */
  void restart() throws IOException {
    LocalServerOptions options =
        LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent();
    int http = server.baseUrl().getPort();
    int grpc = server.grpcPort();
    server.close();
    server =
        LocalServer.start(
            options
                .withGateway(options.gateway().withListener(on -> on.withPort(http)))
                .withCore(options.core().withListener("127.0.0.1", grpc)));
  }

  /** Returns a client of another user, who may do everything. */
  RestClient client() {
    return RestClient.ofKnown(server.baseUrl(), key, notice -> {});
  }

  /** Creates a persona that asks before it acts, and returns its id. */
  String persona(String name) {
    return client()
        .post(
            "/v1/personas",
            JsonLines.object()
                .put("name", name)
                .put("version", "1")
                .put("entry_workflow", "w")
                .put("description", "The persona " + name)
                .put("autonomy_tier", "act_with_approval")
                .put("receipt_policy", "optional"),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  @Override
  public void close() {
    worker.close();
    channel.shutdownNow();
    server.close();
  }
}
