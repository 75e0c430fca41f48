package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.record.v1.RelayRouteRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PairingIndex;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Stores pairings, and where artifacts go that carry the routing token of one:
 *
 * <pre>
 * tenant / RECORD / pairing, nonce             → PairingRecord
 * tenant / RECORD / relay route, hash of token → RelayRouteRecord
 * PAIRING / hash of code or nonce              → tenant, nonce
 * DUE / PAIRING, nonce                         → when it is removed
 * </pre>
 */
public final class PairingStore implements TenantSecrets {
  private final RecordStore<PairingRecord> pairings;
  private final RecordStore<RelayRouteRecord> routes;
  private final PairingIndex index;
  private final DueIndex due;

  PairingStore(KeyLayout layout, DueIndex due) {
    this.pairings = RelayRecords.PAIRING.store(layout);
    this.routes = RelayRecords.ROUTE.store(layout);
    this.index = new PairingIndex(layout);
    this.due = due;
  }

  /** Returns the hash of a code, a nonce or a token. */
  public static byte[] hash(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8)).bytes();
  }

  /** Returns where the pairing of a code or nonce is, of any tenant. */
  Optional<PairingIndex.Found> find(ReadTransaction tr, String codeOrNonce) {
    return index.find(tr, hash(codeOrNonce));
  }

  Optional<PairingRecord> get(ReadTransaction tr, String tenant, String nonce) {
    return pairings.get(tr, tenant, nonce);
  }

  /** Returns the approver that the routing token of an enforcer leads to. */
  Optional<PartyId> route(ReadTransaction tr, String tenant, PartyId enforcer, String token) {
    return routes
        .get(tr, tenant, tokenHash(token))
        .filter(route -> route.getEnforcerId().equals(enforcer.id()))
        .map(route -> PartyId.approver(route.getApproverId()));
  }

  /** Returns up to {@code limit} routes after the one of a hash, in the order of their hashes. */
  List<RelayRouteRecord> routes(
      ReadTransaction tr, String tenant, Optional<String> tokenHash, int limit) {
    return routes.withPrefix(tr, tenant, "", tokenHash.map(PairingStore::after).orElse(""), limit);
  }

  private static String after(String key) {
    return key + "\0";
  }

  private static String tokenHash(String token) {
    return Sha256.of(token.getBytes(StandardCharsets.UTF_8))
        .toString()
        .substring("sha256:".length());
  }

  void insert(Write write, PairingRecord pairing) {
    pairings.insert(write.tr(), write.tenant(), pairing.getNonce(), pairing);
    PairingIndex.Found found = new PairingIndex.Found(write.tenant(), pairing.getNonce());
    index.put(write.tr(), pairing.getCodeHash().toByteArray(), found);
    index.put(write.tr(), hash(pairing.getNonce()), found);
    RelayRecords.PAIRING.schedule(due, write.tr(), write.tenant(), pairing);
  }

  /** Stores a completed pairing, whose code is of no use any more, and its route. */
  void complete(Write write, PairingRecord before, PairingRecord completed) {
    PairingRecord after = completed.toBuilder().setCodeHash(ByteString.EMPTY).build();
    pairings.update(write.tr(), write.tenant(), after.getNonce(), before, after);
    index.remove(write.tr(), before.getCodeHash().toByteArray());
    RelayRecords.PAIRING.reschedule(due, write.tr(), write.tenant(), before, after);
    String token = tokenHash(after.getRoutingToken());
    routes.insert(
        write.tr(),
        write.tenant(),
        token,
        RelayRouteRecord.newBuilder()
            .setTokenHash(token)
            .setEnforcerId(after.getOffer().getEnforcerId())
            .setApproverId(after.getDevice().getApproverId())
            .setDeviceId(after.getDevice().getDeviceId())
            .setSignerKeyId(after.getDevice().getSignerKeyId())
            .setSigningKey(after.getDevice().getSigningKey())
            .setPublicKey(after.getDevice().getPublicKey())
            .setCreatedAt(write.nowMillis())
            .build());
  }

  /** Stores a completed pairing that its enforcer has confirmed. */
  void confirm(Write write, PairingRecord before, PairingRecord after) {
    pairings.update(write.tr(), write.tenant(), after.getNonce(), before, after);
  }

  /** Removes a pairing that is due; the route of a completed one stays. */
  void due(Write write, DueEntry entry) {
    Optional<PairingRecord> found =
        get(write.tr(), write.tenant(), entry.id())
            .filter(pairing -> RelayRecords.PAIRING.isDue(pairing, entry));
    due.cancel(write.tr(), entry);
    found.ifPresent(
        pairing -> {
          pairings.remove(write.tr(), write.tenant(), pairing.getNonce());
          removeFromIndex(write.tr(), pairing);
        });
  }

  private void removeFromIndex(Transaction tr, PairingRecord pairing) {
    index.remove(tr, hash(pairing.getNonce()));
    if (!pairing.getCodeHash().isEmpty()) {
      index.remove(tr, pairing.getCodeHash().toByteArray());
    }
  }

  /** Returns how many pairings of an enforcer are open, of the first so many of the tenant. */
  long open(ReadTransaction tr, String tenant, PartyId enforcer, int most) {
    return pairings.withPrefix(tr, tenant, "", "", most).stream()
        .filter(pairing -> !pairing.hasDevice())
        .filter(pairing -> pairing.getOffer().getEnforcerId().equals(enforcer.id()))
        .count();
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    String from = after.map(nonce -> after(new String(nonce, StandardCharsets.UTF_8))).orElse("");
    List<PairingRecord> page = pairings.withPrefix(tr, tenant, "", from, limit);
    page.forEach(pairing -> removeFromIndex(tr, pairing));
    return page.size() < limit
        ? Optional.empty()
        : Optional.of(page.get(limit - 1).getNonce().getBytes(StandardCharsets.UTF_8));
  }
}
