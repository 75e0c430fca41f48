package dev.bridle.core.api.discovery;

/** What the server says about its own health. Safe for many threads. */
public final class ServerState {
  private volatile boolean ready;
  private volatile boolean draining;
  private volatile boolean storageFailed;

  /** Says that all parts are started. */
  public void ready() {
    ready = true;
  }

  /** Says that the server is about to stop and takes no new work. */
  public void draining() {
    draining = true;
  }

  /** Says that the storage has failed and must be opened anew. */
  public void storageFailed() {
    storageFailed = true;
  }

  /** Returns whether the server can take work. */
  public boolean ok() {
    return ready && !draining && !storageFailed;
  }

  /** Returns the word for it: {@code ok}, {@code starting}, {@code draining} or worse. */
  public String status() {
    if (storageFailed) {
      return "storage_failed";
    }
    if (draining) {
      return "draining";
    }
    return ready ? "ok" : "starting";
  }
}
