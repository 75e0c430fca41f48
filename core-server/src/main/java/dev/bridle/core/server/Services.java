package dev.bridle.core.server;

import dev.bridle.core.api.branch.BranchService;
import dev.bridle.core.api.discovery.CardSigner;
import dev.bridle.core.api.discovery.DiscoveryService;
import dev.bridle.core.api.discovery.RuntimeService;
import dev.bridle.core.api.discovery.ServerState;
import dev.bridle.core.api.discovery.ToolService;
import dev.bridle.core.api.event.EventService;
import dev.bridle.core.api.event.EventStreams;
import dev.bridle.core.api.event.StreamSlots;
import dev.bridle.core.api.message.MessageService;
import dev.bridle.core.api.outcome.OutcomeService;
import dev.bridle.core.api.receipt.ReceiptService;
import dev.bridle.core.api.redaction.RedactionService;
import dev.bridle.core.api.workspace.WorkspaceService;
import dev.bridle.core.integrations.connector.Connectors;
import dev.bridle.core.integrations.enforcer.Enforcer;
import dev.bridle.core.integrations.enforcer.HarpRequests;
import dev.bridle.core.integrations.enforcer.LocalRelayPort;
import dev.bridle.core.integrations.enforcer.remote.HttpRelays;
import dev.bridle.core.integrations.harpsession.LayerSessions;
import dev.bridle.core.integrations.notice.DeviceTestService;
import dev.bridle.core.integrations.phone.PhoneAddress;
import dev.bridle.core.integrations.phone.PhonePairingService;
import dev.bridle.core.integrations.phone.PhonePairings;
import dev.bridle.core.integrations.prompt.Prompts;
import dev.bridle.core.integrations.relay.Relay;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.core.integrations.webhook.Webhooks;
import dev.bridle.core.kernel.auth.AuthService;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.auth.Scopes;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.operations.admin.AdminService;
import dev.bridle.core.operations.backup.BackupService;
import dev.bridle.core.operations.check.StorageService;
import dev.bridle.core.operations.portability.ExportSigner;
import dev.bridle.core.operations.portability.PortabilityService;
import dev.bridle.core.operations.retention.Retention;
import dev.bridle.core.operations.retention.TenantDeletion;
import dev.bridle.core.operations.retention.TenantService;
import dev.bridle.core.work.artifact.ArtifactLimits;
import dev.bridle.core.work.artifact.ArtifactService;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.dispatch.Dispatch;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.hosttool.HostResults;
import dev.bridle.core.work.memory.MemoryExpiry;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.permission.Permissions;
import dev.bridle.core.work.policy.RuledApproval;
import dev.bridle.core.work.quota.Metering;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptIssuer;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.redaction.AnswerCopies;
import dev.bridle.core.work.redaction.RedactionJob;
import dev.bridle.core.work.replay.ReplayService;
import dev.bridle.core.work.session.SessionService;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.TaskSubmission;
import dev.bridle.core.work.task.Tasks;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.workspace.FilesByRoot;
import dev.bridle.core.work.workspace.WorkspaceRoot;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IdempotencyStore;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * The features of a core. Each builds what it needs over the shared context; what two of them share
 * beyond that stands here.
 */
final class Services {
  private final CoreOptions options;
  private final Foundation foundation;
  private final CoreContext context;
  private final List<ResourceDef<?, ?>> resources;
  private final Catalog catalog;
  private final Access access;
  private final ServerState state = new ServerState();
  private final OutboundClient outbound;
  private final Optional<WorkspaceRoot> workspaceRoot;
  private final Tenants tenants;
  private final CredentialWatch credentialWatch;
  private final EventStreams streams;
  private final Connectors connectors;
  private final Webhooks webhooks;
  private final Schedules schedules;
  private final Relay relay;
  private final PhoneAddress phoneAddress = new PhoneAddress();
  private final HttpRelays relays;
  private final Dispatch dispatch;
  private final Retention retention;
  private final AdminService admin;
  private final ReceiptIssuer receipts;
  private final List<BindableService> all = new ArrayList<>();
  private Optional<List<String>> scopes = Optional.empty();

