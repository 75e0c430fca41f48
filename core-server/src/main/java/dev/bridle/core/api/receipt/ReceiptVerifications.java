package dev.bridle.core.api.receipt;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.ReceiptHistory;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Issuer;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.CheckResult.Outcome;
import dev.bridle.proof.verify.History;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Verifies stored receipts, and records the results (protocol section "Receipt"). */
final class ReceiptVerifications {
  private final KeyLayout layout;
  private final Events events;
  private final ReceiptStore receipts;
  private final TaskStore tasks;
  private final ReceiptHistory histories;
  private final ReceiptResources resources;
  private final String installation;

  ReceiptVerifications(
      CoreContext context, ReceiptStore receipts, ReceiptResources resources, String installation) {
    this.installation = installation;
    this.layout = context.layout();
    this.events = context.events();
    this.receipts = receipts;
    this.tasks = new TaskStore(layout);
    this.histories = new ReceiptHistory(receipts);
    this.resources = resources;
  }

  /** Verifies a receipt, and records the result if it is the first one or another one. */
  ReceiptVerification verify(Write write, ReceiptRecord record, VerifyReceiptRequest request) {
    // Nothing of a receipt's history changes, so endings of its session need not conflict with
    // this.
    ReadTransaction tr = write.tr().snapshot();
    Issuer issuer;
    try {
      issuer = Receipt.parse(record.getWire().toByteArray()).issuer();
    } catch (InvalidReceiptException e) {
      return ReceiptResources.unreadable(record, e).toBuilder()
          .setCheckedAt(Timestamps.fromMillis(write.nowMillis()))
          .build();
    }
    boolean isOwn = issuer.id().equals(installation);
    KeySet trusted = ReceiptKeys.ofIssuer(tr, layout, write.tenant(), issuer.id(), isOwn);
    boolean own = !request.hasTrustAnchor() && !request.hasAtTime();
    Trust trust =
        request.hasTrustAnchor()
            ? Trust.of(
                ReceiptKeys.narrowed(
                    tr,
                    layout,
                    write.tenant(),
                    issuer.id(),
                    isOwn,
                    anchor(trusted, request.getTrustAnchor())))
            : isOwn ? Trust.of(trusted) : imported(tr, write.tenant(), trusted, issuer);
    ReceiptVerification result = verify(tr, write, record, trust, isOwn, request);
    if (own && !isRecorded(write, record, result)) {
      resources.record(write.tr(), write.tenant(), record.getId(), result);
      emit(write, record, result);
    }
    return result;
  }

  /**
   * An unconfirmed key that came with an import shows only that the receipt is as it was signed.
   */
  private Trust imported(ReadTransaction tr, String tenant, KeySet trusted, Issuer issuer) {
    KeySet unconfirmed = KeySet.of(new ImportedKeys(layout).unconfirmed(tr, tenant));
    return issuer.publicKeyId().flatMap(unconfirmed::find).isPresent()
        ? Trust.unproven(unconfirmed)
        : Trust.of(trusted);
  }

  private boolean isRecorded(Write write, ReceiptRecord record, ReceiptVerification result) {
    return resources
        .verification(write.tr(), write.tenant(), record.getId())
        .filter(before -> before.getValid() == result.getValid())
        .filter(before -> before.getReason().equals(result.getReason()))
        .isPresent();
  }

  private ReceiptVerification verify(
      ReadTransaction tr,
      Write write,
      ReceiptRecord record,
      Trust trust,
      boolean isOwn,
      VerifyReceiptRequest request) {
    byte[] wire = record.getWire().toByteArray();
    History history = histories.before(tr, write.tenant(), record, Receipt.parse(wire));
    Verification verification = new ReceiptVerifier(trust).verify(wire, history);
    boolean late =
        request.hasAtTime() && Timestamps.toMillis(request.getAtTime()) < record.getIssuedAt();
    // What this server has issued was in its chain before whoever got the key later.
    boolean isCovered =
        !request.hasTrustAnchor()
            && isOwn
            && isOfHere(tr, write.tenant(), record)
            && history.chain().isPresent()
            && verification.verdict() == Verdict.CONSISTENT;
    Verdict verdict = isCovered ? Verdict.VALID : verification.verdict();
    ReceiptVerification.Builder result =
        ReceiptVerification.newBuilder()
            .setValid(verdict == Verdict.VALID && !late)
            .setCheckedAt(Timestamps.fromMillis(write.nowMillis()))
            .setDetails(details(verification, verdict));
    if (late) {
      result.setReason("The receipt was issued after that time.");
    } else if (!trust.isProven() && verdict == Verdict.CONSISTENT) {
      result.setReason(unconfirmed(verification));
    } else if (!verification.isComplete()) {
      result.setReason(reason(verification));
    }
    return result.build();
  }

