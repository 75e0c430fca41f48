package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.RelayAuditKind;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Base32;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The rules of pairings. A device gets an API key whose actor is its approver and nobody else, so
 * that its token reaches exactly one party.
 */
final class Pairings {
  private static final Duration OPEN = Duration.ofMinutes(10);
  private static final Duration KEPT = Duration.ofDays(1);
  private static final String ACTOR = "approver:";
  private static final int MAX_OPEN = 20;
  private static final int MAX_READ = 1000;
  private static final int CODE_BYTES = 5;
  private static final int NONCE_BYTES = 16;
  private static final int TOKEN_BYTES = 20;
  private static final int TOKEN_KEY_BYTES = 32;

  private final Parties parties;
  private final PairingStore pairings;
  private final CredentialStore<ApiKeyRecord> keys;
  private final RelayAudit audit;
  private final OwnPairings own;

  Pairings(
      Parties parties,
      PairingStore pairings,
      CredentialStore<ApiKeyRecord> keys,
      RelayAudit audit,
      OwnPairings own) {
    this.own = own;
    this.parties = parties;
    this.pairings = pairings;
    this.keys = keys;
    this.audit = audit;
  }

  /**
   * A pairing that has begun.
   *
   * @param record the pairing
   * @param code its code, which is stored as its hash only
   */
  record Initiated(PairingRecord record, String code) {
    /** Leaves the code out. */
    @Override
    public String toString() {
      return "Initiated[" + record.getNonce() + "]";
    }
  }

  Initiated initiate(Write write, PairingOffer offer) {
    return initiate(write, offer, UnaryOperator.identity());
  }

  /**
   * Begins a pairing.
   *
   * @param more adds to its record what its enforcer wants to find there
   */
  Initiated initiate(Write write, PairingOffer offer, UnaryOperator<PairingRecord.Builder> more) {
    PartyId enforcer = PartyId.enforcer(offer.getEnforcerId());
    parties.claim(write, enforcer);
    write.needTenant();
    if (pairings.open(write.tr(), write.tenant(), enforcer, MAX_READ) >= MAX_OPEN) {
      throw RelayErrors.tooManyPairings(MAX_OPEN);
    }
    String code = code(write);
    while (pairings.find(write.tr(), code).isPresent()) {
      code = code(write);
    }
    long until = write.nowMillis() + OPEN.toMillis();
    PairingRecord record =
        more.apply(
                PairingRecord.newBuilder()
                    .setNonce(Base64Url.encode(write.salt(NONCE_BYTES)))
                    .setCodeHash(ByteString.copyFrom(PairingStore.hash(code)))
                    .setOffer(offer)
                    .setCreatedAt(write.nowMillis())
                    .setExpiresAt(until)
                    .setDueAt(until))
            .build();
    pairings.insert(write, record);
    audit.append(
        write, RelayAudit.about(RelayAuditKind.RELAY_AUDIT_KIND_PAIRING_INITIATED, enforcer));
    return new Initiated(record, code);
  }

  private static String code(Write write) {
    return Base32.encode(write.salt(CODE_BYTES)).toUpperCase(Locale.ROOT);
  }

  /** Returns a pairing that can still be completed. */
  Optional<PairingRecord> open(ReadTransaction tr, String tenant, String nonce, long now) {
    return pairings.get(tr, tenant, nonce).filter(pairing -> isOpen(pairing, now));
  }

  private static boolean isOpen(PairingRecord pairing, long now) {
    return !pairing.hasDevice() && now < pairing.getExpiresAt();
  }

  /** Returns the name of the actor that is an approver and nobody else. */
  static String actorOf(String approverId) {
    return ACTOR + approverId;
  }

  /** Returns whose name an actor's is, if that is an approver and nobody else. */
  static Optional<String> approverOf(String actor) {
    return actor.startsWith(ACTOR)
        ? Optional.of(actor.substring(ACTOR.length()))
        : Optional.empty();
  }

  /**
   * Completes a pairing with a token that was prepared for its device.
   *
   * @return empty where there is no such pairing, or its time is over
   */
  Optional<PairingRecord> complete(
      Write write, String nonce, PairingDevice device, DeviceToken token) {
    CredentialStore.Created key = token.prepared();
    String keyId = key.credential().id();
    return complete(
        write,
        nonce,
        device,
        before ->
            token.hasCompleted(before)
                && before.getDevice().equals(device)
                && write.nowMillis() < before.getExpiresAt()
                && keys.active(write.tr(), write.tenant(), before.getKeyId()).isPresent(),
        completed -> {
          parties.pair(write, device, key.credential().actor(), keyId);
          keys.insert(write.tr(), write.tenant(), key, write.order());
          return token.note(completed).setKeyId(keyId);
        });
  }

