package dev.bridle.core.work.artifact;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An upload in progress: splits its data into chunks, and buffers at most what one transaction
 * writes. Not thread-safe.
 */
final class Upload {
  private static final Logger log = LoggerFactory.getLogger(Upload.class);

  private final ArtifactUploads uploads;
  private final Caller caller;
  private final String artifactId;
  private final DueEntry blob;
  private final ContentHash hash = new ContentHash();
  private final List<byte[]> full = new ArrayList<>(BlobStore.CHUNKS_AT_ONCE);
  private final byte[] open = new byte[BlobStore.CHUNK_BYTES];
  private int openBytes;
  private long written;
  private long size;
  private boolean outcomeUnknown;

  Upload(ArtifactUploads uploads, Caller caller, String artifactId, DueEntry blob) {
    this.uploads = uploads;
    this.caller = caller;
    this.artifactId = artifactId;
    this.blob = blob;
  }

  String artifactId() {
    return artifactId;
  }

  /** Adds the next piece, of any size. */
  void add(ByteString piece) {
    size += piece.size();
    if (size > uploads.maxBytes()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The content is larger than allowed.")
          .with("max_bytes", uploads.maxBytes());
    }
    hash.add(piece);
    int at = 0;
    while (at < piece.size()) {
      int taken = Math.min(open.length - openBytes, piece.size() - at);
      piece.substring(at, at + taken).copyTo(open, openBytes);
      openBytes += taken;
      at += taken;
      if (openBytes == open.length) {
        seal();
      }
    }
  }

  private void seal() {
    if (full.size() == BlobStore.CHUNKS_AT_ONCE) {
      flush();
    }
    full.add(Arrays.copyOf(open, openBytes));
    openBytes = 0;
  }

  private void flush() {
    long from = written;
    // Counted first: a write that fails may have been committed.
    written += full.size();
    trackingOutcome(
        () -> {
          uploads.write(caller, blob, from, full);
          return true;
        });
    full.clear();
  }

  /** Ends the upload, and returns the artifact with its content. */
  Artifact finish() {
    if (openBytes > 0) {
      seal();
    }
    String sha256 = hash.hex();
    return trackingOutcome(
        () -> uploads.finish(caller, artifactId, blob, written, full, size, sha256));
  }

  /** Deletes the written chunks. What can't be deleted now is left to the sweeper. */
  void abandon() {
    if (written == 0) {
      return;
    }
    try {
      uploads.abandon(blob, !outcomeUnknown);
    } catch (StoreException e) {
      log.warn(
          "The chunks of an upload to {} could not be deleted; the sweeper deletes them later.",
          artifactId,
          e);
    }
  }

  private <T> T trackingOutcome(Supplier<T> step) {
    try {
      return step.get();
    } catch (StoreException e) {
      outcomeUnknown |= e.outcomeUnknown();
      throw e;
    }
  }
}
