package dev.bridle.storage.embedded;

/** What a transaction needs of its store: the version to read at, and the way to its commit. */
interface CommitPath {

  /** Returns the newest published version, with a reference that the caller gives back. */
  PublishedVersion retainCurrent();

  /**
   * Decides a request and returns its versionstamp.
   *
   * @throws dev.bridle.storage.StoreException why it was refused, or that its outcome is unknown
   */
  byte[] commit(CommitRequest request, long deadlineNanos);
}