  /**
   * Completes a pairing for an approver of the writing actor, who has a credential.
   *
   * @return empty where there is no such pairing, or its time is over
   */
  Optional<PairingRecord> completeAsApprover(Write write, String nonce, PairingDevice device) {
    return complete(
        write,
        nonce,
        device,
        before -> before.getKeyId().isEmpty() && before.getDevice().equals(device),
        completed -> {
          parties.claimApprover(write, device);
          return completed;
        });
  }

  /**
   * Completes a pairing.
   *
   * @param isRepeat whether this call has completed it before
   * @param approver makes the approver, and notes its new key in the pairing, if it gets one
   */
  private Optional<PairingRecord> complete(
      Write write,
      String nonce,
      PairingDevice device,
      Predicate<PairingRecord> isRepeat,
      UnaryOperator<PairingRecord.Builder> approver) {
    Optional<PairingRecord> before = pairings.get(write.tr(), write.tenant(), nonce);
    if (before.filter(PairingRecord::hasDevice).isPresent()) {
      if (isRepeat.test(before.get())) {
        return before;
      }
      throw RelayErrors.alreadyPaired();
    }
    if (before.filter(pairing -> isOpen(pairing, write.nowMillis())).isEmpty()) {
      return Optional.empty();
    }
    PairingRecord completed =
        approver
            .apply(before.get().toBuilder())
            .setDevice(device)
            .setRoutingToken("rt_" + Base32.encode(write.salt(TOKEN_BYTES)))
            .setDueAt(write.nowMillis() + KEPT.toMillis())
            .build();
    PairingRecord after = completed.hasOrder() ? own.completed(write, completed) : completed;
    pairings.complete(write, before.get(), after);
    return Optional.of(after);
  }

  /**
   * Prepares the token of a device.
   *
   * @param once the idempotency key of the call, if it has one
   * @param random returns random bytes
   */
  DeviceToken prepareToken(
      PairingDevice device, Optional<String> once, IntFunction<byte[]> random) {
    return new DeviceToken(
        keys,
        device.getApproverId(),
        once.orElseGet(() -> Base32.encode(random.apply(TOKEN_KEY_BYTES))),
        random.apply(TOKEN_KEY_BYTES));
  }

  /**
   * Confirms a completed pairing with the proof of its enforcer.
   *
   * @return whether there is such a pairing of the caller's enforcer
   */
  boolean confirm(Write write, Caller caller, String nonce, String mac) {
    Optional<PairingRecord> before =
        pairings
            .get(write.tr(), write.tenant(), nonce)
            .filter(PairingRecord::hasDevice)
            .filter(pairing -> parties.owns(write.tr(), caller, enforcer(pairing)));
    String earlier = before.map(PairingRecord::getConfirmation).orElse("");
    if (!earlier.isEmpty() && !earlier.equals(mac)) {
      throw RelayErrors.alreadyConfirmed();
    }
    before
        .filter(pairing -> earlier.isEmpty())
        .ifPresent(
            pairing ->
                pairings.confirm(write, pairing, pairing.toBuilder().setConfirmation(mac).build()));
    return before.isPresent();
  }

  /** Returns a pairing of the caller's enforcer, or one that the caller's device has completed. */
  Optional<PairingRecord> owned(ReadTransaction tr, Caller caller, String nonce) {
    return pairings
        .get(tr, caller.tenant(), nonce)
        .filter(
            pairing ->
                parties.owns(tr, caller, enforcer(pairing))
                    || (pairing.hasDevice() && parties.owns(tr, caller, approver(pairing))));
  }

  private static PartyId enforcer(PairingRecord pairing) {
    return PartyId.enforcer(pairing.getOffer().getEnforcerId());
  }

  private static PartyId approver(PairingRecord pairing) {
    return PartyId.approver(pairing.getDevice().getApproverId());
  }

  /** Ends the key that the pairing of a party gave its device, if there was one. */
  void revokeKey(Write write, String keyId) {
    if (!keyId.isEmpty()) {
      var unused = keys.revoke(write.tr(), write.tenant(), keyId);
    }
  }
}
