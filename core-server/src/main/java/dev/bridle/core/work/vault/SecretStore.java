package dev.bridle.core.work.vault;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.seal.EncryptionContext;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.record.v1.SecretRecord;
import dev.bridle.record.v1.VaultSecretsRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Stores the secrets of vaults, with sealed values:
 *
 * <pre>
 * tenant / RECORD / VAULT_SECRETS, vault      → names and versions of the vault's secrets
 * tenant / RECORD / SECRET, vault/name        → a sealed value
 * </pre>
 */
public final class SecretStore {
  /** The definition of the list of a vault's secrets. */
  public static final RecordDef<VaultSecretsRecord> VAULT_SECRETS =
      RecordDef.of(51, "list of secrets", VaultSecretsRecord.parser())
          .id(VaultSecretsRecord::getVaultId)
          .refersTo("vault", VaultSecretsRecord::getVaultId)
          .build();

  /** The definition of sealed secrets. */
  public static final RecordDef<SecretRecord> SECRET =
      RecordDef.of(52, "secret", SecretRecord.parser())
          .id(record -> id(record.getVaultId(), record.getName()))
          .refersTo("vault", SecretRecord::getVaultId)
          .build();

  /** The maximum number of secrets of a vault. */
  public static final int MOST = 100;

  /** How many of the actors who have set a secret are kept, the newest ones. */
  private static final int MOST_SETTERS = 32;

  private final RecordStore<VaultSecretsRecord> lists;
  private final RecordStore<SecretRecord> values;
  private final Seals seals;

  public SecretStore(KeyLayout layout, Seals seals) {
    this.lists = VAULT_SECRETS.store(layout);
    this.values = SECRET.store(layout);
    this.seals = seals;
  }

  /** Returns the metadata of a vault's secrets, ordered by name. */
  List<KeptSecret> list(ReadTransaction tr, String tenant, String vault) {
    return kept(tr, tenant, vault).getSecretsList();
  }

  /** Returns the metadata of a secret. */
  Optional<KeptSecret> find(ReadTransaction tr, String tenant, String vault, String name) {
    return list(tr, tenant, vault).stream()
        .filter(secret -> secret.getName().equals(name))
        .findFirst();
  }

  /** Stores the first or a new value of a secret. */
  KeptSecret put(Write write, String vault, String name, String value) {
    VaultSecretsRecord before = kept(write.tr(), write.tenant(), vault);
    Optional<KeptSecret> old =
        before.getSecretsList().stream()
            .filter(secret -> secret.getName().equals(name))
            .findFirst();
    if (old.isEmpty() && before.getSecretsCount() == MOST) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The vault has the maximum number of secrets; delete one first.")
          .with("secrets", MOST);
    }
    long above = old.map(KeptSecret::getVersion).orElse(before.getDeletedVersion());
    KeptSecret secret =
        KeptSecret.newBuilder()
            .setName(name)
            .setVersion(above + 1)
            .setCreatedAt(old.map(KeptSecret::getCreatedAt).orElse(write.nowMillis()))
            .setVersionCreatedAt(write.nowMillis())
            .addAllSetBy(setters(old, write.actor()))
            .build();
    List<KeptSecret> secrets = new ArrayList<>(before.getSecretsList());
    old.ifPresent(secrets::remove);
    secrets.add(secret);
    replace(write, before, before.toBuilder().setVaultId(vault), secrets);
    byte[] sealed =
        seals.seal(
            write.tr(),
            context(write.tenant(), vault, name),
            value.getBytes(StandardCharsets.UTF_8));
    String id = id(vault, name);
    SecretRecord record =
        SecretRecord.newBuilder()
            .setVaultId(vault)
            .setName(name)
            .setVersion(secret.getVersion())
            .setSealed(ByteString.copyFrom(sealed))
            .build();
    values
        .get(write.tr(), write.tenant(), id)
        .ifPresentOrElse(
            stored -> values.update(write.tr(), write.tenant(), id, stored, record),
            () -> values.insert(write.tr(), write.tenant(), id, record));
    return secret;
  }

  /** Removes a secret and its value. */
  void remove(Write write, String vault, KeptSecret secret) {
    VaultSecretsRecord before = kept(write.tr(), write.tenant(), vault);
    List<KeptSecret> secrets = new ArrayList<>(before.getSecretsList());
    secrets.remove(secret);
    replace(
        write,
        before,
        before.toBuilder()
            .setDeletedVersion(Math.max(before.getDeletedVersion(), secret.getVersion())),
        secrets);
    values.remove(write.tr(), write.tenant(), id(vault, secret.getName()));
  }

  /** Decrypts a secret's value. */
  OpenedSecret open(ReadTransaction tr, String tenant, String vault, KeptSecret secret) {
    String name = secret.getName();
    SecretRecord record =
        values
            .get(tr, tenant, id(vault, name))
            .orElseThrow(() -> new IllegalStateException("a stored secret has no value"));
    byte[] value = seals.open(context(tenant, vault, name), record.getSealed().toByteArray());
    return new OpenedSecret(
        vault, name, record.getVersion(), new String(value, StandardCharsets.UTF_8));
  }

  private void replace(
      Write write,
      VaultSecretsRecord before,
      VaultSecretsRecord.Builder after,
      List<KeptSecret> secrets) {
    secrets.sort(Comparator.comparing(KeptSecret::getName));
    VaultSecretsRecord record = after.clearSecrets().addAllSecrets(secrets).build();
    lists.update(write.tr(), write.tenant(), record.getVaultId(), before, record);
  }

  private static List<String> setters(Optional<KeptSecret> old, String actor) {
    List<String> all = new ArrayList<>();
    old.ifPresent(secret -> all.addAll(secret.getSetByList()));
    all.remove(actor);
    all.add(actor);
    return all.subList(Math.max(0, all.size() - MOST_SETTERS), all.size());
  }

  private VaultSecretsRecord kept(ReadTransaction tr, String tenant, String vault) {
    return lists.get(tr, tenant, vault).orElse(VaultSecretsRecord.getDefaultInstance());
  }

  private static EncryptionContext context(String tenant, String vault, String name) {
    return EncryptionContext.of(tenant, "vault", vault, "secret", name);
  }

  /** Returns the id of the record of a vault's secret. */
  public static String id(String vault, String name) {
    return vault + "/" + name;
  }
}