  /**
   * Of receipts that a file has brought, this storage does not show since when they are as they
   * are, also once their chain has gone on here.
   */
  private boolean isOfHere(ReadTransaction tr, String tenant, ReceiptRecord record) {
    return receipts
            .chain(tr, tenant, record.getSessionId())
            .filter(chain -> chain.getImported() || record.getIndex() < chain.getImportedCount())
            .isEmpty()
        && tasks
            .find(tr, tenant, record.getTaskId())
            .filter(task -> task.getImported().getUnverified())
            .isEmpty();
  }

  private static String unconfirmed(Verification verification) {
    String key = verification.receipt().flatMap(one -> one.issuer().publicKeyId()).orElse("");
    return "origin: the key "
        + key
        + " came with an import, and nobody has confirmed it: 'bridle receipt keys --trust "
        + key
        + "' does.";
  }

  private static String reason(Verification verification) {
    return verification
        .failure()
        .map(CheckResult::toString)
        .orElseGet(
            () ->
                verification.notChecked().stream()
                    .map(CheckResult::toString)
                    .distinct()
                    .collect(Collectors.joining("; ", "not checked: ", "")));
  }

  private static ByteString details(Verification verification, Verdict verdict) {
    Payload outcomes = Payload.of();
    for (Check check : Check.values()) {
      List<Outcome> all =
          verification.results().stream()
              .filter(one -> one.check() == check)
              .map(CheckResult::outcome)
              .toList();
      Outcome worst =
          all.contains(Outcome.FAILED)
              ? Outcome.FAILED
              : all.isEmpty() || all.contains(Outcome.NOT_CHECKED)
                  ? Outcome.NOT_CHECKED
                  : Outcome.PASSED;
      outcomes.text(check.spelling(), worst.name().toLowerCase(Locale.ROOT));
    }
    return Payload.of().json("checks", outcomes.json()).text("verdict", verdict.spelling()).json();
  }

  /** Returns the keys that a caller trusts: one of this server's by its id, or a given set. */
  private static KeySet anchor(KeySet trusted, String anchor) {
    if (!anchor.stripLeading().startsWith("{")) {
      return trusted
          .find(anchor)
          .map(key -> KeySet.of(List.of(key)))
          .orElseThrow(
              () ->
                  ProtocolException.invalid(
                      "trust_anchor", "is neither the id of a key of this server nor a JWK set"));
    }
    try {
      KeySet keys = KeySet.parse(anchor.getBytes(StandardCharsets.UTF_8));
      if (keys.keys().isEmpty()) {
        throw ProtocolException.invalid("trust_anchor", "has no Ed25519 key");
      }
      return keys;
    } catch (InvalidJsonException e) {
      throw ProtocolException.invalid("trust_anchor", "is not strict JSON");
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid("trust_anchor", "is no JWK set of Ed25519 public keys");
    }
  }

  private void emit(Write write, ReceiptRecord record, ReceiptVerification result) {
    Payload facts =
        Payload.of()
            .text("receipt_id", record.getId())
            .text("task_id", record.getTaskId())
            .text("reason", result.getReason());
    var unused =
        events.ofResource(
            write,
            record.getWorkspaceId(),
            record.getSessionId(),
            ReceiptStore.RECEIPT.name(),
            record.getId(),
            record.getSessionId(),
            EventDraft.of(
                result.getValid()
                    ? EventKinds.RECEIPT_VERIFIED
                    : EventKinds.RECEIPT_VERIFICATION_FAILED,
                facts));
  }
}
