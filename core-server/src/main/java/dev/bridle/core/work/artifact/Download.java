package dev.bridle.core.work.artifact;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactContentInfo;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.BlobStore;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;

/**
 * Streams an artifact's content with back-pressure: a few chunks are read in a short transaction,
 * and the next ones only once the call is ready again.
 */
final class Download {
  private static final int CHUNKS_AT_ONCE = 4;

  private final KeyValueStore store;
  private final BlobStore blobs;
  private final String tenant;
  private final ArtifactRecord record;
  private final ServerCallStreamObserver<ArtifactContent> call;
  private boolean begun;
  private boolean ended;
  private long nextChunk;
  private long sent;

  Download(
      KeyValueStore store,
      BlobStore blobs,
      String tenant,
      ArtifactRecord record,
      ServerCallStreamObserver<ArtifactContent> call) {
    this.store = store;
    this.blobs = blobs;
    this.tenant = tenant;
    this.record = record;
    this.call = call;
  }

  /** Sends while the call is ready. Called again whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      if (!begun) {
        begun = true;
        call.onNext(ArtifactContent.newBuilder().setInfo(info()).build());
      } else if (sent == record.getSize()) {
        ended = true;
        call.onCompleted();
      } else {
        send(
            store.read(
                tr -> blobs.read(tr, tenant, record.getBlobId(), nextChunk, CHUNKS_AT_ONCE)));
      }
    }
  }

  private void send(List<byte[]> chunks) {
    if (chunks.isEmpty()) {
      ended = true;
      throw new IllegalStateException("a stored blob lacks chunks");
    }
    for (byte[] chunk : chunks) {
      call.onNext(
          ArtifactContent.newBuilder().setData(UnsafeByteOperations.unsafeWrap(chunk)).build());
      sent += chunk.length;
      nextChunk++;
    }
  }

  private ArtifactContentInfo info() {
    return ArtifactContentInfo.newBuilder()
        .setSize(record.getSize())
        .setMimeType(record.getArtifact().getMimeType())
        .setSha256(record.getArtifact().getSha256())
        .build();
  }
}
