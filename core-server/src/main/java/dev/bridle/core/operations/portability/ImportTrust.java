package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.receipt.CompromisedKeys;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.KeyInstallations;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.storage.ReadTransaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Which keys an import trusts.
 *
 * @param installation this installation's id, which its own receipts name as issuer
 * @param own the keys of this installation
 * @param forOwn those, and those that the operator gives: this server may have been set back to
 *     before it had a key
 * @param all those too, and those of the tenant that are confirmed
 * @param signers for whom keys of others have signed before
 */
record ImportTrust(
    String installation, KeySet own, KeySet forOwn, KeySet all, KeyInstallations signers) {
  static ImportTrust in(
      ReadTransaction tr,
      TransferStores stores,
      ImportOptions options,
      String installation,
      CompromisedKeys known,
      KeyInstallations signers) {
    Collection<VerificationKey> own = ReceiptKeys.own(tr, stores.layout());
    Map<String, VerificationKey> forOwn = new LinkedHashMap<>();
    own.forEach(key -> forOwn.put(key.id(), key));
    Map<String, VerificationKey> all = new LinkedHashMap<>(forOwn);
    new ImportedKeys(stores.layout())
        .confirmed(tr, options.tenant())
        .forEach(key -> all.putIfAbsent(key.id(), known.applied(key)));
    for (VerificationKey key : options.keys().keys()) {
      VerificationKey given = known.applied(key);
      forOwn.merge(key.id(), given, VerificationKey::and);
      all.merge(key.id(), given, VerificationKey::and);
    }
    return new ImportTrust(
        installation, KeySet.of(own), KeySet.of(forOwn.values()), KeySet.of(all.values()), signers);
  }

  /**
   * Checks that this server knows what keys say of compromises of its own; {@code conflict} if not:
   * such a key must not go on signing, which its operator decides.
   */
  void needDeclared(KeySet given) {
    for (VerificationKey key : given.keys()) {
      OptionalLong since = since(key);
      OptionalLong known = own.find(key.id()).map(ImportTrust::since).orElse(since);
      if (since.isPresent() && (known.isEmpty() || known.getAsLong() > since.getAsLong())) {
        throw ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "Nothing was imported. The keys say that the key "
                + key.id()
                + " of this server is compromised since "
                + Instant.ofEpochSecond(since.getAsLong())
                + ", which this server does not know: declare it with 'bridle oauth key revoke "
                + key.id()
                + " --compromised-since "
                + Instant.ofEpochSecond(since.getAsLong())
                + "', then import again.");
      }
    }
  }

  private static OptionalLong since(VerificationKey key) {
    return key.validity()
        .revocation()
        .map(KeyValidity.Revocation::compromisedSince)
        .orElse(OptionalLong.empty());
  }

  /** Returns whether an installation is this one. */
  boolean isThis(String other) {
    return installation.equals(other);
  }

  /** Returns which of some keys may have signed what names an installation as its issuer. */
  KeySet of(String issuer, List<String> keyIds) {
    return KeySet.of(
        keyIds.stream()
            .filter(id -> maySignFor(id, issuer))
            .flatMap(id -> candidates(issuer).find(id).stream())
            .toList());
  }

  private KeySet candidates(String issuer) {
    return isThis(issuer) ? forOwn : all;
  }

  /** Returns whether it is known that a key is of another installation than an issuer. */
  boolean isOfAnother(String keyId, String issuer) {
    return candidates(issuer).find(keyId).isPresent() && !maySignFor(keyId, issuer);
  }

  private boolean maySignFor(String keyId, String issuer) {
    return own.find(keyId).isPresent() ? isThis(issuer) : signers.maySignFor(keyId, issuer);
  }

  /**
   * Returns whether a key is trusted as one of an issuer. Its id is its hash, so that it stands for
   * it.
   */
  boolean confirms(String keyId, String issuer) {
    return candidates(issuer).find(keyId).isPresent();
  }
}
