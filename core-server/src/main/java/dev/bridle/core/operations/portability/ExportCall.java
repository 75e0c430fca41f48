package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;
import java.util.function.Function;

/** Sends an export with back-pressure, and signs it at its end. */
final class ExportCall {
  private final ExportRun run;
  private final Function<Sha256, Optional<ObjectNode>> signer;
  private final ServerCallStreamObserver<ExportResponse> call;
  private boolean ended;

  ExportCall(
      ExportRun run,
      Function<Sha256, Optional<ObjectNode>> signer,
      ServerCallStreamObserver<ExportResponse> call) {
    this.run = run;
    this.signer = signer;
    this.call = call;
  }

  /** Sends pieces while the call is ready. Called whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      Optional<byte[]> piece = run.next();
      if (piece.isPresent()) {
        call.onNext(
            ExportResponse.newBuilder()
                .setData(UnsafeByteOperations.unsafeWrap(piece.get()))
                .build());
      } else {
        ended = true;
        run.blocks().flatMap(signer).ifPresent(this::signed);
        call.onCompleted();
      }
    }
  }

  private void signed(ObjectNode statement) {
    call.onNext(
        ExportResponse.newBuilder()
            .setSigned(ByteString.copyFrom(CanonicalJson.bytes(statement)))
            .build());
  }
}
