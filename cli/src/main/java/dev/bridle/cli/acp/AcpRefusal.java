package dev.bridle.cli.acp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.rest.MissingKey;
import dev.bridle.cli.rest.RefusedCall;
import dev.bridle.host.rpc.RpcError;

/** A request of the editor that is answered with an error. */
final class AcpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** ACP's error for an agent that nobody has authenticated. */
  static final int AUTH_REQUIRED = -32000;

  /** ACP's error for what is not there, such as a session. */
  static final int NOT_FOUND = -32002;

  /** ACP's error for a request that was given up. */
  static final int CANCELLED = -32800;

  private static final String KEY_HINT =
      " Start 'bridle acp' with --api-key-file FILE or BRIDLE_API_KEY_FILE; 'bridle apikey create'"
          + " creates a key.";

  private final int code;

  private AcpRefusal(int code, String message) {
    super(message);
    this.code = code;
  }

  static AcpRefusal of(int code, String message) {
    return new AcpRefusal(code, message);
  }

  static AcpRefusal badParams(String message) {
    return new AcpRefusal(RpcError.INVALID_PARAMS, message);
  }

  /** A session that is not there, or is not for this caller: both look alike. */
  static AcpRefusal unknownSession(String id) {
    return new AcpRefusal(NOT_FOUND, "There is no session " + Texts.cut(id, 128));
  }

  /** What the server, or the lack of one, says. */
  static AcpRefusal of(CommandFailed failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof MissingKey) {
      return new AcpRefusal(AUTH_REQUIRED, message);
    }
    if (failure instanceof RefusedCall refused) {
      return switch (refused.status()) {
        case 401 -> new AcpRefusal(AUTH_REQUIRED, message + KEY_HINT);
        case 404 -> new AcpRefusal(NOT_FOUND, message);
        case 400, 413, 422 -> new AcpRefusal(RpcError.INVALID_PARAMS, message);
        default -> new AcpRefusal(RpcError.INTERNAL, message);
      };
    }
    return new AcpRefusal(RpcError.INTERNAL, message);
  }

  RpcError error() {
    return RpcError.of(code, getMessage());
  }
}
