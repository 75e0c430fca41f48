package dev.bridle.core.work.workspace;

/** A folder can't be used as the workspace root. */
public final class WorkspaceRootException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message says why, and what to do. */
  public WorkspaceRootException(String message) {
    super(message);
  }

  /** The message says why, and what to do. */
  WorkspaceRootException(String message, Throwable cause) {
    super(message, cause);
  }
}
