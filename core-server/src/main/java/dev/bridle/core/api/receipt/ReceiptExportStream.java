package dev.bridle.core.api.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.receipt.v1.ReceiptExportPiece;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.layer.RecordStore;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;

/**
 * Streams receipts as JSON Lines with back-pressure: a header, the keys, then each receipt as it
 * was signed. A few receipts are read in a short transaction, and the next ones only once the call
 * is ready again. Each line equals its canonical form (RFC 8785).
 */
final class ReceiptExportStream {
  private static final int AT_ONCE = 16;
  private static final int PIECE_BYTES = 256 << 10;

  private final CoreContext context;
  private final RecordStore<ReceiptRecord> receipts;
  private final Caller caller;
  private final Optional<String> session;
  private final ServerCallStreamObserver<ReceiptExportPiece> call;
  private boolean begun;
  private boolean ended;
  private Optional<byte[]> after = Optional.empty();

  ReceiptExportStream(
      CoreContext context,
      RecordStore<ReceiptRecord> receipts,
      Caller caller,
      Optional<String> session,
      ServerCallStreamObserver<ReceiptExportPiece> call) {
    this.context = context;
    this.receipts = receipts;
    this.caller = caller;
    this.session = session;
    this.call = call;
  }

  /** Sends while the call is ready. Called again whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      if (!begun) {
        begun = true;
        send(header().concat(BundleLines.keys(context, caller)));
      } else {
        next();
      }
    }
  }

  private void next() {
    RecordStore.Batch<ReceiptRecord> batch =
        context
            .store()
            .read(
                tr ->
                    receipts.batch(
                        tr,
                        caller.tenant(),
                        session.isPresent() ? RecordDef.BY_SESSION : RecordDef.ALL,
                        session.orElse(""),
                        after,
                        AT_ONCE));
    ByteString lines = ByteString.EMPTY;
    for (ReceiptRecord record : batch.records()) {
      if (caller.reaches(record.getWorkspaceId())) {
        lines =
            lines.concat(
                BundleLines.of("receipt", StrictJson.parse(record.getWire().toByteArray())));
      }
      if (lines.size() > PIECE_BYTES) {
        send(lines);
        lines = ByteString.EMPTY;
      }
    }
    if (!lines.isEmpty()) {
      send(lines);
    }
    after = batch.next();
    if (after.isEmpty()) {
      ended = true;
      call.onCompleted();
    }
  }

  private ByteString header() {
    ObjectNode header = BundleLines.header(context, caller, "bridle.receipts/1");
    session.ifPresent(id -> header.put("session_id", id));
    return BundleLines.bytes(header);
  }

  private void send(ByteString lines) {
    call.onNext(ReceiptExportPiece.newBuilder().setData(lines).build());
  }
}
