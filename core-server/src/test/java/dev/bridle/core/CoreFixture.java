package dev.bridle.core;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.core.api.branch.BranchService;
import dev.bridle.core.api.discovery.DiscoveryService;
import dev.bridle.core.api.discovery.RuntimeService;
import dev.bridle.core.api.discovery.ServerState;
import dev.bridle.core.api.discovery.ToolService;
import dev.bridle.core.api.memory.MemoryRules;
import dev.bridle.core.api.message.MessageService;
import dev.bridle.core.api.outcome.OutcomeService;
import dev.bridle.core.api.persona.PersonaRules;
import dev.bridle.core.api.workspace.WorkspaceService;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.AuthService;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.call.CallInterceptor;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.command.StoredAnswers;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.context.Settings;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.page.Cursors;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.core.kernel.validate.RequestCheck;
import dev.bridle.core.operations.admin.AdminService;
import dev.bridle.core.work.artifact.ArtifactLimits;
import dev.bridle.core.work.artifact.ArtifactService;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.quota.Metering;
import dev.bridle.core.work.quota.QuotaRules;
import dev.bridle.core.work.session.SessionService;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.vault.VaultRules;
import dev.bridle.core.work.workspace.FilesByRoot;
import dev.bridle.core.work.workspace.WorkspaceRoot;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The core's services over a fresh store, behind their interceptors and an in-process server. */
public final class CoreFixture implements BeforeEachCallback, AfterEachCallback {
  /** The tenant that there is from the start, with its workspace {@code default}. */
  public static final String TENANT = Tenants.DEFAULT;

  public static final String WORKSPACE = Tenants.WORKSPACE;
  private static final int BLOB_SPACE = 50;

  public final CallWatch calls = new CallWatch();
  public final ServerState state = new ServerState();
  public final List<String> tenantsTold = new CopyOnWriteArrayList<>();
  public final KeyLayout layout = KeyLayout.root();
  public final BlobStore blobs = new BlobStore(layout);
  public final ArtifactStore artifacts = new ArtifactStore(layout, blobs);
  public final MessageStore messages = new MessageStore(layout);
  public final OutcomeStore outcomes = new OutcomeStore(layout);
  private final ArtifactLimits limits;
  private final boolean foldersAllowed;
  private final RecordStore<TaskRecord> taskRecords =
      new RecordStore<>(layout, new RecordType<>(10, TaskRecord.parser()));
  private final IdMint mint = new IdMint(Clock.systemUTC(), new SecureRandom());
  private final ProcessCredentials credentials = new ProcessCredentials(mint);
  private final DueIndex due = new DueIndex(layout);

  private Path directory;
  private KeyValueStore store;
  private EventLog log;
  private Commands commands;
  private CoreContext core;
  private Tenants tenants;
  private ArtifactUploads uploads;
  private Optional<WorkspaceRoot> workspaceRoot = Optional.empty();
  private ExecutorService threads;
  private Server server;
  private ManagedChannel channel;

  public CoreFixture() {
    this(ArtifactLimits.DEFAULT);
  }

  public CoreFixture(ArtifactLimits limits) {
    this(limits, false);
  }

  private CoreFixture(ArtifactLimits limits, boolean foldersAllowed) {
    this.limits = limits;
    this.foldersAllowed = foldersAllowed;
  }

  /** Returns one whose workspaces may have folders in {@link #workspaceRoot}. */
  public static CoreFixture withWorkspaceRoot() {
    return new CoreFixture(ArtifactLimits.DEFAULT, true);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("bridle-core");
    store = SuiteStore.open(directory.resolve("data"));
    log = EventLog.open(store, layout);
    Clock clock = Clock.systemUTC();
    RequestHash hash = new RequestHash(new byte[32]);
    Pages pages = new Pages(new Cursors(hash));
    commands =
        new Commands(
            store, log, new IdempotencyStore(layout), mint, clock, hash, StoredAnswers.UNCHANGED);
    Installation installation = new Installation(layout);
    CredentialStore<ApiKeyRecord> keys =
        new CredentialStore<>(ApiKeys.KIND, layout, installation, mint, clock);
    Events events = new Events(log);
    if (foldersAllowed) {
      Files.createDirectory(workspaceRoot());
      workspaceRoot =
          Optional.of(WorkspaceRoot.open(workspaceRoot(), store, installation, "installation_a"));
    }
    core =
        new CoreContext(
            store,
            layout,
            log,
            commands,
            events,
            pages,
            due,
            new Configurations(layout),
            mint,
            installation,
            new Seals(installation, Optional.of(MasterKey.make())),
            Settings.of(TaskOptions.DEFAULT, TenantLimits.DEFAULT),
            CoreEnvironment.real(clock, Runnable::run, true));
    TaskStores stores = TaskStores.in(core, new Metering(layout, events));
    tenants = new Tenants(core, keys, tenantsTold::add);
    uploads = new ArtifactUploads(core, stores, limits);
    threads = Executors.newCachedThreadPool();
    String name = InProcessServerBuilder.generateName();
    InProcessServerBuilder builder =
        InProcessServerBuilder.forName(name)
            .executor(threads)
            .addService(new AuthService())
            .addService(
                new AdminService(
                    core, tenants, keys, credentials, (tenant, workspace, actor) -> {}))
            .addService(
                new DiscoveryService(
                    state, List.of(), () -> List.of("tasks:read"), card -> card, true))
            .addService(new RuntimeService(true, tenant -> EventRetention.getDefaultInstance()))
            .addService(new ToolService())
            .addService(new WorkspaceService(core, new FilesByRoot(layout, workspaceRoot)))
            .addService(new BranchService(core))
            .addService(new ResourceService<>(core, QuotaRules.resource(core)))
            .addService(new ResourceService<>(core, PersonaRules.resource(core)))
            .addService(new ResourceService<>(core, Skills.RESOURCE))
            .addService(new ResourceService<>(core, MemoryRules.resource(core)))
            .addService(new SessionService(core))
            .addService(new MessageService(core))
            .addService(new ArtifactService(core, uploads, stores))
            .addService(new ResourceService<>(core, VaultRules.resource(core)))
            .addService(new OutcomeService(core));
    server =
        builder
            .intercept(
                new CallInterceptor(
                    List.of(credentials, new ApiKeys(store, keys)), new RequestCheck()))
            .intercept(calls)
            .build()
            .start();
    channel = InProcessChannelBuilder.forName(name).build();
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    channel.shutdownNow();
    server.shutdownNow();
    threads.shutdownNow();
    workspaceRoot.ifPresent(WorkspaceRoot::close);
    store.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns where folders of workspaces lie, where they are allowed. */
  public Path workspaceRoot() {
    return directory.resolve("folders");
  }

  public Tenants tenants() {
    return tenants;
  }

  public ArtifactUploads uploads() {
    return uploads;
  }

  /** Returns what all services share. */
  public CoreContext context() {
    return core;
  }

  public Commands commands() {
    return commands;
  }

  public KeyValueStore store() {
    return store;
  }

  /** Returns a channel without credentials. */
  public Channel nobody() {
    return channel;
  }

  /** Returns a channel of a caller who sends a bearer secret. */
  public Channel with(String secret) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + secret);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Returns a channel of a caller who holds all scopes in a tenant. */
  public Channel of(String tenant, String... workspaces) {
    String secret = tenant + "/" + String.join("+", workspaces);
    credentials.admit(secret, new Caller(tenant, "ada", Set.of("*"), Set.of(workspaces), false));
    return with(secret);
  }

