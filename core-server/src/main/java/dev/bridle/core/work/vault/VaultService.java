package dev.bridle.core.work.vault;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.vault.v1.CreateVaultRequest;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.DeleteVaultSecretResponse;
import dev.bridle.vault.v1.GetVaultRequest;
import dev.bridle.vault.v1.ListVaultSecretsRequest;
import dev.bridle.vault.v1.ListVaultSecretsResponse;
import dev.bridle.vault.v1.ListVaultsRequest;
import dev.bridle.vault.v1.ListVaultsResponse;
import dev.bridle.vault.v1.RotateVaultSecretRequest;
import dev.bridle.vault.v1.SetVaultSecretRequest;
import dev.bridle.vault.v1.UpdateVaultRequest;
import dev.bridle.vault.v1.Vault;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.function.BiFunction;

/**
 * Vaults (protocol section "Vault"). Secret values are write-only: responses and events contain
 * only names and versions.
 */
public final class VaultService extends VaultServiceGrpc.VaultServiceImplBase {
  /** The provider whose secrets this server stores. */
  private static final String BUILT_IN = "bridle";

  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final VaultStore vaults;
  private final SecretStore secrets;
  private final Events events;
  private final Pages pages;

  public VaultService(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = new WorkspaceStore(context.layout());
    this.vaults = new VaultStore(context.layout());
    this.secrets = new SecretStore(context.layout(), context.seals());
    this.events = context.events();
    this.pages = context.pages();
  }

