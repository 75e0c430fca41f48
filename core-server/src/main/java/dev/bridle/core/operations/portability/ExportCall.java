package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.proof.json.CanonicalJson;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Sends an export with back-pressure, and signs it at its end. */
final class ExportCall {
  private final ExportRun run;
  private final ExportSigner.Begun signer;
  private final ServerCallStreamObserver<ExportResponse> call;
  private boolean ended;

  ExportCall(
      ExportRun run, ExportSigner.Begun signer, ServerCallStreamObserver<ExportResponse> call) {
    this.run = run;
    this.signer = signer;
    this.call = call;
  }

  /** Sends pieces while the call is ready. Called whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      Optional<byte[]> piece = next();
      if (piece.isPresent()) {
        call.onNext(
            ExportResponse.newBuilder()
                .setData(UnsafeByteOperations.unsafeWrap(piece.get()))
                .build());
      } else {
        ended = true;
        signer.end(run.blocks()).ifPresent(this::signed);
        call.onCompleted();
      }
    }
  }

  private Optional<byte[]> next() {
    try {
      return run.next();
    } catch (NoSuchElementException e) {
      signer.needSame(); // What an export goes over is there as long as its tenant is.
      throw e;
    }
  }

  private void signed(ObjectNode statement) {
    call.onNext(
        ExportResponse.newBuilder()
            .setSigned(ByteString.copyFrom(CanonicalJson.bytes(statement)))
            .build());
  }
}
