package dev.bridle.storage.layer;

/** Thrown on an append to the log of a tenant that is deleted or being deleted. */
public final class ClosedLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedLogException() {
    super("The tenant's log is closed: the tenant is deleted.");
  }
}
