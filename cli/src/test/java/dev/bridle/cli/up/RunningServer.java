package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.suite.Bounds;
import dev.bridle.fixtures.suite.ServerUnderTest;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** Starts the real server, all parts of it, on free ports over a directory of its own. */
public final class RunningServer
    implements BeforeAllCallback, AfterAllCallback, TestExecutionExceptionHandler {
  private static final List<AddressRange> LOOPBACK = List.of(AddressRange.parse("127.0.0.1"));
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration SLOW_READER = Duration.ofSeconds(5);
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final List<String> SCOPES =
      List.of(
          "workspaces:read",
          "sessions:read",
          "sessions:write",
          "tasks:read",
          "tasks:write",
          "events:read",
          "artifacts:read",
          "artifacts:write",
          "personas:read",
          "personas:write",
          "skills:read",
          "quotas:read",
          "memories:read",
          "memories:write",
          "vaults:read",
          "vaults:write",
          "schedules:read",
          "schedules:write",
          "runtime:read",
          "permissions:read",
          "receipts:read",
          "permissions:respond");

  private final UnaryOperator<KeyValueStore> around;
  private final boolean foldersAllowed;
  private Optional<Path> workspaceRoot = Optional.empty();
  private Duration slowReader = SLOW_READER;
  private Path directory;
  private LocalServer server;
  private ServerUnderTest description;

  public RunningServer() {
    this(UnaryOperator.identity());
  }

  /** The server works on what {@code around} makes of its store. */
  RunningServer(UnaryOperator<KeyValueStore> around) {
    this(around, false);
  }

  private RunningServer(UnaryOperator<KeyValueStore> around, boolean foldersAllowed) {
    this.around = around;
    this.foldersAllowed = foldersAllowed;
  }

  /** Returns a server that cuts no reader whose thread a busy machine leaves waiting. */
  static RunningServer withPatience() {
    RunningServer server = new RunningServer();
    server.slowReader = PATIENCE;
    return server;
  }

  /** Returns a server whose workspaces may have folders. */
  static RunningServer withWorkspaceRoot() {
    return new RunningServer(UnaryOperator.identity(), true);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    // A nested class is within the server of the class around it.
    if (server == null) {
      open();
    }
  }

  /** Starts it, where no extension does. */
  void open() throws IOException {
    directory = Files.createTempDirectory("bridle-test-");
    if (foldersAllowed) {
      workspaceRoot = Optional.of(Files.createTempDirectory("bridle-folders-"));
    }
    server = start();
    String key = server.firstKey().orElseThrow();
    Map<String, String> narrow =
        SCOPES.stream().collect(Collectors.toMap(Function.identity(), this::keyFor));
    description =
        ServerUnderTest.at(server.baseUrl(), key)
            .withOtherTenant(key(CreateApiKeyRequest.newBuilder().setTenantId("other").build()))
            .withNarrowKeys(narrow)
            .withBounds(bounds())
            .withRestart(this::restart);
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (context.getRequiredTestClass().getEnclosingClass() == null) {
      closeAndCheck();
    }
  }

  /**
   * What the server's threads do, and what its log has, when a test fails says most of a wait that
   * had no end.
   */
  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof TestAbortedException) {
      throw failure;
    }
    throw new AssertionError(
        failure + "\n\nThe server then: " + ServerFacts.of(server.store()), failure);
  }

  /** Stops it and sees that what is stored is sound. */
  void closeAndCheck() throws IOException {
    server.close();
    check();
    remove(directory);
    if (workspaceRoot.isPresent()) {
      remove(workspaceRoot.get());
    }
  }

  private static void remove(Path all) throws IOException {
    try (var files = Files.walk(all)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What the suite has left in the store is as it can be. */
  private void check() throws IOException {
    LocalServerOptions options = SuiteEngine.of(LocalServerOptions.of(directory));
    try (KeyValueStore store = options.storage().open(directory)) {
      assertThat(
              new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG, 0)
                  .check(CheckProgress.SILENT)
                  .findings())
          .as("what the checker finds")
          .isEmpty();
    }
  }

  /** The server as the suite knows it, where it listens now. */
  public ServerUnderTest description() {
    return new ServerUnderTest(
        server.baseUrl(),
        description.apiKey(),
        description.workspaceId(),
        description.otherTenantKey(),
        description.narrowKeys(),
        description.restart(),
        description.expireThrough(),
        description.agent(),
        description.bounds());
  }

  /** A client with the owner's key. */
  public ProtocolClient client() {
    return new ProtocolClient(server.baseUrl(), description.apiKey());
  }

  /** Makes the server forget all events up to and including that one, as retention does. */
  public void forgetThrough(String eventId) {
    KeyValueStore store = server.store();
    EventLog log = EventLog.open(store, KeyLayout.root());
    EventId through = EventId.parse(eventId).orElseThrow();
    for (int partition = 0; partition < log.partitions(); partition++) {
      int at = partition;
      store.transact(
          tr -> {
            var entries = log.readFeed(tr.snapshot(), "default", at, Optional.empty(), 10_000);
            var old = entries.stream().filter(e -> e.id().compareTo(through) <= 0).toList();
            log.drop(
                tr,
                "default",
                log.readBodies(tr.snapshot(), "default", old).stream()
                    .map(RunningServer::dropped)
                    .toList());
            return old;
          });
    }
  }

  private static DroppedEvent dropped(StoredEvent event) {
    try {
      EventRecord record = EventRecord.parseFrom(event.body());
      return new DroppedEvent(event.id(), event.stream(), record.getTaskId(), record.getSequence());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private URI restart() {
    server.close();
    server = start();
    return server.baseUrl();
  }

  private LocalServer start() {
    LocalServerOptions options = SuiteEngine.of(LocalServerOptions.of(directory));
    try {
      return LocalServer.start(
          options
              .withAround(around)
              .withCore(
                  options
                      .core()
                      .withStallTimeout(slowReader)
                      .withWorkspaceRoot(workspaceRoot)
                      .withOutbound(OutboundOptions.DEFAULT.withAllowed(LOOPBACK)))
              .withGateway(
                  options
                      .gateway()
                      .withSlowReaderTimeout(slowReader)
                      .withHeartbeatInterval(HEARTBEAT)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String keyFor(String scope) {
    return key(CreateApiKeyRequest.newBuilder().setActor("narrow").addScopes(scope).build());
  }

  private String key(CreateApiKeyRequest request) {
    try {
      return AdminAccess.stub(server.channel(), directory).createApiKey(request).getSecret();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Bounds bounds() {
    Bounds b = Bounds.defaults();
    return new Bounds(
        PATIENCE,
        b.heartbeat(),
        b.slowReader(),
        b.readers(),
        b.maxBody(),
        b.maxArtifact(),
        b.maxDepth());
  }
}
