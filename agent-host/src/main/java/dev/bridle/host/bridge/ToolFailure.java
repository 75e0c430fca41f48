package dev.bridle.host.bridge;

/** A tool of the host gave nothing back. The message is for the runtime, and holds no secret. */
public final class ToolFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean unknown;

  private ToolFailure(String message, boolean unknown) {
    super(message);
    this.unknown = unknown;
  }

  /** The tool failed, or is not allowed. */
  public static ToolFailure of(String message) {
    return new ToolFailure(message, false);
  }

  /** There is no such tool. */
  public static ToolFailure unknown(String name) {
    return new ToolFailure("The host has no tool '" + name + "'", true);
  }

  /** Returns whether there is no such tool. */
  public boolean isUnknown() {
    return unknown;
  }
}
