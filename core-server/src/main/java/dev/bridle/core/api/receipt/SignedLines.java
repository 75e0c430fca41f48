package dev.bridle.core.api.receipt;

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
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

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
   * Returns the line that says how far a chain reaches.
   *
   * @param first the hash of its first receipt
   * @param era that of its last receipt
   */
  ByteString chain(ReadTransaction tr, ReceiptChainRecord chain, Optional<Sha256> first, long era) {
    ChainHead head = ReceiptStore.head(Optional.of(chain));
    ChainEnd end =
        new ChainEnd(
            head.count(),
            chain.getPartial() ? Optional.empty() : first,
            head.last(),
            head.peaks().root());
    Optional<ByteString> line =
        keys.stated(
                tr,
                context.clock().millis(),
                at ->
                    new ChainStatement(
                            installation, chain.getSessionId(), end, era, chain.getPartial(), at)
                        .toJson())
            .map(statement -> BundleLines.of("chain", statement));
    line.ifPresent(unused -> chains++);
    return line.orElse(ByteString.EMPTY);
  }

  /** Returns the last line of the export. */
  ByteString end(ReadTransaction tr) {
    return keys.stated(
            tr,
            context.clock().millis(),
            at ->
                new ExportEnd(installation, caller.tenant(), chains, receipts, sent.soFar(), at)
                    .toJson())
        .map(statement -> BundleLines.of("end", statement))
        .orElse(ByteString.EMPTY);
  }
}
