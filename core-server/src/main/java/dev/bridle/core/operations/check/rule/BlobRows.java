package dev.bridle.core.operations.check.rule;

import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.storage.ReadTransaction;

/**
 * How blobs are named: by their artifact's id, a dot and the rest; or by their file's workspace and
 * path, {@code @} and the rest.
 */
public final class BlobRows {
  private BlobRows() {}

  /** Returns whether a blob is the content of what it is named after. */
  public static boolean held(Records records, ReadTransaction tr, String blob) {
    return ofFile(blob)
        ? records
            .find(tr, StoredFiles.WORKSPACE_FILE, owner(blob))
            .filter(file -> file.getBlobId().equals(blob))
            .isPresent()
        : records
            .find(tr, ArtifactStore.ARTIFACT, owner(blob))
            .filter(record -> record.getBlobId().equals(blob))
            .isPresent();
  }

  /** Returns whether what a blob is named after is there. */
  public static boolean owned(Records records, ReadTransaction tr, String blob) {
    return records.exists(
        tr, ofFile(blob) ? StoredFiles.WORKSPACE_FILE : ArtifactStore.ARTIFACT, owner(blob));
  }

  /** Returns the artifact that a blob is named after; empty where it is named after none. */
  public static String artifactOf(String blob) {
    return ofFile(blob) ? "" : owner(blob);
  }

  private static boolean ofFile(String blob) {
    return blob.indexOf('/') >= 0;
  }

  private static String owner(String blob) {
    int end = ofFile(blob) ? blob.lastIndexOf('@') : blob.indexOf('.');
    return end < 0 ? "" : blob.substring(0, end);
  }
}