  /** Returns a channel of a caller of {@link #TENANT} who holds some scopes alone. */
  public Channel scoped(Set<String> scopes) {
    String secret = "scoped " + String.join("+", scopes);
    credentials.admit(secret, new Caller(TENANT, "ben", scopes, Set.of(), false));
    return with(secret);
  }

  /** Returns a channel of the owner of {@link #TENANT}, which is there. */
  public Channel owner() {
    tenants.ensureDefault();
    return of(TENANT);
  }

  /** Returns a channel of an operator. */
  public Channel operator() {
    credentials.admit(
        "operator", new Caller(TENANT, "operator", Set.of("admin:write"), Set.of(), false));
    return with("operator");
  }

  /** Makes a session of a workspace and returns its id. */
  public String session(Channel caller, String workspace) {
    return SessionServiceGrpc.newBlockingStub(caller)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
        .getId();
  }

  /** Stores a task as it would stand in a status, with no event of its own yet. */
  public Task task(String session, String workspace, TaskStatus status) {
    Task task =
        Task.newBuilder()
            .setId(mint.next("task"))
            .setSessionId(session)
            .setWorkspaceId(workspace)
            .setStatus(status)
            .build();
    store.transact(
        tr -> {
          taskRecords.insert(
              tr, TENANT, task.getId(), TaskRecord.newBuilder().setTask(task).build());
          return task;
        });
    return task;
  }

  /** Returns a task's record. */
  public TaskRecord taskRecord(String id) {
    return store.read(tr -> taskRecords.get(tr, TENANT, id)).orElseThrow();
  }

  /** Returns a stream's events, oldest first. */
  public List<EventRecord> events(String stream) {
    List<EventRecord> all = new ArrayList<>();
    store
        .read(tr -> log.readStream(tr, TENANT, stream, Optional.empty(), 1000))
        .forEach(
            stored -> {
              try {
                all.add(EventRecord.parseFrom(stored.body()));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    return all;
  }

  /** Returns the ids of a stream's events, oldest first. */
  public List<String> eventIds(String stream) {
    return store.read(tr -> log.readStream(tr, TENANT, stream, Optional.empty(), 1000)).stream()
        .map(stored -> stored.id().toString())
        .toList();
  }

  /** Returns a stream's newest event. */
  public EventRecord lastEvent(String stream) {
    List<EventRecord> all = events(stream);
    return all.get(all.size() - 1);
  }

  /** Puts a task into a status without telling it. */
  public void setStatus(String id, TaskStatus status) {
    TaskRecord before = taskRecord(id);
    TaskRecord.Builder after = before.toBuilder();
    after.getTaskBuilder().setStatus(status);
    store.transact(
        tr -> {
          taskRecords.update(tr, TENANT, id, before, after.build());
          return after;
        });
  }

  /** Makes a tenant as an operator does. */
  public void operatorMakesTenant(String tenant) {
    AdminServiceGrpc.newBlockingStub(operator())
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build());
  }

  /** Returns how many chunks of blobs a tenant has. */
  public int chunks() {
    var range = Tuple.from(1, TENANT, BLOB_SPACE).range();
    return store.read(tr -> tr.getRange(new KeyRange(range.begin, range.end), 10_000)).size();
  }

  /** Returns the uploads that the sweeper will look at. */
  public List<DueEntry> uploadsDue() {
    return store.read(
        tr ->
            IntStream.range(0, DueIndex.SHARDS)
                .boxed()
                .flatMap(shard -> due.scan(tr, shard, List.of(), 1000).stream())
                .filter(entry -> entry.kind() == DueKind.UPLOAD)
                .toList());
  }
}
