package dev.bridle.core.operations.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.admin.v1.ExportResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;

/** Sends an export with back-pressure. */
final class ExportCall {
  private final ExportRun run;
  private final ServerCallStreamObserver<ExportResponse> call;
  private boolean ended;

  ExportCall(ExportRun run, ServerCallStreamObserver<ExportResponse> call) {
    this.run = run;
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
        call.onCompleted();
      }
    }
  }
}
