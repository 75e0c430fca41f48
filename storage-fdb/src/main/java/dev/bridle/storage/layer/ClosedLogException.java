package dev.bridle.storage.layer;

/** Somebody wanted to append to the log of a tenant that is deleted, or about to be. */
public final class ClosedLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedLogException() {
    super("The tenant's log is closed: the tenant is deleted.");
  }
}
