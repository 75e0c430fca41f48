package dev.bridle.proof.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ReceiptSignature;
import dev.bridle.proof.schema.Rfc3339;
import dev.bridle.proof.verify.CheckResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the signatures of a receipt are of the keys that they name, while those were valid, and
 * whether one of them proves who issued it.
 */
final class SignatureCheck {
  private final Receipt receipt;
  private final Optional<String> issuerKey;
  private final Trust trust;
  private boolean isProven;

  SignatureCheck(Receipt receipt, Trust trust) {
    this.receipt = receipt;
    this.issuerKey = receipt.issuer().publicKeyId();
    this.trust = trust;
  }

  /** Returns the results of all signatures, up to the first that failed; called once. */
  List<CheckResult> results() {
    List<ReceiptSignature> signatures = receipt.signatures();
    if (issuerKey.isPresent()
        && signatures.stream().noneMatch(one -> one.keyId().equals(issuerKey.get()))) {
      return List.of(failed("there is no signature of the issuer's key " + issuerKey.get()));
    }
    if (signatures.isEmpty()) {
      return List.of(lacking("the receipt is not signed, nor names a key"));
    }
    byte[] message = receipt.chain().receiptHash().toString().getBytes(US_ASCII);
    List<CheckResult> results = new ArrayList<>();
    boolean isKnown = false;
    for (ReceiptSignature signature : signatures) {
      isKnown |= trust.find(signature.keyId()).isPresent();
      results.addAll(results(signature, message));
      if (results.get(results.size() - 1).outcome() == Outcome.FAILED) {
        return results;
      }
    }
    if (trust.isProven() && !isKnown) {
      results.clear();
      results.add(failed("no key of the key set has signed it"));
    }
    return results;
  }

  /** Returns whether a trusted key has signed that counts as the issuer's. */
  boolean isProven() {
    return isProven;
  }

  private List<CheckResult> results(ReceiptSignature signature, byte[] message) {
    Optional<VerificationKey> key = trust.find(signature.keyId());
    if (key.isEmpty()) {
      String why = "the key " + signature.keyId() + " is not in the key set";
      return List.of(
          issuerKey.isPresent() && isIssuers(signature)
              ? lacking(why)
              : CheckResult.notChecked(Check.SIGNATURE, why));
    }
    CheckResult made = made(signature, key.get(), message);
    if (made.outcome() == Outcome.FAILED) {
      return List.of(made);
    }
    CheckResult inTime = inTime(signature, key.get());
    isProven |= trust.isProven() && isIssuers(signature) && inTime.outcome() == Outcome.PASSED;
    return List.of(made, inTime);
  }

  /** Where no key is named as the issuer's, each that is trusted may be. */
  private boolean isIssuers(ReceiptSignature signature) {
    return issuerKey.isEmpty() || issuerKey.get().equals(signature.keyId());
  }

  private static CheckResult made(ReceiptSignature signature, VerificationKey key, byte[] message) {
    if (!signature.algorithm().equals(ReceiptSignature.ED25519)) {
      return failed("the algorithm of an Ed25519 key is not " + signature.algorithm());
    }
    return CheckResult.of(
        Check.SIGNATURE,
        Base64Url.decode(signature.signature())
            .filter(bytes -> key.verifies(message, bytes))
            .isPresent(),
        "the key " + key.id() + " has not signed this hash");
  }

  private CheckResult inTime(ReceiptSignature signature, VerificationKey key) {
    // Without a time of its own, it is judged at the one that is signed.
    String signedAt = signature.signedAt().orElse(receipt.issuedAt());
    if (isIssuers(signature) && !signedAt.equals(receipt.issuedAt())) {
      return CheckResult.failed(Check.KEY_VALIDITY, "`signed_at` is not `issued_at`");
    }
    long second = Rfc3339.epochSecond(signedAt).orElseThrow();
    if (second < Rfc3339.epochSecond(receipt.issuedAt()).orElseThrow()) {
      return CheckResult.failed(Check.KEY_VALIDITY, "`signed_at` is before `issued_at`");
    }
    return key.validity()
        .faultAt(second)
        .map(why -> CheckResult.failed(Check.KEY_VALIDITY, why))
        .or(
            () ->
                key.validity()
                    .doubtAt(second)
                    .map(why -> CheckResult.notChecked(Check.KEY_VALIDITY, why)))
        .orElseGet(() -> CheckResult.passed(Check.KEY_VALIDITY));
  }

  /** What a key that is trusted has to have signed is a fault if it is not signed. */
  private CheckResult lacking(String why) {
    return trust.isProven() ? failed(why) : CheckResult.notChecked(Check.SIGNATURE, why);
  }

  private static CheckResult failed(String why) {
    return CheckResult.failed(Check.SIGNATURE, why);
  }
}
