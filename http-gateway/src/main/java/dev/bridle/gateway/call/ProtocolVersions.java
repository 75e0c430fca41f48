package dev.bridle.gateway.call;

import java.util.List;

/** The versions of the Harn Agents Protocol that are served (protocol section "Versioning"). */
public final class ProtocolVersions {

  /** The header by which a request names its version. */
  public static final String HEADER = "Harn-Agents-Protocol-Version";

  /** All served versions, the newest first. */
  public static final List<String> SUPPORTED = List.of("agents-protocol-2026-04-25");

  private ProtocolVersions() {}
}
