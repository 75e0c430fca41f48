package dev.bridle.core.operations.admin;

import dev.bridle.admin.v1.HostFolderRequest;
import dev.bridle.admin.v1.HostFolderResponse;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.persona.AgentPersonas;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.core.work.workspace.MachineFolders;
import dev.bridle.storage.KeyValueStore;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The processes that host agents in folders of this machine: each as long as its call is open. */
final class FolderHosts {
  private static final int MAX_HOSTS = 256;

  /** The actor of their workers: the same for all, so that the next process has the leases. */
  private static final String WORKER = "agent-host";

  private final KeyValueStore store;
  private final Tenants tenants;
  private final MachineFolders folders;
  private final AgentPersonas personas;
  private final ProcessCredentials secrets;
  private final AtomicInteger hosts = new AtomicInteger();
  private final FormerHosts former;

  /** The open calls, and their workspaces. */
  private final Map<ServerCallStreamObserver<HostFolderResponse>, Place> open =
      new ConcurrentHashMap<>();

  private record Place(String tenant, String workspace) {}

  FolderHosts(
      CoreContext context, Tenants tenants, ProcessCredentials secrets, FormerHosts former) {
    this.store = context.store();
    this.tenants = tenants;
    this.folders = new MachineFolders(context);
    this.personas = new AgentPersonas(context);
    this.secrets = secrets;
    this.former = former;
  }

  /** Admits a process until its call ends. */
  void admit(HostFolderRequest request, ServerCallStreamObserver<HostFolderResponse> call) {
    String tenant = TenantCredentials.tenantOf(request.getTenantId());
    MachineFolder folder = new MachineFolder(request.getFolder());
    var unused = store.read(tr -> tenants.need(tr, tenant));
    if (hosts.incrementAndGet() > MAX_HOSTS) {
      hosts.decrementAndGet();
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_RATE_LIMITED,
          "This server has " + MAX_HOSTS + " hosts of agents already; end one of them first.");
    }
    Place place = new Place(tenant, "");
    String persona = "";
    boolean admitted = false;
    boolean done = false;
    try {
      place = new Place(tenant, folders.open(tenant, request.getActor(), folder));
      if (!request.getAgent().isEmpty()) {
        persona = personas.open(tenant, request.getActor(), request.getAgent());
      }
      admitted = admit(request, tenant, Set.of(place.workspace()));
      if (admitted && request.getTakesOver() && !open.containsValue(place)) {
        former.takeBack(tenant, place.workspace(), WORKER);
      }
      done = admitted;
    } finally {
      if (!done) {
        hosts.decrementAndGet();
      }
      if (admitted && !done) {
        forget(request);
      }
    }
    if (!admitted) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT, "A secret is in use; try again with others.");
    }
    // Runs after this method, however early the call ends.
    call.setOnCancelHandler(
        () -> {
          open.remove(call);
          forget(request);
          hosts.decrementAndGet();
        });
    call.onNext(
        HostFolderResponse.newBuilder()
            .setWorkspaceId(place.workspace())
            .setPersonaId(persona)
            .build());
    open.put(call, place);
  }

  private void forget(HostFolderRequest request) {
    secrets.forget(request.getPersonSecret());
    secrets.forget(request.getWorkerSecret());
  }

  /** Ends all calls, since the server stops. */
  void close() {
    for (ServerCallStreamObserver<HostFolderResponse> call : List.copyOf(open.keySet())) {
      call.onError(Status.UNAVAILABLE.withDescription("The server stops.").asRuntimeException());
    }
  }

  private boolean admit(HostFolderRequest request, String tenant, Set<String> workspace) {
    Caller person = new Caller(tenant, request.getActor(), Set.of("*"), workspace, false);
    Caller worker =
        new Caller(tenant, WORKER, Set.of("workers:lease", "skills:read"), workspace, false);
    if (!secrets.admitNew(request.getPersonSecret(), person)) {
      return false;
    }
    if (!secrets.admitNew(request.getWorkerSecret(), worker)) {
      secrets.forget(request.getPersonSecret());
      return false;
    }
    return true;
  }
}
