package dev.bridle.core.server;

import dev.bridle.core.api.branch.BranchService;
import dev.bridle.core.api.discovery.CardSigner;
import dev.bridle.core.api.discovery.DiscoveryService;
import dev.bridle.core.api.discovery.RuntimeService;
import dev.bridle.core.api.discovery.ServerState;
import dev.bridle.core.api.discovery.ToolService;
import dev.bridle.core.api.event.EventService;
import dev.bridle.core.api.event.EventStreams;
import dev.bridle.core.api.event.StreamRoom;
import dev.bridle.core.api.memory.MemoryOwners;
import dev.bridle.core.api.memory.MemoryRules;
import dev.bridle.core.api.message.MessageService;
import dev.bridle.core.api.outcome.OutcomeResources;
import dev.bridle.core.api.outcome.OutcomeService;
import dev.bridle.core.api.workspace.WorkspaceService;
import dev.bridle.core.integrations.connector.Connectors;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.core.integrations.webhook.Webhooks;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.AuthService;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.auth.Scopes;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.operations.admin.AdminService;
import dev.bridle.core.operations.admin.OAuthAdminService;
import dev.bridle.core.operations.backup.BackupService;
import dev.bridle.core.operations.check.StorageService;
import dev.bridle.core.operations.portability.PortabilityService;
import dev.bridle.core.operations.portability.Stored;
import dev.bridle.core.operations.retention.Retention;
import dev.bridle.core.operations.retention.TenantDeletion;
import dev.bridle.core.operations.retention.TenantService;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.artifact.ArtifactLimits;
import dev.bridle.core.work.artifact.ArtifactPlaces;
import dev.bridle.core.work.artifact.ArtifactService;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.dispatch.Dispatch;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.hosttool.HostResults;
import dev.bridle.core.work.memory.MemoryExpiry;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.Issuer;
import dev.bridle.core.work.oauth.LiveTenants;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.oauth.OAuthService;
import dev.bridle.core.work.oauth.external.ExternalTokens;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.permission.Permissions;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.policy.PersonaPolicy;
import dev.bridle.core.work.policy.PersonaSecrets;
import dev.bridle.core.work.policy.SkillApproval;
import dev.bridle.core.work.quota.BoundQuotas;
import dev.bridle.core.work.quota.Metering;
import dev.bridle.core.work.quota.QuotaRules;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.session.NewSessions;
import dev.bridle.core.work.session.SessionFork;
import dev.bridle.core.work.session.SessionGrants;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.session.SessionService;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.session.SessionTruncation;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.task.OrderRules;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOrders;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.TaskSubmission;
import dev.bridle.core.work.task.Tasks;
import dev.bridle.core.work.task.Waiting;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.core.work.vault.VaultService;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.core.work.workspace.FilesByRoot;
import dev.bridle.core.work.workspace.WorkspaceRoot;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RenewalStore;
import dev.bridle.storage.layer.SigningKeyStore;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.storage.layer.TenantData;
import dev.bridle.storage.layer.WakeKeys;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** Builds every service over one store, by hand: who needs what stands here and nowhere else. */
final class Services {
  private final List<BindableService> all = new ArrayList<>();
  private final Installation installation;
  private final ProcessCredentials processCredentials;
  private final List<Credentials> credentials;
  private final Issuer issuer = new Issuer();
  private final Dispatch dispatch;
  private final EventStreams streams;
  private final CredentialWatch credentialWatch;
  private final Tenants tenants;
  private final Retention retention;
  private final CoreOptions options;
  private final ServerState state;
  private final EventLog log;
  private final Optional<WorkspaceRoot> workspaceRoot;
  private final OutboundClient outbound;
  private final Webhooks webhooks;
  private final Connectors connectors;
  private final Executor background;

