package dev.bridle.core.api.discovery;

/** The server's health status. Thread-safe. */
public final class ServerState {
  private volatile boolean ready;
  private volatile boolean draining;
  private volatile boolean storageFailed;

  /** Marks the server as started. */
  public void ready() {
    ready = true;
  }

  /** Marks the server as stopping: it accepts no new work. */
  public void draining() {
    draining = true;
  }

  /** Marks the storage as failed: it must be reopened. */
  public void storageFailed() {
    storageFailed = true;
  }

  /** Returns whether the server accepts work. */
  public boolean ok() {
    return ready && !draining && !storageFailed;
  }

  /**
   * Returns the status: {@code ok}, {@code starting}, {@code draining} or {@code storage_failed}.
   */
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