  @Override
  public void listVaults(ListVaultsRequest request, StreamObserver<ListVaultsResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<Vault> page = store.read(tr -> page(tr, caller, request));
    Replies.send(
        response,
        ListVaultsResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  private Pages.Page<Vault> page(ReadTransaction tr, Caller caller, ListVaultsRequest request) {
    if (request.hasWorkspaceId()
        && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    int index = request.hasWorkspaceId() ? VaultStore.WORKSPACE : VaultStore.ALL;
    return pages.read(
        tr,
        vaults.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        vault -> VaultStore.reached(caller, vault));
  }

  @Override
  public void createVault(CreateVaultRequest request, StreamObserver<Vault> response) {
    Caller caller = Caller.current();
    if (!request.hasWorkspaceId()) {
      caller.needWholeTenant();
    }
    Vault made =
        commands.run(
            request,
            "",
            write ->
                request.hasWorkspaceId()
                    ? workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId()
                    : "",
            write -> create(write, request),
            Vault.getDefaultInstance());
    Replies.send(response, made);
  }

  private Vault create(Write write, CreateVaultRequest request) {
    Vault vault = Members.create(write, write.id("vault"), request, Vault.getDefaultInstance());
    vaults.insert(write, vault);
    emit(write, vault, EventDraft.of(EventKinds.VAULT_CREATED, Members.createdFacts(vault)));
    return vault;
  }

  @Override
  public void getVault(GetVaultRequest request, StreamObserver<Vault> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> vaults.need(tr, caller, request.getVaultId())));
  }

  @Override
  public void updateVault(UpdateVaultRequest request, StreamObserver<Vault> response) {
    Caller caller = Caller.current();
    String id = request.getVaultId();
    Vault changed =
        commands.run(
            request,
            id,
            write -> vaults.need(write.tr(), caller, id).getWorkspaceId(),
            write -> update(write, needChangeable(write, caller, id), request),
            Vault.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Vault update(Write write, Vault before, UpdateVaultRequest request) {
    return Members.applyMask(write, before, request, request.getUpdateMask())
        .map(
            change -> {
              vaults.update(write, before, change.resource());
              emit(write, before, EventDraft.of(EventKinds.VAULT_UPDATED, change.changedFields()));
              return change.resource();
            })
        .orElse(before);
  }

  @Override
  public void listVaultSecrets(
      ListVaultSecretsRequest request, StreamObserver<ListVaultSecretsResponse> response) {
    Caller caller = Caller.current();
    String id = request.getVaultId();
    Pages.Page<KeptSecret> page =
        store.read(
            tr -> {
              var unused = vaults.need(tr, caller, id);
              return pages.among(
                  secrets.list(tr, caller.tenant(), id),
                  KeptSecret::getName,
                  Pages.Ask.of(request, VaultStore.ALL, id, false));
            });
    ListVaultSecretsResponse.Builder list =
        ListVaultSecretsResponse.newBuilder().setPage(page.info());
    page.rows().forEach(secret -> list.addData(toResource(id, secret)));
    Replies.send(response, list.build());
  }

  @Override
  public void setVaultSecret(SetVaultSecretRequest request, StreamObserver<VaultSecret> response) {
    String name = request.getSecretName();
    Replies.send(
        response,
        onSecret(
            request,
            request.getVaultId(),
            name,
            (write, vault) -> put(write, vault, name, request.getValue()),
            VaultSecret.getDefaultInstance()));
  }

  @Override
  public void rotateVaultSecret(
      RotateVaultSecretRequest request, StreamObserver<VaultSecret> response) {
    String id = request.getVaultId();
    String name = request.getSecretName();
    Replies.send(
        response,
        onSecret(
            request,
            id,
            name,
            (write, vault) -> {
              if (secrets.find(write.tr(), write.tenant(), id, name).isEmpty()) {
                throw VaultSecrets.absent(name);
              }
              return put(write, vault, name, request.getValue());
            },
            VaultSecret.getDefaultInstance()));
  }

  private <R extends Message> R onSecret(
      Message request, String vault, String name, BiFunction<Write, Vault, R> work, R prototype) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        SecretStore.id(vault, name),
        write -> vaults.need(write.tr(), caller, vault).getWorkspaceId(),
        write -> work.apply(write, needWritable(write, caller, vault)),
        prototype);
  }

  private VaultSecret put(Write write, Vault vault, String name, String value) {
    boolean first = secrets.find(write.tr(), write.tenant(), vault.getId(), name).isEmpty();
    KeptSecret secret = secrets.put(write, vault.getId(), name, value);
    String kind = first ? EventKinds.SECRET_SET : EventKinds.SECRET_ROTATED;
    emit(write, vault, EventDraft.of(kind, facts(secret)));
    return toResource(vault.getId(), secret);
  }

  @Override
  public void deleteVaultSecret(
      DeleteVaultSecretRequest request, StreamObserver<DeleteVaultSecretResponse> response) {
    String name = request.getSecretName();
    Replies.send(
        response,
        onSecret(
            request,
            request.getVaultId(),
            name,
            (write, vault) -> delete(write, vault, name),
            DeleteVaultSecretResponse.getDefaultInstance()));
  }

  private DeleteVaultSecretResponse delete(Write write, Vault vault, String name) {
    secrets
        .find(write.tr(), write.tenant(), vault.getId(), name)
        .ifPresent(
            secret -> {
              secrets.remove(write, vault.getId(), secret);
              emit(write, vault, EventDraft.of(EventKinds.SECRET_DELETED, facts(secret)));
            });
    return DeleteVaultSecretResponse.getDefaultInstance();
  }

  /** Changing a vault that all workspaces share requires access to the whole tenant. */
  private Vault needChangeable(Write write, Caller caller, String id) {
    Vault vault = vaults.need(write.tr(), caller, id);
    if (!vault.hasWorkspaceId()) {
      caller.needWholeTenant();
    }
    return vault;
  }

  private Vault needWritable(Write write, Caller caller, String id) {
    Vault vault = needChangeable(write, caller, id);
    if (!vault.getProvider().equals(BUILT_IN)) {
      throw ProtocolException.invalid(
          "vault_id",
          "names a vault of another provider, whose secrets this server does not store");
    }
    VaultSecrets.need(vault, VaultSecrets.WRITE);
    return vault;
  }

  private void emit(Write write, Vault vault, EventDraft draft) {
    events.ofResource(
        write,
        vault.getWorkspaceId(),
        "",
        VaultStore.VAULT.name(),
        vault.getId(),
        vault.getId(),
        draft);
  }

  private static Payload facts(KeptSecret secret) {
    return Payload.of().text("name", secret.getName()).number("version", secret.getVersion());
  }

  private static VaultSecret toResource(String vault, KeptSecret secret) {
    return VaultSecret.newBuilder()
        .setVaultId(vault)
        .setName(secret.getName())
        .setVersion(secret.getVersion())
        .setCreatedAt(Timestamps.fromMillis(secret.getCreatedAt()))
        .setVersionCreatedAt(Timestamps.fromMillis(secret.getVersionCreatedAt()))
        .build();
  }
}
