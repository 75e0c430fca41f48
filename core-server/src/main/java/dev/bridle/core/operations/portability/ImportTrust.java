package dev.bridle.core.operations.portability;

import dev.bridle.core.work.receipt.CompromisedKeys;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.KeyInstallations;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.storage.ReadTransaction;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which keys an import trusts.
 *
 * @param installation this installation's id, which its own receipts name as issuer
 * @param own the keys of this installation, for its own receipts
 * @param all those too, those that the operator gives, and those of the tenant that are confirmed
 * @param signers for whom keys of others have signed before
 */
record ImportTrust(String installation, KeySet own, KeySet all, KeyInstallations signers) {
  static ImportTrust in(
      ReadTransaction tr,
      TransferStores stores,
      ImportOptions options,
      String installation,
      CompromisedKeys known,
      KeyInstallations signers) {
    Collection<VerificationKey> own = ReceiptKeys.own(tr, stores.layout());
    Map<String, VerificationKey> all = new LinkedHashMap<>();
    own.forEach(key -> all.put(key.id(), key));
    new ImportedKeys(stores.layout())
        .confirmed(tr, options.tenant())
        .forEach(key -> all.putIfAbsent(key.id(), known.applied(key)));
    options
        .keys()
        .keys()
        .forEach(key -> all.merge(key.id(), known.applied(key), ImportTrust::stricter));
    return new ImportTrust(installation, KeySet.of(own), KeySet.of(all.values()), signers);
  }

  /** What is known here of a compromise outlives a set of keys that was kept before. */
  private static VerificationKey stricter(VerificationKey known, VerificationKey given) {
    return given
        .validity()
        .revocation()
        .map(one -> VerificationKey.of(known.publicKey(), known.validity().narrowed(one)))
        .orElse(known);
  }

  /** Returns whether a key may sign for an installation, as far as it is known whose it is. */
  boolean maySignFor(String keyId, String other) {
    return own.find(keyId).isEmpty() && signers.maySignFor(keyId, other);
  }

  /** Returns whether a key of a file is trusted. Its id is its hash, so that it stands for it. */
  boolean confirms(String keyId) {
    return all.find(keyId).isPresent();
  }
}
