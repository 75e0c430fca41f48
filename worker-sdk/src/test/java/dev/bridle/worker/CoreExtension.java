package dev.bridle.worker;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Serves a {@link FakeCore} over a real channel in the process, and closes the workers of each
 * test.
 */
final class CoreExtension implements BeforeEachCallback, AfterEachCallback {
  private final String name = "core-" + UUID.randomUUID();
  private final BindableService[] more;
  private final List<Worker> workers = new ArrayList<>();
  private final FakeCore core;
  private Server server;
  private ManagedChannel channel;

  CoreExtension(Duration leaseTime, BindableService... more) {
    this.core = new FakeCore(leaseTime);
    this.more = more;
  }

  FakeCore core() {
    return core;
  }

  WorkerBuilder worker() {
    return Worker.builder(channel).credentials("secret").closeGrace(Duration.ofMillis(500));
  }

  Worker start(TaskHandler handler) {
    return start(worker().handler(handler));
  }

  Worker start(WorkerBuilder builder) {
    Worker worker = builder.build();
    workers.add(worker);
    worker.start();
    return worker;
  }

  /** Waits until a task has ended, and returns how. */
  String end(String taskId) {
    await(() -> core.ends(taskId).size() == 1);
    return core.ends(taskId).get(0);
  }

  void startServer() throws IOException {
    InProcessServerBuilder builder =
        InProcessServerBuilder.forName(name).addService(new FakeWorkerService(core));
    for (BindableService service : more) {
      builder.addService(service);
    }
    server = builder.build().start();
  }

  void stopServer() throws InterruptedException {
    server.shutdownNow().awaitTermination();
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(5))
        .until(condition);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    startServer();
    channel = InProcessChannelBuilder.forName(name).build();
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    workers.forEach(Worker::close);
    channel.shutdownNow();
    stopServer();
  }
}