  Services(
      KeyValueStore store,
      CoreOptions options,
      CoreEnvironment environment,
      CoreResources resources,
      Consumer<String> newTenants) {
    this.options = options;
    this.foundation = Foundation.open(store, options, environment);
    this.context = foundation.context();
    this.resources = resources.in(context);
    this.catalog = CoreResources.catalog(this.resources);
    this.access = new Access(foundation, options.access());
    this.outbound = new OutboundClient(options.outbound());
    this.workspaceRoot =
        options
            .workspaceRoot()
            .map(
                folder ->
                    WorkspaceRoot.open(
                        folder, store, context.installation(), foundation.installationId()));
    this.tenants = new Tenants(context, access.keys(), newTenants);
    this.credentialWatch =
        new CredentialWatch(options.streams().credentialInterval(), environment.background());
    this.streams =
        new EventStreams(
            context,
            options.streams().stallTimeout(),
            new StreamSlots(
                options.streams().maxStreams(),
                options.limits().eventStreams(),
                environment.nanoTime()),
            credentialWatch);

    TaskStores stores = TaskStores.in(context, new Metering(context.layout(), context.events()));
    TaskSubmission submission = new TaskSubmission(context, stores);
    TaskCreator orders = new TaskCreator(context, submission);
    HostCalls hostCalls = new HostCalls(context.due());
    ReceiptKeys receiptKeys = new ReceiptKeys(access.signing());
    receiptKeys.begin(store);
    this.receipts =
        new ReceiptIssuer(
            context, receiptKeys, new OwedReceipts(context, stores), foundation.installationId());
    HarpRequests asked = Enforcer.listener(context);
    TaskEndings endings =
        new TaskEndings(
            new OutcomeStore(context.layout()),
            List.of(hostCalls, new PendingPermission(context, asked)),
            receipts);
    Permissions permissions =
        Permissions.in(context, stores, endings, new RuledApproval(context), asked);
    ArtifactUploads uploads = new ArtifactUploads(context, stores, ArtifactLimits.DEFAULT);
    this.connectors = Connectors.in(context, orders, outbound);
    this.webhooks = Webhooks.in(context, outbound, access.issuer()::url);
    this.schedules = Schedules.in(context, orders);
    PhonePairings phonePairings =
        new PhonePairings(
            context.seals(),
            new ResourceService<>(context, CoreResources.approvalDevices(context)));
    this.relay =
        Relay.in(
            context, foundation.installationId(), credentialWatch, access.keys(), phonePairings);
    this.relays = new HttpRelays(options.harpRelays(), context.clock());
    Enforcer enforcer =
        new Enforcer(
            context,
            asked,
            stores,
            permissions.signed(),
            relays.beside(new LocalRelayPort(relay.local())));
    relay.local().onDecision(enforcer::decided);
    relay.localPairings().onEnrolled(enforcer::enrolled);
    LayerSessions layerSessions = new LayerSessions(context, foundation.installationId());
    Prompts prompts = new Prompts(context, foundation.installationId(), orders, stores, endings);
    this.dispatch =
        new Dispatch(
            context,
            stores,
            endings,
            permissions,
            uploads,
            Map.ofEntries(
                Map.entry(DueKind.DELIVERY, connectors::due),
                Map.entry(DueKind.POLL, connectors::pollDue),
                Map.entry(DueKind.SCHEDULE, schedules::due),
                Map.entry(DueKind.WEBHOOK, webhooks::due),
                Map.entry(DueKind.EXCHANGE, relay::due),
                Map.entry(DueKind.CHANNEL, relay::channelDue),
                Map.entry(DueKind.PAIRING, relay::pairingDue),
                Map.entry(DueKind.HARP_REQUEST, enforcer::due),
                Map.entry(DueKind.PROMPT, prompts::due),
                Map.entry(DueKind.LAYER_SESSION, layerSessions::due),
                Map.entry(DueKind.MEMORY, new MemoryExpiry(context)::expire),
                Map.entry(
                    DueKind.REDACTION,
                    new RedactionJob(
                            context,
                            List.of(
                                new AnswerCopies(new IdempotencyStore(context.layout())),
                                webhooks.copies()))
                        ::run)),
            credentialWatch);

    all.add(
        Tasks.service(
            context,
            stores,
            submission,
            endings,
            permissions.confirmations(),
            new HostResults(hostCalls),
            dispatch.workers()));
    all.add(new ReplayService(context, stores));
    all.add(permissions.service());
    all.add(new ArtifactService(context, uploads, stores));
    all.add(dispatch.service());
    all.addAll(connectors.services());
    all.add(schedules.service());
    all.add(webhooks.service());
    all.addAll(relay.services());
    all.add(
        new PhonePairingService(
            context, relay.localPairings(), phonePairings, phoneAddress, receiptKeys));
    all.add(new DeviceTestService(context));
    all.add(enforcer.service(relay.local(), access.successions()));
    all.add(prompts.service());
    all.add(layerSessions.service());
    all.add(new ReceiptService(context, receiptKeys, receipts));
    addResources();
    addDiscovery();
    this.admin =
        new AdminService(
            context, tenants, access.keys(), access.ofProcess(), dispatch.hosts()::takeBack);
    this.retention = addOperations(receiptKeys);
  }

