package dev.bridle.host.rpc;

/** A call that the other side answered with an error. */
public final class AnsweredError extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MOST_SHOWN = 300;

  private final transient RpcError error;

  AnsweredError(String method, RpcError error) {
    super(method + " was answered with error " + error.code() + ": " + shown(error.message()));
    this.error = error;
  }

  private static String shown(String message) {
    return message.length() > MOST_SHOWN ? message.substring(0, MOST_SHOWN) + "…" : message;
  }

  /** What the answer says. */
  public RpcError error() {
    return error;
  }
}
