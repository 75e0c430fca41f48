package dev.bridle.host.rpc;

import java.util.Objects;

/**
 * An error as JSON-RPC spells it (section 5.1).
 *
 * @param code the number; those from -32768 to -32000 have a fixed meaning
 * @param message a sentence
 * @param data what the other side adds, or absent
 */
public record RpcError(int code, String message, RawJson data) {
  /** The line is not JSON. */
  public static final int PARSE_ERROR = -32700;

  /** The message is not JSON-RPC, or is too long. */
  public static final int INVALID_REQUEST = -32600;

  /** Nobody serves the method. */
  public static final int METHOD_NOT_FOUND = -32601;

  /** The parameters are not what the method takes. */
  public static final int INVALID_PARAMS = -32602;

  /** The method failed. */
  public static final int INTERNAL = -32603;

  /** The other side has cancelled the request. */
  public static final int CANCELLED = -32800;

  /** Checks that nothing is missing. */
  public RpcError {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(data, "data");
  }

  /** An error without data. */
  public static RpcError of(int code, String message) {
    return new RpcError(code, message, RawJson.absent());
  }
}
