package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes blocking calls for a leased task, and retries them while the core can't be reached and the
 * lease may still be valid.
 */
final class CoreCalls {
  private static final int UNEXPLAINED_ATTEMPTS = 5;

  private final WorkerServiceBlockingStub workers;
  private final ArtifactServiceGrpc.ArtifactServiceBlockingStub artifacts;

  CoreCalls(Channel channel) {
    this.workers = WorkerServiceGrpc.newBlockingStub(channel);
    this.artifacts = ArtifactServiceGrpc.newBlockingStub(channel);
  }

  /**
   * Makes an idempotent call.
   *
   * @throws TaskCancelled when the handler must stop, with LEASE_LOST if the core reports that the
   *     lease has ended
   * @throws CallRefused if the core rejects it
   */
  <T> T call(LeaseHold hold, Function<WorkerServiceBlockingStub, T> call) {
    return repeated(hold, () -> call.apply(workers));
  }

  /** Reads an artifact's content, up to a maximum number of bytes. */
  byte[] download(LeaseHold hold, String artifactId, int maxBytes) {
    return repeated(hold, () -> read(hold, artifactId, maxBytes));
  }

  private static <T> T repeated(LeaseHold hold, Supplier<T> attempt) {
    Backoff backoff = new Backoff(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.SECONDS.toNanos(2));
    int unexplained = 0;
    while (true) {
      hold.throwIfSilenced();
      long fence = hold.fence();
      try {
        return attempt.get();
      } catch (StatusRuntimeException e) {
        CallRefused refused = CallRefused.from(e);
        boolean fenced = refused.code() == ErrorCode.ERROR_CODE_RESOURCE_LOCKED && hold.lost(fence);
        hold.throwIfSilenced();
        boolean again =
            fenced
                || hold.fence() != fence
                || (refused.isServerError()
                    ? ++unexplained < UNEXPLAINED_ATTEMPTS
                    : refused.isTransient());
        if (!again || Thread.currentThread().isInterrupted()) {
          throw refused;
        }
        hold.backOff(backoff.nextNanos());
      }
    }
  }

  private byte[] read(LeaseHold hold, String artifactId, int maxBytes) {
    ByteString.Output content = ByteString.newOutput();
    DownloadArtifactContentRequest request =
        DownloadArtifactContentRequest.newBuilder()
            .setArtifactId(artifactId)
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .build();
    Context.CancellableContext scope = Context.current().withCancellation();
    Context outer = scope.attach();
    try {
      Iterator<ArtifactContent> pieces = artifacts.downloadArtifactContent(request);
      while (pieces.hasNext()) {
        ByteString piece = pieces.next().getData();
        if (content.size() + (long) piece.size() > maxBytes) {
          throw new CallRefused(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "artifact " + artifactId + " has more than the expected " + maxBytes + " bytes",
              "",
              null);
        }
        piece.writeTo(content);
      }
      return content.toByteString().toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      scope.detach(outer);
      scope.cancel(null);
    }
  }
}
