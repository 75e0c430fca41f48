package dev.bridle.core.work.vault;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.SpecialCalls;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.DeleteVaultSecretResponse;
import dev.bridle.vault.v1.ListVaultSecretsRequest;
import dev.bridle.vault.v1.ListVaultSecretsResponse;
import dev.bridle.vault.v1.RotateVaultSecretRequest;
import dev.bridle.vault.v1.SetVaultSecretRequest;
import dev.bridle.vault.v1.Vault;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import java.util.function.BiFunction;

/**
 * The calls on the secrets of vaults (protocol section "Vault"). Secret values are write-only:
 * responses and events contain only names and versions.
 */
final class VaultSecretCalls {
  /** The provider whose secrets this server stores. */
  private static final String BUILT_IN = "bridle";

  private final KeyValueStore store;
  private final Commands commands;
  private final VaultStore vaults;
  private final SecretStore secrets;
  private final Events events;
  private final Pages pages;

  VaultSecretCalls(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.vaults = new VaultStore(context.layout());
    this.secrets = new SecretStore(context.layout(), context.seals());
    this.events = context.events();
    this.pages = context.pages();
  }

  /** Returns the calls by the methods that they serve. */
  SpecialCalls calls() {
    return new SpecialCalls()
        .with(VaultServiceGrpc.getListVaultSecretsMethod(), this::list)
        .with(VaultServiceGrpc.getSetVaultSecretMethod(), this::set)
        .with(VaultServiceGrpc.getRotateVaultSecretMethod(), this::rotate)
        .with(VaultServiceGrpc.getDeleteVaultSecretMethod(), this::delete);
  }

  private ListVaultSecretsResponse list(Caller caller, ListVaultSecretsRequest request) {
    String id = request.getVaultId();
    Pages.Page<KeptSecret> page =
        store.read(
            tr -> {
              var unused = vaults.need(tr, caller, id);
              return pages.among(
                  secrets.list(tr, caller.tenant(), id),
                  KeptSecret::getName,
                  Pages.Ask.of(request, RecordDef.ALL, id, false));
            });
    ListVaultSecretsResponse.Builder list =
        ListVaultSecretsResponse.newBuilder().setPage(page.info());
    page.rows().forEach(secret -> list.addData(toResource(id, secret)));
    return list.build();
  }

  private VaultSecret set(Caller caller, SetVaultSecretRequest request) {
    String name = request.getSecretName();
    return run(
        caller,
        request,
        request.getVaultId(),
        name,
        (write, vault) -> put(write, vault, name, request.getValue()),
        VaultSecret.getDefaultInstance());
  }

  private VaultSecret rotate(Caller caller, RotateVaultSecretRequest request) {
    String id = request.getVaultId();
    String name = request.getSecretName();
    return run(
        caller,
        request,
        id,
        name,
        (write, vault) -> {
          if (secrets.find(write.tr(), write.tenant(), id, name).isEmpty()) {
            throw VaultSecrets.absent(name);
          }
          return put(write, vault, name, request.getValue());
        },
        VaultSecret.getDefaultInstance());
  }

  private VaultSecret put(Write write, Vault vault, String name, String value) {
    boolean first = secrets.find(write.tr(), write.tenant(), vault.getId(), name).isEmpty();
    KeptSecret secret = secrets.put(write, vault.getId(), name, value);
    emit(write, vault, first ? EventKinds.SECRET_SET : EventKinds.SECRET_ROTATED, secret);
    return toResource(vault.getId(), secret);
  }

  private DeleteVaultSecretResponse delete(Caller caller, DeleteVaultSecretRequest request) {
    String name = request.getSecretName();
    return run(
        caller,
        request,
        request.getVaultId(),
        name,
        (write, vault) -> delete(write, vault, name),
        DeleteVaultSecretResponse.getDefaultInstance());
  }

  private DeleteVaultSecretResponse delete(Write write, Vault vault, String name) {
    secrets
        .find(write.tr(), write.tenant(), vault.getId(), name)
        .ifPresent(
            secret -> {
              secrets.remove(write, vault.getId(), secret);
              emit(write, vault, EventKinds.SECRET_DELETED, secret);
            });
    return DeleteVaultSecretResponse.getDefaultInstance();
  }

  /** Runs a command on a secret of a vault whose secrets the caller may change. */
  private <R extends Message> R run(
      Caller caller,
      Message request,
      String vault,
      String name,
      BiFunction<Write, Vault, R> work,
      R prototype) {
    return commands.run(
        request,
        SecretStore.id(vault, name),
        write -> vaults.need(write.tr(), caller, vault).getWorkspaceId(),
        write -> work.apply(write, needWritable(write, caller, vault)),
        prototype);
  }

  private Vault needWritable(Write write, Caller caller, String id) {
    Vault vault = vaults.need(write.tr(), caller, id);
    VaultRules.needChangeable(caller, vault);
    if (!vault.getProvider().equals(BUILT_IN)) {
      throw ProtocolException.invalid(
          "vault_id",
          "names a vault of another provider, whose secrets this server does not store");
    }
    VaultSecrets.need(vault, VaultSecrets.WRITE);
    return vault;
  }

  private void emit(Write write, Vault vault, String kind, KeptSecret secret) {
    Payload facts =
        Payload.of().text("name", secret.getName()).number("version", secret.getVersion());
    events.ofResource(
        write,
        vault.getWorkspaceId(),
        VaultStore.VAULT.name(),
        vault.getId(),
        EventDraft.of(kind, facts));
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
