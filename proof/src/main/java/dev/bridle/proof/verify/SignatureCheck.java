package dev.bridle.proof.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ReceiptSignature;
import dev.bridle.proof.schema.Rfc3339;
import dev.bridle.proof.verify.CheckResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the signatures of a receipt are of the keys that they name, while those were valid. */
final class SignatureCheck {
  private final Receipt receipt;
  private final Optional<String> issuerKey;
  private final KeySet keys;

  SignatureCheck(Receipt receipt, KeySet keys) {
    this.receipt = receipt;
    this.issuerKey = receipt.issuer().publicKeyId();
    this.keys = keys;
  }

  /** Returns the results of all signatures, up to the first that failed. */
  List<CheckResult> results() {
    List<ReceiptSignature> signatures = receipt.signatures();
    if (issuerKey.isPresent()
        && signatures.stream().noneMatch(one -> one.keyId().equals(issuerKey.get()))) {
      return List.of(failed("there is no signature of the issuer's key " + issuerKey.get()));
    }
    if (signatures.isEmpty()) {
      return List.of(
          CheckResult.notChecked(Check.SIGNATURE, "the receipt is not signed, nor names a key"));
    }
    byte[] message = receipt.chain().receiptHash().toString().getBytes(US_ASCII);
    List<CheckResult> results = new ArrayList<>();
    for (ReceiptSignature signature : signatures) {
      results.addAll(results(signature, message));
      if (results.get(results.size() - 1).outcome() == Outcome.FAILED) {
        break;
      }
    }
    return results;
  }

  private List<CheckResult> results(ReceiptSignature signature, byte[] message) {
    Optional<VerificationKey> key = keys.find(signature.keyId());
    if (key.isEmpty()) {
      return List.of(
          CheckResult.notChecked(
              Check.SIGNATURE, "the key " + signature.keyId() + " is not in the key set"));
    }
    CheckResult made = made(signature, key.get(), message);
    return made.outcome() == Outcome.FAILED
        ? List.of(made)
        : List.of(made, inTime(signature, key.get()));
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
    if (signature.signedAt().isEmpty()) {
      return CheckResult.notChecked(Check.KEY_VALIDITY, "the signature has no time");
    }
    String signedAt = signature.signedAt().get();
    boolean issuers = issuerKey.isEmpty() || issuerKey.get().equals(key.id());
    if (issuers && !signedAt.equals(receipt.issuedAt())) {
      return CheckResult.failed(Check.KEY_VALIDITY, "`signed_at` is not `issued_at`");
    }
    long second = Rfc3339.epochSecond(signedAt).orElseThrow();
    if (second < Rfc3339.epochSecond(receipt.issuedAt()).orElseThrow()) {
      return CheckResult.failed(Check.KEY_VALIDITY, "`signed_at` is before `issued_at`");
    }
    return key.validity()
        .faultAt(second)
        .map(why -> CheckResult.failed(Check.KEY_VALIDITY, why))
        .orElseGet(() -> CheckResult.passed(Check.KEY_VALIDITY));
  }

  private static CheckResult failed(String why) {
    return CheckResult.failed(Check.SIGNATURE, why);
  }
}
