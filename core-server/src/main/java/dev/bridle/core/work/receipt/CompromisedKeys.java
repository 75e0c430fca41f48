package dev.bridle.core.work.receipt;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptKeyState;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this installation knows of compromises of keys of others, from any of its tenants: one that
 * is made later trusts such a key no more, and what one knew outlives it.
 */
public final class CompromisedKeys {
  /** Operators have confirmed each of them. */
  private static final int MOST = 100_000;

  private final Map<String, ReceiptKeyRecord> byId;

  private CompromisedKeys(Map<String, ReceiptKeyRecord> byId) {
    this.byId = byId;
  }

  /** Reads what is kept for all tenants. */
  public static CompromisedKeys kept(ReadTransaction tr, KeyLayout layout) {
    Map<String, ReceiptKeyRecord> byId = new HashMap<>();
    new Installation(layout)
        .compromisedKeys(tr, MOST)
        .forEach(record -> byId.put(parse(record).getId(), parse(record)));
    return new CompromisedKeys(Map.copyOf(byId));
  }

  /** Reads the keys of all tenants. */
  public static CompromisedKeys in(
      KeyValueStore store, KeyLayout layout, Installation installation) {
    ImportedKeys keys = new ImportedKeys(layout);
    Map<String, ReceiptKeyRecord> byId = new HashMap<>();
    store
        .read(tr -> installation.compromisedKeys(tr, MOST))
        .forEach(record -> byId.put(parse(record).getId(), parse(record)));
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      for (ReceiptKeyRecord key : store.read(tr -> keys.all(tr, at))) {
        if (key.getCompromisedSince() != 0 && ImportedKeys.isConfirmed(key)) {
          byId.merge(key.getId(), key, CompromisedKeys::earlier);
        }
      }
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return new CompromisedKeys(Map.copyOf(byId));
  }

  /** Notes what has become known of a key that is confirmed, if it is compromised. */
  public static void note(Transaction tr, Installation installation, ReceiptKeyRecord key) {
    if (key.getCompromisedSince() == 0 || !ImportedKeys.isConfirmed(key)) {
      return;
    }
    Optional<ReceiptKeyRecord> before =
        installation.compromisedKey(tr, key.getId()).map(CompromisedKeys::parse);
    if (before.filter(one -> earlier(one, key).equals(one)).isEmpty()) {
      installation.putCompromisedKey(tr, key.getId(), key.toByteArray());
    }
  }

  /** Notes which of the keys that an operator gives are compromised. */
  public static void note(
      Transaction tr, Installation installation, Collection<VerificationKey> given) {
    given.forEach(key -> note(tr, installation, ImportedKeys.given(key)));
  }

  /** Notes what an operator says of a key, also of one that is not confirmed anywhere. */
  public static void declare(
      Transaction tr, Installation installation, ReceiptKeyRecord key, long since, long now) {
    note(
        tr,
        installation,
        key.toBuilder()
            .setState(ReceiptKeyState.RECEIPT_KEY_STATE_CONFIRMED)
            .setCompromisedSince(since)
            .setDeclaredAt(now)
            .build());
  }

  /**
   * Notes what an operator says of a key that no tenant has, if it is known that it is compromised
   * or whose it is. Returns what is known then; empty if nothing was.
   */
  public static Optional<ReceiptKeyRecord> declare(
      Transaction tr, Installation installation, String id, long since, long now) {
    Optional<ReceiptKeyRecord> before =
        installation
            .compromisedKey(tr, id)
            .map(CompromisedKeys::parse)
            .or(() -> installation.keyInstallation(tr, id).map(of -> named(id)));
    before.ifPresent(key -> declare(tr, installation, key, since, now));
    return before.flatMap(key -> installation.compromisedKey(tr, id)).map(CompromisedKeys::parse);
  }

  private static ReceiptKeyRecord named(String id) {
    return ReceiptKeyRecord.newBuilder().setId(id).build();
  }

  private static ReceiptKeyRecord parse(byte[] record) {
    try {
      return ReceiptKeyRecord.parseFrom(record);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored key is damaged", e);
    }
  }

  private static ReceiptKeyRecord earlier(ReceiptKeyRecord one, ReceiptKeyRecord other) {
    return one.getCompromisedSince() <= other.getCompromisedSince() ? one : other;
  }

  /** Returns the declaration about a key; empty if there is none. */
  public Optional<ReceiptKeyRecord> of(String keyId) {
    return Optional.ofNullable(byId.get(keyId));
  }

  /** Returns keys with what is known of them. */
  List<VerificationKey> applied(List<VerificationKey> keys) {
    return keys.stream().map(this::applied).toList();
  }

  /** Returns a key with what is known of it. */
  public VerificationKey applied(VerificationKey key) {
    return of(key.id())
        .map(
            known ->
                VerificationKey.of(
                    key.publicKey(),
                    ReceiptKeys.compromised(
                        key.validity(), known.getDeclaredAt(), known.getCompromisedSince())))
        .orElse(key);
  }
}
