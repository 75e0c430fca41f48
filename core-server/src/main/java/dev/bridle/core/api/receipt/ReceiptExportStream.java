package dev.bridle.core.api.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.receipt.v1.ReceiptExportPiece;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;

/**
 * Streams receipts as JSON Lines with back-pressure: a header, the keys, then session by session
 * each receipt as it was signed and how far the chain reaches, then the end, which is signed over
 * all lines before. A few receipts are read in a short transaction, and the next ones only once the
 * call is ready again. Each line equals its canonical form (RFC 8785).
 */
final class ReceiptExportStream {
  private static final String FORMAT = "bridle.receipts/2";
  private static final int AT_ONCE = 16;
  private static final int PIECE_BYTES = 256 << 10;

  private final CoreContext context;
  private final ReceiptStore receipts;
  private final SignedLines signed;
  private final Caller caller;
  private final Optional<String> session;
  private final ServerCallStreamObserver<ReceiptExportPiece> call;
  private boolean begun;
  private boolean ended;
  private String lastSession = "";
  private Optional<OpenChain> open = Optional.empty();

  ReceiptExportStream(
      CoreContext context,
      ReceiptStore receipts,
      SignedLines signed,
      Caller caller,
      Optional<String> session,
      ServerCallStreamObserver<ReceiptExportPiece> call) {
    this.context = context;
    this.receipts = receipts;
    this.signed = signed;
    this.caller = caller;
    this.session = session;
    this.call = call;
  }

  /** A chain that is being sent, as far as it reached when that began. */
  private static final class OpenChain {
    private final ReceiptChainRecord end;
    private Optional<byte[]> after = Optional.empty();
    private Optional<Sha256> first = Optional.empty();
    private long era;
    private boolean isSent = true;

    OpenChain(ReceiptChainRecord end) {
      this.end = end;
    }
  }

  /** Sends while the call is ready. Called again whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      if (!begun) {
        begun = true;
        send(header().concat(BundleLines.keys(context, caller)));
      } else if (open.isPresent()) {
        send(nextReceipts(open.get()));
      } else {
        open = context.store().read(this::nextChain).map(OpenChain::new);
        ended = open.isEmpty();
        if (ended) {
          send(signed.end());
          call.onCompleted();
        }
      }
    }
  }

  /** Returns the next chain in the order of the sessions' ids. */
  private Optional<ReceiptChainRecord> nextChain(ReadTransaction tr) {
    if (session.isPresent()) {
      return lastSession.isEmpty()
          ? receipts.chain(tr, caller.tenant(), session.get())
          : Optional.empty();
    }
    return receipts.chainAfter(tr, caller.tenant(), lastSession);
  }

  private ByteString nextReceipts(OpenChain chain) {
    lastSession = chain.end.getSessionId();
    // A read may be repeated, so it changes nothing here.
    RecordStore.Batch<ReceiptRecord> batch =
        context
            .store()
            .read(
                tr ->
                    receipts
                        .records()
                        .batch(
                            tr,
                            caller.tenant(),
                            RecordDef.BY_SESSION,
                            chain.end.getSessionId(),
                            chain.after,
                            AT_ONCE));
    ByteString lines = ByteString.EMPTY;
    for (ReceiptRecord record : batch.records()) {
      // What has come since belongs to no chain that is said to end here.
      if (record.getIndex() < chain.end.getCount()) {
        lines = lines.concat(line(chain, record));
      }
    }
    chain.after = batch.next();
    if (chain.after.isEmpty()) {
      open = Optional.empty();
      if (chain.isSent) {
        lines = lines.concat(signed.chain(chain.end, chain.first, chain.era));
      }
    }
    return lines;
  }

  private ByteString line(OpenChain chain, ReceiptRecord record) {
    if (!caller.reaches(record.getWorkspaceId())) {
      chain.isSent = false;
      return ByteString.EMPTY;
    }
    if (record.getIndex() == 0) {
      chain.first = Optional.of(ReceiptStore.hash(record.getHash()));
    }
    chain.era = record.getEra();
    try {
      ByteString line = BundleLines.of("receipt", StrictJson.parse(record.getWire().toByteArray()));
      signed.countReceipt();
      return line;
    } catch (InvalidJsonException e) {
      return BundleLines.bytes(
          BundleLines.node().put("type", "unreadable").put("receipt_id", record.getId()));
    }
  }

  private ByteString header() {
    ObjectNode header = BundleLines.header(context, caller, FORMAT);
    session.ifPresent(id -> header.put("session_id", id));
    return BundleLines.bytes(header);
  }

  private void send(ByteString lines) {
    signed.sent(lines);
    for (int at = 0; at < lines.size(); at += PIECE_BYTES) {
      ByteString piece = lines.substring(at, Math.min(lines.size(), at + PIECE_BYTES));
      call.onNext(ReceiptExportPiece.newBuilder().setData(piece).build());
    }
  }
}