  private void addResources() {
    all.add(new WorkspaceService(context, new FilesByRoot(context.layout(), workspaceRoot)));
    all.add(new SessionService(context));
    all.add(new MessageService(context));
    all.add(new BranchService(context));
    all.add(new OutcomeService(context));
    resources.forEach(resource -> all.add(new ResourceService<>(context, resource)));
    all.add(new RedactionService(context));
    all.add(new EventService(context, streams));
  }

  private void addDiscovery() {
    all.add(new AuthService());
    all.add(access.service(this::scopes));
    all.add(
        new DiscoveryService(
            state,
            options.skills(),
            this::scopes,
            new CardSigner(access.signing(), access.issuer()::url),
            access.signing().canSign()));
    all.add(new RuntimeService(access.signing().canSign(), this::retention));
    all.add(new ToolService());
  }

  private EventRetention retention(String tenant) {
    return context
        .store()
        .read(tr -> tenants.record(tr, tenant))
        .map(TenantRecord::getRetention)
        .orElseGet(EventRetention::getDefaultInstance);
  }

  private Retention addOperations(ReceiptKeys receiptKeys) {
    KeyValueStore store = context.store();
    TenantDeletion deletion =
        new TenantDeletion(
            context,
            tenants,
            List.of(access.keys(), access.clients(), connectors.secrets(), relay.secrets()));
    all.add(new TenantService(context, tenants, deletion));
    all.add(admin);
    all.add(access.adminService(tenants));
    all.add(new StorageService(store, context.layout(), catalog));
    all.add(new BackupService(store));
    all.add(
        new PortabilityService(
            context,
            catalog,
            new ExportSigner(
                context,
                foundation.installationId(),
                receiptKeys,
                tenants,
                foundation.keyedFor("exports resumed")),
            tenants,
            dispatch.parked()));
    return new Retention(context, tenants, deletion);
  }

  /** Returns the scopes that methods require; computed once, when all services are there. */
  private synchronized List<String> scopes() {
    if (scopes.isEmpty()) {
      scopes = Optional.of(Scopes.of(all()));
    }
    return scopes.get();
  }

  /** Returns every service. */
  List<ServerServiceDefinition> all() {
    return all.stream().map(BindableService::bindService).toList();
  }

  /** Returns what all features share. */
  CoreContext context() {
    return context;
  }

  /** Returns the kinds of records that are stored. */
  Catalog catalog() {
    return catalog;
  }

  /** Returns the ways in. */
  Access access() {
    return access;
  }

  Tenants tenants() {
    return tenants;
  }

  /** Returns where phones reach the HARP gateway. */
  PhoneAddress phoneAddress() {
    return phoneAddress;
  }

  ServerState state() {
    return state;
  }

  EventStreams streams() {
    return streams;
  }

  /**
   * Starts what goes on by itself.
   *
   * @param timer for what never blocks
   * @param sweeps for what waits for the store
   */
  void start(ScheduledExecutorService timer, ScheduledExecutorService sweeps) {
    if (options.storage().operatorOnly()) {
      return;
    }
    dispatch.start(timer, sweeps, options.storage().exclusive());
    streams.start(timer);
    credentialWatch.start(timer);
    retention.start(timer, options.retentionInterval());
    webhooks.start(timer, sweeps);
    relay.start(timer);
    receipts.start(sweeps);
    schedules.start(sweeps);
    connectors.start(context.environment().background());
  }

  /** Lets go of what lies outside the store. */
  void close() {
    workspaceRoot.ifPresent(WorkspaceRoot::close);
    relays.close();
    outbound.close();
    access.close();
  }

  /** Ends all streams, of workers and of readers. */
  void endStreams() {
    dispatch.close();
    streams.close();
    relay.close();
    admin.endStreams();
  }
}
