package dev.bridle.core.api.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.statement.ChainStatement;
import dev.bridle.proof.statement.ExportEnd;
import dev.bridle.proof.verify.ChainEnd;
import dev.bridle.record.v1.ReceiptChainRecord;
import java.util.Optional;
import java.util.function.Function;

/**
 * The lines of one export that say what it has, signed, so that nothing can be cut off unseen. A
 * server that can't sign writes none. Not thread-safe.
 */
final class SignedLines {
  private final CoreContext context;
  private final ReceiptKeys keys;
  private final String installation;
  private final Caller caller;
  private final RunningSha256 sent = new RunningSha256();
  private long receipts;
  private long chains;

  /**
   * Begins an export.
   *
   * @param installation the id of this installation, which issues what it signs
   */
  SignedLines(CoreContext context, ReceiptKeys keys, String installation, Caller caller) {
    this.context = context;
    this.keys = keys;
    this.installation = installation;
    this.caller = caller;
  }

  /** Takes note of lines that are sent. */
  ByteString sent(ByteString lines) {
    sent.add(lines.toByteArray());
    return lines;
  }

  /** Takes note of a receipt that is sent. */
  void countReceipt() {
    receipts++;
  }

  /**
   * Returns the line that says how far a chain reaches; none for one that came with an import and
   * was not continued here, since it may go on elsewhere, and none for one whose beginning nobody
   * vouches for.
   *
   * @param first the hash of its first receipt
   * @param era that of its last receipt
   */
  ByteString chain(ReceiptChainRecord chain, Optional<Sha256> first, long era) {
    if (chain.getImported() || chain.getUnverified()) {
      return ByteString.EMPTY;
    }
    ChainHead head = ReceiptStore.head(Optional.of(chain));
    ChainEnd end =
        new ChainEnd(
            head.count(),
            chain.getPartial() ? Optional.empty() : first,
            head.last(),
            head.peaks().root());
    Optional<ObjectNode> said =
        stated(
            at ->
                new ChainStatement(
                        installation, chain.getSessionId(), end, era, chain.getPartial(), at)
                    .toJson());
    said.ifPresent(unused -> chains++);
    return said.map(statement -> BundleLines.of("chain", statement)).orElse(ByteString.EMPTY);
  }

  /** Returns the last line of the export. */
  ByteString end() {
    Sha256 lines = sent.soFar();
    return stated(
            at ->
                new ExportEnd(installation, caller.tenant(), chains, receipts, lines, at).toJson())
        .map(statement -> BundleLines.of("end", statement))
        .orElse(ByteString.EMPTY);
  }

  private Optional<ObjectNode> stated(Function<String, ObjectNode> statementAt) {
    long now = context.clock().millis();
    return context.store().read(tr -> keys.stated(tr, now, statementAt));
  }
}
