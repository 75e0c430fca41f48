package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.Failure;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A real core over the suite's store of a folder, with a client of its first key. */
public final class TestCore implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String OPERATOR = "the operator's secret";

  /** Times short enough for tests that wait for leases to end. */
  public static final TaskOptions SHORT =
      TaskOptions.DEFAULT
          .withLease(Duration.ofMillis(400), Duration.ofMillis(100))
          .withCancelGrace(Duration.ofMillis(300));

  /** One for all cores of a run, so that each opens what another has sealed. */
  static final MasterKey MASTER = MasterKey.make();

  private final KeyValueStore store;
  private final CoreServer core;
  private final String key;

  private TestCore(KeyValueStore store, CoreServer core, String key) {
    this.store = store;
    this.core = core;
    this.key = key;
  }

  /** Starts on a new folder. */
  public static TestCore start(Path directory, TaskOptions tasks) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, options(tasks));
    return new TestCore(store, core, core.firstKey().orElseThrow());
  }

  /** Starts on a new folder, with options changed. */
  public static TestCore start(Path directory, UnaryOperator<CoreOptions> change) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, change.apply(options(TaskOptions.DEFAULT)));
    return new TestCore(store, core, core.firstKey().orElseThrow());
  }

  /** Starts on a new folder by a clock of the test. */
  public static TestCore start(Path directory, Clock clock) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, options(TaskOptions.DEFAULT), clock);
    return new TestCore(store, core, core.firstKey().orElseThrow());
  }

  /** Starts again on the folder of another by a clock of the test. */
  public static TestCore restart(Path directory, Clock clock, String key) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, options(TaskOptions.DEFAULT), clock);
    return new TestCore(store, core, key);
  }

  /** Starts on a new folder, and serves {@link Notes} as well. */
  public static TestCore withNotes(Path directory) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core =
        CoreServer.start(store, options(TaskOptions.DEFAULT), Notes::besides, Clock.systemUTC());
    return new TestCore(store, core, core.firstKey().orElseThrow());
  }

  /** Starts again on the folder of another, whose key stays good, with options changed. */
  public static TestCore restart(Path directory, UnaryOperator<CoreOptions> change, String key) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, change.apply(options(TaskOptions.DEFAULT)));
    return new TestCore(store, core, key);
  }

  /** Starts again on the folder of another, whose key stays good. */
  public static TestCore restart(Path directory, TaskOptions tasks, String key) {
    KeyValueStore store = SuiteStore.open(directory);
    CoreServer core = CoreServer.start(store, options(tasks));
    return new TestCore(store, core, key);
  }

  private static CoreOptions options(TaskOptions tasks) {
    return CoreOptions.DEFAULT
        .withListener("127.0.0.1", 0)
        .withTasks(tasks)
        .withAccess(AccessOptions.NONE.withMasterKey(MASTER));
  }

  public String key() {
    return key;
  }

  public CoreServer core() {
    return core;
  }

  public KeyValueStore store() {
    return store;
  }

  /** Returns a channel that acts with a bearer secret. */
  public Channel as(String secret) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + secret);
    return ClientInterceptors.intercept(
        core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Returns a channel of a new key of the default tenant that reaches those workspaces only. */
  public Channel as(String actor, List<String> scopes, List<String> workspaces) {
    return as(
        AdminServiceGrpc.newBlockingStub(operator())
            .createApiKey(
                CreateApiKeyRequest.newBuilder()
                    .setActor(actor)
                    .addAllScopes(scopes)
                    .addAllWorkspaceIds(workspaces)
                    .build())
            .getSecret());
  }

  /** Returns a channel of the operator. */
  public Channel operator() {
    core.admit(OPERATOR);
    return as(OPERATOR);
  }

  public Channel owner() {
    return as(key);
  }

  /** Returns a channel of the owner that sends an idempotency key. */
  public Channel withKey(String idempotencyKey) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), idempotencyKey);
    return ClientInterceptors.intercept(
        owner(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  public TaskServiceGrpc.TaskServiceBlockingStub tasks() {
    return TaskServiceGrpc.newBlockingStub(owner());
  }

  public WorkerServiceGrpc.WorkerServiceBlockingStub workers() {
    return WorkerServiceGrpc.newBlockingStub(owner());
  }

  public EventServiceGrpc.EventServiceBlockingStub events() {
    return EventServiceGrpc.newBlockingStub(owner());
  }

  /** Opens the workspace of a folder of the machine, and returns its id. */
  public String hostedFolder(String path) {
    return HostedFolders.open(operator(), path);
  }

  public String newSession() {
    return SessionServiceGrpc.newBlockingStub(owner())
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  public Task submit(String session) {
    return tasks().submitSessionTask(submission(session));
  }

  public static SubmitTaskRequest submission(String session) {
    return SubmitTaskRequest.newBuilder()
        .setSessionId(session)
        .setInput(SubmitTaskInput.newBuilder().setJson(ByteString.copyFromUtf8("{\"n\":1}")))
        .build();
  }

  /** Returns a user's answer to the question of a task. */
  public static AppendTaskMessageRequest answer(String task, String text) {
    return AppendTaskMessageRequest.newBuilder()
        .setTaskId(task)
        .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
        .setMessage(
            MessageInput.newBuilder()
                .setRole(Role.ROLE_USER)
                .addParts(
                    Part.newBuilder()
                        .setText(
                            TextPart.newBuilder()
                                .setText(text)
                                .setVisibility(Visibility.VISIBILITY_PUBLIC))))
        .build();
  }

  /** Returns a worker's word that its attempt has failed. */
  public static FailTaskRequest failure(TaskLease lease, boolean retryable) {
    return FailTaskRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setFailure(Failure.newBuilder().setCode("no_luck").setMessage("No luck."))
        .setRetryable(retryable)
        .build();
  }

  public Task task(String id) {
    return tasks().getTask(GetTaskRequest.newBuilder().setTaskId(id).build());
  }

  public List<Event> eventsOf(String task) {
    return events()
        .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(task).setLimit(200).build())
        .getDataList();
  }

  /** Returns all events of a task, however many pages they take. */
  public List<Event> allEventsOf(String task) {
    List<Event> all = new ArrayList<>();
    boolean more = true;
    ListTaskEventsRequest.Builder request =
        ListTaskEventsRequest.newBuilder().setTaskId(task).setLimit(200);
    while (more) {
      ListEventsResponse page = events().listTaskEvents(request.build());
      all.addAll(page.getDataList());
      more = page.getPage().getHasMore();
      request.setAfterEventId(page.getPage().getNextCursor());
    }
    return all;
  }

  /** Returns what the core keeps of a task of the default tenant. */
  public TaskRecord record(String task) {
    return store
        .read(tr -> new TaskStore(KeyLayout.root()).find(tr, Tenants.DEFAULT, task))
        .orElseThrow();
  }

  public List<String> kindsOf(String task) {
    return eventsOf(task).stream().map(Event::getEvent).toList();
  }

  /** Stops the core, and looks whether all that it leaves in storage fits together. */
  @Override
  public void close() {
    core.close();
    try {
      assertThat(
              new StorageChecker(store, KeyLayout.root(), core.catalog(), 0)
                  .check(CheckProgress.SILENT)
                  .findings())
          .isEmpty();
    } finally {
      store.close();
    }
  }
}
