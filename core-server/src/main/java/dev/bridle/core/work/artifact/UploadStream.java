package dev.bridle.core.work.artifact;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.UploadArtifactContentRequest;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/**
 * Feeds an upload from its call. Requests one message at a time, so that a fast client is throttled
 * instead of buffered in memory.
 */
final class UploadStream implements StreamObserver<UploadArtifactContentRequest> {
  private final ArtifactUploads uploads;
  private final Caller caller;
  private final ServerCallStreamObserver<Artifact> call;
  private Optional<Upload> upload = Optional.empty();

  UploadStream(ArtifactUploads uploads, Caller caller, ServerCallStreamObserver<Artifact> call) {
    this.uploads = uploads;
    this.caller = caller;
    this.call = call;
  }

  @Override
  public void onNext(UploadArtifactContentRequest message) {
    guarded(
        () -> {
          take(message);
          call.request(1);
        });
  }

  private void take(UploadArtifactContentRequest message) {
    String named = message.getArtifactId();
    if (upload.isEmpty()) {
      if (named.isEmpty()) {
        throw missingId();
      }
      upload = Optional.of(uploads.begin(caller, named));
    } else if (!named.isEmpty() && !named.equals(upload.get().artifactId())) {
      throw ProtocolException.invalid(
          "artifact_id", "must be absent or the same in every message of an upload");
    }
    upload.get().add(message.getData());
  }

  @Override
  public void onCompleted() {
    guarded(() -> Replies.send(call, upload.orElseThrow(UploadStream::missingId).finish()));
  }

  @Override
  public void onError(Throwable cancelled) {
    upload.ifPresent(Upload::abandon);
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      upload.ifPresent(Upload::abandon);
      throw e;
    }
  }

  private static ProtocolException missingId() {
    return ProtocolException.invalid("artifact_id", "must be in the first message of an upload");
  }
}
