package dev.bridle.gateway.call;

import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.List;

/** The supported versions of the Harn Agents Protocol (protocol section "Versioning"). */
public final class ProtocolVersions {

  /** The header with a request's protocol version. */
  public static final String HEADER = "Harn-Agents-Protocol-Version";

  /** All supported versions, newest first. */
  public static final List<String> SUPPORTED = List.of("agents-protocol-2026-04-25");

  private ProtocolVersions() {}

  /**
   * Requires a supported version of the protocol.
   *
   * @throws ProtocolException {@code unsupported_protocol_version}
   */
  public static void check(RequestHeaders headers) {
    String given = headers.get(HEADER);
    if (given != null && SUPPORTED.contains(given)) {
      return;
    }
    String versions = String.join("\", \"", SUPPORTED);
    throw new ProtocolException(
        ProtocolError.of(
                ErrorCode.ERROR_CODE_UNSUPPORTED_PROTOCOL_VERSION,
                given == null
                    ? "The header " + HEADER + " is missing."
                    : "The protocol version is not supported.")
            .blaming(HEADER)
            .with("{\"supported_versions\":[\"" + versions + "\"]}"));
  }
}