  Services(
      KeyValueStore store,
      CoreOptions options,
      Surroundings surroundings,
      Consumer<String> newTenants) {
    this.options = options;
    this.background = surroundings.background();
    Foundation foundation =
        Foundation.open(
            store,
            options,
            new CoreEnvironment(
                surroundings.clock(),
                surroundings.nanoTime(),
                surroundings.random(),
                surroundings.background()));
    CoreContext context = foundation.context();
    this.installation = foundation.installation();
    this.log = context.log();
    KeyLayout layout = context.layout();
    Clock clock = context.clock();
    IdMint mint = context.mint();
    DueIndex due = context.due();
    Commands commands = context.commands();
    Events events = context.events();
    Pages pages = context.pages();
    Seals seals = foundation.seals();
    this.workspaceRoot =
        options
            .workspaceRoot()
            .map(
                folder ->
                    WorkspaceRoot.open(folder, store, installation, foundation.installationId()));
    WakeKeys wakes = new WakeKeys(layout);
    ApiKeys apiKeys = new ApiKeys(store, layout, installation, mint, clock);
    this.processCredentials = new ProcessCredentials(mint);
    this.state = new ServerState();

    WorkspaceStore workspaces = new WorkspaceStore(layout);
    QuotaStore quotas = new QuotaStore(layout, workspaces);
    TenantRecords<Persona> personas = new TenantRecords<>(layout, Personas.PERSONA);
    TenantRecords<Skill> skills = new TenantRecords<>(layout, Skills.SKILL);
    MemoryStore memories = new MemoryStore(layout);
    VaultStore vaults = new VaultStore(layout);
    SecretStore secrets = new SecretStore(layout, seals);
    SessionStore sessions = new SessionStore(layout, log);
    MessageStore messages = new MessageStore(layout);
    Transcripts transcripts = new Transcripts(layout, log);
    BranchStore branches = new BranchStore(layout, events);
    TaskStore tasks = new TaskStore(layout);
    WorkerStore workers = new WorkerStore(layout);
    Steps steps = new Steps(new StepStore(layout));
    BoundQuotas bound = new BoundQuotas(quotas, personas, workspaces);
    TaskStores stores =
        new TaskStores(
            tasks,
            events,
            new TaskQueue(layout),
            due,
            new RenewalStore(layout),
            new Metering(layout, bound, events));
    BlobStore blobs = new BlobStore(layout);
    ArtifactStore artifacts = new ArtifactStore(layout, blobs);
    ArtifactUploads uploads =
        new ArtifactUploads(context, artifacts, stores, blobs, ArtifactLimits.DEFAULT);
    SessionMessages sessionMessages = new SessionMessages(messages, events);
    NewSessions newSessions =
        new NewSessions(
            sessions,
            new SessionGrants(personas, memories, skills, vaults),
            sessionMessages,
            events);
    TaskSubmission submission = new TaskSubmission(stores, messages, workers, personas, branches);
    TaskOrders orders = new TaskOrders(sessions, newSessions, submission);
    OrderRules orderRules = new OrderRules(sessions, personas);
    this.outbound = new OutboundClient(options.outbound());
    this.connectors =
        Connectors.in(
            context,
            installation,
            new Connectors.Places(
                workspaces,
                orders,
                orderRules,
                sessionMessages,
                new ConnectSecrets(vaults, secrets)),
            new Connectors.Working(
                outbound,
                surroundings.calls().apply(outbound),
                options.polls(),
                options.limits().connectors(),
                clock,
                surroundings.random(),
                surroundings.background()));
    Schedules schedules =
        Schedules.in(context, workspaces, orders, orderRules, options.limits().schedules());
    this.webhooks =
        Webhooks.in(
            context,
            installation,
            new Webhooks.Places(
                workspaces,
                tasks,
                personas,
                new ConnectSecrets(vaults, secrets),
                new EventFeed(log, wakes),
                issuer::url,
                options.limits().webhooks()),
            new Webhooks.Sending(
                outbound,
                surroundings.calls().apply(outbound),
                options.webhooks(),
                clock,
                surroundings.random(),
                surroundings.background(),
                options.exclusive()));
    OutcomeStore outcomes = new OutcomeStore(layout);
    PendingPermission pending =
        new PendingPermission(
            new PermissionStore(layout), due, options.tasks().maxPermissionRequests());
    HostCalls hostCalls = new HostCalls(due);
    TaskEndings endings = new TaskEndings(outcomes, List.of(hostCalls, pending));
    Waiting waiting = new Waiting(options.tasks());
    Permissions permissions =
        Permissions.in(
            context,
            sessions,
            stores,
            pending,
            steps,
            endings,
            waiting,
            new SkillApproval(new PersonaPolicy(personas), sessions, skills));
    this.credentialWatch =
        new CredentialWatch(options.credentialInterval(), surroundings.background());
    this.streams =
        new EventStreams(
            context,
            tasks,
            wakes,
            options.stallTimeout(),
            new StreamRoom(options.maxStreams(), options.limits().eventStreams()),
            credentialWatch);
    this.dispatch =
        new Dispatch(
            new Dispatch.Parts(
                context,
                installation,
                foundation.idempotency(),
                stores,
                sessions,
                messages,
                artifacts,
                uploads,
                steps,
                workers,
                endings,
                pending,
                hostCalls,
                permissions,
                new VaultSecrets(vaults, secrets, new PersonaSecrets(personas)),
                waiting,
                wakes,
                options.tasks(),
                Map.of(
                    DueKind.DELIVERY,
                    connectors::due,
                    DueKind.POLL,
                    connectors::pollDue,
                    DueKind.SCHEDULE,
                    schedules::due,
                    DueKind.WEBHOOK,
                    webhooks::due,
                    DueKind.MEMORY,
                    new MemoryExpiry(context)::expire),
                credentialWatch));
    this.tenants = new Tenants(context, installation, apiKeys, workspaces, newTenants);

    OAuthClients clients = new OAuthClients(store, layout, installation, mint, clock);
    SigningKeys signing = new SigningKeys(store, new SigningKeyStore(layout), seals, mint, clock);
    LiveTenants live = new LiveTenants(installation);
    AccessTokens tokens =
        new AccessTokens(context, clients, signing, live, issuer, options.access().tokenLifetime());
    ExternalTokens external =
        new ExternalTokens(store, live, clock, surroundings.nanoTime(), options.access().issuers());
    this.credentials = List.of(processCredentials, apiKeys, tokens, external);

    TenantDeletion deletion =
        new TenantDeletion(
            store,
            installation,
            tenants,
            List.of(apiKeys, clients, connectors.secrets()),
            log,
            new TenantData(layout),
            clock);
    this.retention = new Retention(context, installation, tenants, deletion, tasks);

    all.add(new AuthService());
    all.add(new TenantService(store, installation, tenants, deletion));
    all.add(new AdminService(store, commands, tenants, apiKeys));
    all.add(new OAuthAdminService(store, commands, tenants, clients, signing));
    all.add(
        new OAuthService(
            clients, tokens, signing, issuer, surroundings.nanoTime(), () -> Scopes.of(all())));
    all.add(new StorageService(store, layout, CoreRecords.CATALOG));
    all.add(
        new DiscoveryService(
            state, options.skills(), () -> Scopes.of(all()), new CardSigner(signing, issuer::url)));
    all.add(new RuntimeService());
    all.add(new ToolService());
    all.add(
        new WorkspaceService(
            context, workspaces, new FilesByRoot(layout, blobs, workspaceRoot), quotas));
    all.add(new BranchService(store, commands, sessions, tasks, branches, pages));
    all.add(new ResourceService<>(context, QuotaRules.resource(context, quotas, bound)));
    all.add(new ResourceService<>(context, Personas.resource(quotas)));
    all.add(new ResourceService<>(context, Skills.RESOURCE));
    all.add(
        new SessionService(
            context,
            workspaces,
            sessions,
            newSessions,
            new SessionFork(sessions, messages, transcripts, branches, log, events),
            new SessionTruncation(sessions, transcripts, events)));
    all.add(
        new MessageService(
            store, commands, sessions, messages, transcripts, sessionMessages, pages));
    all.add(
        Tasks.service(
            context,
            workspaces,
            sessions,
            messages,
            submission,
            steps,
            stores,
            endings,
            permissions.confirmations(),
            new HostResults(hostCalls),
            waiting,
            options.tasks(),
            dispatch.cancels()));
    all.add(permissions.service());
    all.add(new EventService(store, log, workspaces, sessions, tasks, streams));
    all.add(
        new ArtifactService(
            context,
            new ArtifactPlaces(workspaces, sessions, tasks),
            artifacts,
            uploads,
            blobs,
            stores));
    all.add(
        new ResourceService<>(
            context,
            MemoryRules.resource(
                workspaces,
                sessions,
                artifacts,
                new MemoryOwners(personas, sessions, workspaces))));
    all.add(new VaultService(store, commands, workspaces, vaults, secrets, events, pages));
    all.add(
        new OutcomeService(
            store, tasks, outcomes, new OutcomeResources(messages, artifacts), pages));
    all.add(
        new PortabilityService(
            Stored.in(store, layout, CoreRecords.CATALOG, installation, log),
            foundation.installationId(),
            commands,
            tenants,
            events,
            dispatch.parked(),
            clock));
    all.add(new BackupService(store));
    all.add(dispatch.service());
    connectors.services().forEach(all::add);
    all.add(schedules.service());
    all.add(webhooks.service());
  }

  /** Returns every service. */
  List<ServerServiceDefinition> all() {
    List<ServerServiceDefinition> definitions = new ArrayList<>();
    all.forEach(service -> definitions.add(service.bindService()));
    return definitions;
  }

  Installation installation() {
    return installation;
  }

  /** Returns all that callers are known by. */
  List<Credentials> credentials() {
    return credentials;
  }

  Issuer issuer() {
    return issuer;
  }

  ProcessCredentials processCredentials() {
    return processCredentials;
  }

  Tenants tenants() {
    return tenants;
  }

  ServerState state() {
    return state;
  }

  EventStreams streams() {
    return streams;
  }

  void start(ScheduledExecutorService timer) {
    if (options.operatorOnly()) {
      return;
    }
    dispatch.start(timer, options.exclusive());
    streams.start(timer);
    credentialWatch.start(timer);
    retention.start(timer, options.retentionInterval());
    webhooks.start(timer);
    connectors.start(background);
  }

  /** Lets go of what lies outside the store. */
  void close() {
    workspaceRoot.ifPresent(WorkspaceRoot::close);
    outbound.close();
  }

  /** Ends all streams, of workers and of readers. */
  void endStreams() {
    dispatch.close();
    streams.close();
  }
}
