package dev.bridle.core.check;

/** How blobs are named: by their artifact's id, a dot and the rest. */
final class BlobRows {
  private BlobRows() {}

  static String artifactOf(String blob) {
    int end = blob.indexOf('.');
    return end < 0 ? "" : blob.substring(0, end);
  }
}
