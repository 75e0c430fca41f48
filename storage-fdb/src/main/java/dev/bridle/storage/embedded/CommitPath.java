package dev.bridle.storage.embedded;

/** What a transaction needs from its store: the version to read at, and the commit. */
interface CommitPath {

  /** Returns the newest published version, with a reference that the caller must release. */
  PublishedVersion retainCurrent();

  /**
   * Commits a request and returns its versionstamp.
   *
   * @throws dev.bridle.storage.StoreException if it was rejected, or its outcome is unknown
   */
  byte[] commit(CommitRequest request, long deadlineNanos);
}
